// The board of a position in which one seat is asked for a move, and the buttons for the move being made there.
// state/own-move.ts has the move.
import { html, type TemplateResult } from "lit";
import * as common from "#texts/common";
import type { Position } from "../api/shapes";
import { dress, type Blocked, type BoardElement } from "../boards";
import { movesOf } from "../state/moves";
import type { OwnMove } from "../state/own-move";

/** Passes what the player does on the board to the move of that moment; null while nothing is asked. */
export function listenTo(
  board: BoardElement,
  page: HTMLElement & { requestUpdate(): void },
  own: () => OwnMove | null,
): void {
  board.addEventListener("action", (event) => {
    void own()?.stage((event as CustomEvent<string>).detail, board);
  });
  board.addEventListener("unstage", () => {
    own()?.unstage();
  });
  board.addEventListener("blocked", (event) => {
    void own()?.explain((event as CustomEvent<Blocked>).detail, board);
  });
  board.addEventListener("aim", () => {
    page.requestUpdate();
  });
  dress(page, board);
}

/** What the board shows; `own` is null while no move is asked for. */
export interface Shown {
  readonly position: Position;
  readonly own: OwnMove | null;
  readonly hint: string | null;
  readonly seat: number;
}

export function fill(board: BoardElement, { position, own, hint, seat }: Shown): void {
  board.view = position.view;
  board.legal = own === null || own.isBusy ? [] : own.legal;
  if (!board.legal.includes(board.aimed ?? "")) board.aimed = null;
  board.staged = own?.staged ?? [];
  board.lastMove = movesOf(position.history).at(-1) ?? null;
  board.hint = hint;
  board.seat = seat;
  board.below = seat;
}

/** What completes the move being made. */
export function moveButtons(own: OwnMove, board: BoardElement): TemplateResult {
  const { staged, legal, canFinish, isBusy } = own;
  const { aimed } = board;
  if (aimed !== null)
    return html`<button class="primary" @click=${() => own.stage(aimed, board)}>
      ${common.confirmMove(board.spell(aimed))}
    </button>`;
  return html`
    ${staged.length > 0 ? html`<button ?disabled=${isBusy} @click=${own.unstage}>${common.undo}</button>` : null}
    ${
      canFinish && (legal.length > 0 || staged.length > 0)
        ? html`<button ?disabled=${isBusy} @click=${() => own.finish(board)}>
            ${staged.length > 0 ? common.finishTurn : common.pass}
          </button>`
        : null
    }
  `;
}
