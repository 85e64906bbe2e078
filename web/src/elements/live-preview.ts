// <live-preview>: the board of one live game, as it changes, with a link to watch it.
import { LitElement, css, html, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { getGame } from "../api/client";
import type { LiveGame } from "../api/shapes";
import { createBoard, dress, type BoardElement } from "../boards";
import type { GameRow } from "../state/game-rows";
import { movesOf } from "../state/moves";
import { controls } from "./controls";

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
        min-height: 200px;
        width: 100%;
        max-width: 420px;
        margin: 0 auto;
        /* A picture: it is watched on the game's own page. */
        pointer-events: none;
      }
      a {
        display: grid;
        gap: 8px;
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
  @state() private board: BoardElement | null = null;
  /** The moves in the position on the board. */
  private shown = "";

  protected override willUpdate(changed: PropertyValues): void {
    const { id, moveCount } = this.game;
    const wanted = `${id} ${moveCount}`;
    if (!changed.has("game") || this.shown === wanted || document.visibilityState !== "visible") return;
    this.shown = wanted;
    void this.load(id);
  }

  /** Shows the game as it is; the preview keeps the board that it has if that fails. */
  private async load(id: string): Promise<void> {
    try {
      const game = await getGame(id);
      const isSame = this.board?.localName === `${game.game}-board` && this.board.variant === game.variant;
      const board = isSame && this.board !== null ? this.board : await createBoard(game);
      if (this.game.id !== id) return;
      board.inert = true;
      board.view = game.position.view;
      board.lastMove = movesOf(game.position.history).at(-1) ?? null;
      this.removeAttribute("style");
      dress(this, board);
      this.board = board;
    } catch {
      this.shown = "";
    }
  }

  override render(): TemplateResult {
    const { href, players, about } = this.row;
    return html`
      <h2>Watch</h2>
      <a href=${href}>
        <div class="board">${this.board}</div>
        <span class="who">${players.join(" – ")}</span>
        <span>${about}</span>
      </a>
    `;
  }
}
