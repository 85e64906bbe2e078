// <live-preview>: the board of one live game, as it changes, with a link to watch it.
import { LitElement, css, html, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import * as texts from "#texts/lobby";
import { getGame } from "../api/client";
import type { Game, LiveGame } from "../api/shapes";
import type { GameRow } from "../state/game-rows";
import { controls } from "./controls";
import "./small-board";

@customElement("live-preview")
export class LivePreview extends LitElement {
  static override styles = [
    controls,
    css`
      :host {
        display: grid;
        gap: 8px;
      }
      h2 {
        margin: 0;
        font-size: 1.05rem;
      }
      .board {
        display: grid;
        place-content: center;
        min-height: 320px;
      }
      small-board {
        --size: 320;
      }
      a {
        display: grid;
        gap: 4px;
        color: inherit;
        text-decoration: none;
      }
      .who {
        color: var(--accent);
        text-decoration: underline;
      }
    `,
  ];

  @property({ attribute: false }) game!: LiveGame;
  @property({ attribute: false }) row!: GameRow;
  /** The game as it was last loaded. */
  @state() private loaded: Game | null = null;
  /** The position that was requested last. */
  private wanted = "";

  protected override willUpdate(changed: PropertyValues): void {
    const { id, moveCount } = this.game;
    const wanted = `${id} ${moveCount}`;
    if (!changed.has("game") || this.wanted === wanted || document.visibilityState !== "visible") return;
    this.wanted = wanted;
    void this.load(wanted);
  }

  /** Shows the game as it is; if that fails, the picture stays until the next move. */
  private async load(wanted: string): Promise<void> {
    const game = await getGame(this.game.id).catch(() => null);
    if (game !== null && this.wanted === wanted) this.loaded = game;
  }

  override render(): TemplateResult {
    const { href, players, about } = this.row;
    const { loaded } = this;
    return html`
      <h2>${texts.watch}</h2>
      <a href=${href}>
        <div class="board">
          ${loaded === null ? null : keyed(loaded.gameId, html`<small-board .game=${loaded}></small-board>`)}
        </div>
        <span class="who">${players.join(" – ")}</span>
        <span>${about}</span>
      </a>
    `;
  }
}
