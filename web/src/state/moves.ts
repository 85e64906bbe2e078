// A game's history as the rows of a move list. Pure.

export interface MoveRow {
  /** From 1. */
  readonly number: number;
  /** One move a seat, fewer in the last row. */
  readonly moves: readonly string[];
}

export function moveRows(history: readonly string[], seats: number): MoveRow[] {
  return Array.from({ length: Math.ceil(history.length / seats) }, (_, index) => ({
    number: index + 1,
    moves: history.slice(index * seats, (index + 1) * seats),
  }));
}

/** A move as people cite it: `10. Ca3` of the first seat, `10… Cb4` of another. */
export function citation(ply: number, move: string, seats: number): string {
  const dots = (ply - 1) % seats === 0 ? "." : "…";
  return `${Math.ceil(ply / seats)}${dots} ${move}`;
}
