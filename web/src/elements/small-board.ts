// <small-board>: a picture of the current position of a game, for lists.
import { LitElement, css, html, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Game, GameRules } from "../api/shapes";
import { createBoard, dress, type BoardElement } from "../boards";
import { movesOf } from "../state/moves";

/** The board is drawn as large, and scaled down, so that it looks as on the page of the game. */
const DRAWN = 340;

@customElement("small-board")
export class SmallBoard extends LitElement {
  static override styles = css`
    :host {
      --size: 72;
      display: block;
      width: calc(var(--size) * 1px);
      height: calc(var(--size) * 1px);
      overflow: hidden;
      pointer-events: none;
    }
    div {
      display: grid;
      place-content: center;
      width: ${DRAWN}px;
      height: ${DRAWN}px;
      transform: scale(calc(var(--size) / ${DRAWN}));
      transform-origin: 0 0;
    }
  `;

  @property({ attribute: false }) game!: Game;
  @property({ attribute: false }) about: GameRules["about"] | undefined;
  @state() private board: BoardElement | null = null;

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("game")) return;
    if (this.board === null) void this.load();
    else this.show(this.board);
  }

  /** Without the code of the board there is no picture. */
  private async load(): Promise<void> {
    const board = await createBoard(this.game, { about: this.about }).catch(() => null);
    if (board === null) return;
    board.inert = true;
    board.setAttribute("aria-hidden", "true");
    board.style.width = `${Math.min(DRAWN, board.widthFor(DRAWN))}px`;
    dress(this, board);
    this.show(board);
    this.board = board;
  }

  private show(board: BoardElement): void {
    const { position, seatIndex } = this.game;
    board.view = position.view;
    board.lastMove = movesOf(position.history).at(-1) ?? null;
    board.below = seatIndex ?? 0;
  }

  override render(): TemplateResult {
    return html`<div>${this.board}</div>`;
  }
}
