// <game-card>: one game of the catalogue: what it is, and buttons to play it, to choose how, and to learn it.
// It fires nothing: a press of "Play" starts a game with the form's defaults and goes to it.
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import * as texts from "#texts/lobby";
import { createGame, getBots, sentence } from "../api/client";
import type { GameRules } from "../api/shapes";
import { LEARNABLE } from "../lessons";
import { boardOf, firstChoice, requestFor } from "../state/choice";
import { gameTitle } from "../state/labels";
import { ownName } from "../state/me";
import { gamePath, goTo, learnPath, puzzlePath, startPath } from "../state/route";
import { controls } from "./controls";
import { pictureOf } from "./game-pictures";

@customElement("game-card")
export class GameCard extends LitElement {
  static override styles = [
    controls,
    css`
      :host {
        display: grid;
        grid-template-columns: 76px minmax(0, 1fr);
        gap: 6px 14px;
        grid-template-rows: 1fr auto auto;
      }
      h2,
      p {
        margin: 0;
      }
      h2 {
        font-size: 1.15rem;
      }
      .about {
        color: var(--ink-soft);
        font-size: 0.9rem;
      }
      svg {
        width: 76px;
        height: 76px;
        border-radius: 8px;
      }
      .row {
        grid-column: 1 / -1;
        display: flex;
        flex-wrap: wrap;
        gap: 6px 8px;
        align-items: center;
      }
      .row button {
        flex: 1 0 84px;
        min-height: 44px;
        font-size: 1.05rem;
      }
      .links {
        display: flex;
        flex: 1 0 auto;
        gap: 8px;
        justify-content: space-between;
      }
      .row a {
        display: inline-grid;
        place-items: center;
        min-width: var(--target);
        min-height: var(--target);
      }
      .problem {
        grid-column: 1 / -1;
      }
      .grid {
        fill: none;
        stroke: var(--board-line);
        stroke-width: 2;
      }
      .wall,
      .maze {
        fill: none;
        stroke-width: 6;
        stroke-linecap: round;
      }
      .maze {
        stroke: var(--board-rim);
        stroke-width: 4;
      }
      .one {
        fill: var(--seat-0);
        stroke: var(--seat-0);
      }
      .two {
        fill: var(--seat-1);
        stroke: var(--seat-1);
      }
      .wall.one,
      .wall.two {
        fill: none;
      }
      .bug path {
        stroke: var(--board-rim);
        stroke-width: 1.5;
      }
      .bug text {
        font-size: 17px;
        font-weight: 700;
      }
      .light path {
        fill: #f2e6cb;
      }
      .dark path {
        fill: #33353a;
      }
      .dark text {
        fill: #fff;
      }
      .queen path {
        fill: #e3b341;
      }
      .light text,
      .queen text {
        fill: #33353a;
      }
      .meadow {
        fill: #9dbb6a;
      }
      .town {
        fill: #b98a5a;
        stroke: #7c5a38;
        stroke-width: 3;
      }
      .road {
        fill: none;
        stroke: #f3ead6;
        stroke-width: 8;
      }
      .cheese {
        fill: #e3b341;
      }
    `,
  ];

  @property({ attribute: false }) rules!: GameRules;
  @state() private problem = "";
  @state() private isBusy = false;

  override render(): TemplateResult {
    const { game, about } = this.rules;
    const title = gameTitle(this.rules);
    return html`
      <div class="picture" aria-hidden="true">${pictureOf(game)}</div>
      <div>
        <h2>${title}</h2>
        <p class="about">${about.sentence ?? ""}</p>
      </div>
      <div class="row">
        <button
          class="primary"
          aria-label=${texts.playGame(title)}
          ?disabled=${this.isBusy}
          @click=${this.play}
        >
          ${texts.play}
        </button>
        <span class="links">
          <a href=${startPath(game)} aria-label=${texts.optionsOf(title)}>${texts.options}</a>
          ${
            LEARNABLE.includes(game)
              ? html`<a href=${learnPath(game)} aria-label=${texts.learnGame(title)}>${texts.learn}</a>`
              : null
          }
          <a href=${puzzlePath(game)} aria-label=${texts.puzzlesOf(title)}>${texts.puzzles}</a>
        </span>
      </div>
      <p class="problem" role="alert" ?hidden=${this.problem === ""}>${this.problem}</p>
    `;
  }

  private readonly play = async (): Promise<void> => {
    this.isBusy = true;
    this.problem = "";
    try {
      goTo(await this.start());
    } catch (error) {
      this.problem = sentence(error);
    } finally {
      this.isBusy = false;
    }
  };

  /** Starts a game with the form's defaults, and returns the address of the player's seat. */
  private async start(): Promise<string> {
    const { rules } = this;
    const choice = firstChoice(rules);
    const bots = await getBots(rules.game, choice.variant, boardOf(rules, choice));
    const game = await createGame(requestFor(rules, choice, bots, ownName()));
    return gamePath(game.gameId, game.seats.find(({ token }) => token !== undefined)?.token ?? null);
  }
}
