// The reserve of one player: a tile for each bug of the game, with how many are left. A bug that can be placed is a
// button. A queen on the board is replaced by how many cells around her are occupied. Called by the board element.
import { html, nothing, type TemplateResult } from "lit";
import * as texts from "#texts/boards/hive";
import type { Gestures } from "../common/gestures";
import { pointers } from "../common/pointers";
import { drawTile } from "./drawing";
import { kindName, parsePiece, seatName, type Bug, type Piece } from "./notation";
import { bugsOf, type HiveView } from "./scene";

/** Number of cells around a queen. */
const AROUND = 6;
const VIEW_BOX = "-46 -52 92 104";

/** The state of a player's pieces, supplied by the board element. */
export interface Hand {
  readonly seat: number;
  /** The pieces that can be placed now. */
  readonly sources: ReadonlySet<string>;
  readonly selected: string | null;
  /** The piece of the hinted move. */
  readonly hinted: string | null;
  /** The piece that the Tab key reaches. */
  readonly reached: string | null;
  /** Whether the player has to begin here. */
  readonly isInviting: boolean;
  /** Drag pieces out of the hand. */
  readonly gestures: Gestures;
  readonly pick: (event: MouseEvent, piece: Piece) => void;
  readonly focus: (event: FocusEvent, name: string) => void;
}

export function drawTray(view: HiveView, hand: Hand): TemplateResult {
  const { seat } = hand;
  const reserve = view.reserve[seat] ?? {};
  return html`<div
    class="tray ${hand.isInviting ? "inviting" : ""}"
    role="group"
    aria-label=${texts.hand(seatName(seat))}
    ${pointers(hand.gestures)}
  >
    ${bugsOf(view).map((bug) => slot(view, hand, bug, reserve[bug] ?? 0))}
  </div>`;
}

function slot(view: HiveView, hand: Hand, bug: Bug, count: number): TemplateResult {
  const next = (view.hands[hand.seat] ?? []).map(parsePiece).find((piece) => piece?.bug === bug);
  if (next == null || count === 0) return emptySlot(view, hand.seat, bug);
  const label = texts.inHand(kindName(next), count);
  const isHinted = next.name === hand.hinted ? "hinted" : "";
  if (!hand.sources.has(next.name))
    return html`<span class="slot ${isHinted}" role="img" aria-label=${label}>${face(next, count)}</span>`;
  const isSelected = next.name === hand.selected;
  return html`<button
    class="slot ${isSelected ? "selected" : ""} ${isHinted}"
    data-reach=${next.name}
    data-drag=${next.name}
    tabindex=${next.name === hand.reached ? 0 : -1}
    aria-label=${label}
    aria-pressed=${isSelected}
    @click=${(event: MouseEvent) => {
      hand.pick(event, next);
    }}
    @focus=${(event: FocusEvent) => {
      hand.focus(event, next.name);
    }}
  >
    ${face(next, count)}
  </button>`;
}

function face(piece: Piece, count: number): TemplateResult {
  return html`<svg viewBox=${VIEW_BOX} aria-hidden="true">${drawTile({ ...piece, number: 0 })}</svg>
    ${count === 1 ? nothing : html`<span class="count">${count}</span>`}`;
}

function emptySlot({ queens }: HiveView, seat: number, bug: Bug): TemplateResult {
  const around = bug === "Q" ? (queens[seat] ?? null) : null;
  if (around === null) return html`<span class="slot empty"></span>`;
  const words = texts.queen(seatName(seat), around, AROUND);
  return html`<span
    class="slot siege ${around >= AROUND - 2 ? "tight" : ""}"
    role="img"
    aria-label=${words}
    title=${words}
    >${around}/${AROUND}</span
  >`;
}
