// The moves of a game's history, and the rows of a move list. Pure.
//
// A seat that leaves a game that goes on without it is an entry of the history, such as `!1`, but no move and no ply.
import type { Position } from "../api/shapes";

function isMove(entry: string): boolean {
  return !entry.startsWith("!");
}

/** The moves of a history, by ply from 0. */
export function movesOf(history: readonly string[]): readonly string[] {
  return history.filter(isMove);
}

/** The seats that have left a game which went on without them. */
export function leaversIn(history: readonly string[]): readonly number[] {
  return history.filter((entry) => !isMove(entry)).map((entry) => Number(entry.slice(1)));
}

/** The beginning of a history that leads to the position after `ply` moves. */
export function historyUntil(history: readonly string[], ply: number): readonly string[] {
  let played = 0;
  const end = history.findIndex((entry) => isMove(entry) && ++played > ply);
  return end < 0 ? history : history.slice(0, end);
}

/** The seat that made each move, by ply from 0, in a game for `seats` in which they move in turn. */
export function moversOf(history: readonly string[], seats: number): readonly number[] {
  const gone = new Set<number>();
  const movers: number[] = [];
  let next = 0;
  const advance = (): void => {
    for (let step = 0; step < seats && gone.has(next); step++) next = (next + 1) % seats;
  };
  for (const entry of history) {
    if (isMove(entry)) {
      movers.push(next);
      next = (next + 1) % seats;
    } else gone.add(Number(entry.slice(1)));
    advance();
  }
  return movers;
}

export interface MoveRow {
  /** From 1. */
  readonly number: number;
  /** One move per column, fewer in the last row. */
  readonly moves: readonly string[];
}

export function moveRows(moves: readonly string[], columns: number): MoveRow[] {
  return Array.from({ length: Math.ceil(moves.length / columns) }, (_, index) => ({
    number: index + 1,
    moves: moves.slice(index * columns, (index + 1) * columns),
  }));
}

/** A move with its number: `10. Ca3` of the first seat, `10… Cb4` of another. */
export function citation(ply: number, move: string, seats: number): string {
  const dots = (ply - 1) % seats === 0 ? "." : "…";
  return `${Math.ceil(ply / seats)}${dots} ${move}`;
}

/** The legal actions of a seat. Where the seats act together, each has its own. */
export function legalOf(legal: Position["legal"], seat: number): readonly string[] {
  if (Array.isArray(legal)) return legal as readonly string[];
  return (legal as Readonly<Record<string, readonly string[]>>)[seat] ?? [];
}

/** How many rows of a list of moves are in a block. */
const BLOCK = 100;

/**
 * The rows to list: those of the block of row `shown`, of one block before and one after it, and of `more` blocks. So a long
 * game needs no more elements than a usual one. `first` is inclusive, `end` is not.
 */
export function rowsAround(
  shown: number,
  rows: number,
  more: { readonly before: number; readonly after: number },
): { first: number; end: number } {
  const block = Math.floor(shown / BLOCK);
  return {
    first: Math.max(0, block - 1 - more.before) * BLOCK,
    end: Math.min(rows, (block + 2 + more.after) * BLOCK),
  };
}
