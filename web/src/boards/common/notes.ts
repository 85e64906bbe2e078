// Arrows and circles that a person draws over the board with the right mouse button, to think: a drag draws an arrow from
// cell to cell, a click a circle, and the same again removes it. A click with the left button removes all. Called by the
// gestures, and drawn by the board elements.
import { css, svg, type SVGTemplateResult } from "lit";
import type { Point } from "./arrows";

interface Note {
  readonly from: Point;
  /** The same as `from` for a circle. */
  readonly to: Point;
}

export interface Notebook {
  /** The middle of the cell under the pointer; null beside the board. */
  cellUnder(event: MouseEvent): Point | null;
  onChange(): void;
}

export class Notes {
  private notes: readonly Note[] = [];
  private draft: Note | null = null;

  constructor(private readonly book: Notebook) {}

  begin(event: PointerEvent): void {
    const at = this.book.cellUnder(event);
    if (at !== null) this.update(this.notes, { from: at, to: at });
  }

  move(event: PointerEvent): void {
    const to = this.draft === null ? null : this.book.cellUnder(event);
    if (this.draft === null || to === null || isSame(to, this.draft.to)) return;
    this.update(this.notes, { ...this.draft, to });
  }

  end(): void {
    const { draft } = this;
    if (draft === null) return;
    const others = this.notes.filter(({ from, to }) => !isSame(from, draft.from) || !isSame(to, draft.to));
    this.update(others.length < this.notes.length ? others : [...others, draft], null);
  }

  clear(): void {
    if (this.notes.length > 0 || this.draft !== null) this.update([], null);
  }

  private update(notes: readonly Note[], draft: Note | null): void {
    [this.notes, this.draft] = [notes, draft];
    this.book.onChange();
  }

  /** `cell`: the width of a cell. */
  draw(cell: number): SVGTemplateResult {
    const all = this.draft === null ? this.notes : [...this.notes, this.draft];
    return svg`<g class="notes" aria-hidden="true">${all.map((note) => drawNote(note, cell))}</g>`;
  }
}

function drawNote({ from, to }: Note, cell: number): SVGTemplateResult {
  const width = 0.11 * cell;
  if (isSame(from, to))
    return svg`<circle cx=${from.x} cy=${from.y} r=${0.43 * cell} stroke-width=${0.7 * width}/>`;
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const turn = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
  const neck = length - 2.6 * width;
  return svg`<g transform="translate(${from.x} ${from.y}) rotate(${turn})">
    <path class="shaft" d="M${0.2 * cell} 0H${neck}" stroke-width=${width}/>
    <path class="tip" d="M${neck} ${-1.6 * width}L${length} 0L${neck} ${1.6 * width}Z"/>
  </g>`;
}

function isSame(one: Point, other: Point): boolean {
  return Math.hypot(one.x - other.x, one.y - other.y) < 0.001;
}

export const noteStyles = css`
  .notes {
    pointer-events: none;
    opacity: 0.75;
    --note: light-dark(#e08a00, #f5b13d);
  }
  .notes circle,
  .notes .shaft {
    fill: none;
    stroke: var(--note);
  }
  .notes .tip {
    fill: var(--note);
    stroke: none;
  }
`;
