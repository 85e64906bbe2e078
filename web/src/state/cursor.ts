// A cursor in a game, or in a line that the engine suggests. Pure. Called by the analysis page.
import type { Line } from "../api/analysis";

export interface Cursor {
  /** The position of the game. */
  readonly ply: number;
  /** A suggested line from there: its rank, and how many of its moves are shown (1 or more). */
  readonly line: { readonly rank: number; readonly depth: number } | null;
}

export type Step = "first" | "back" | "forward" | "last" | "line-up" | "line-down" | "leave";

const KEYS: Readonly<Record<string, Step>> = {
  Home: "first",
  ArrowLeft: "back",
  ArrowRight: "forward",
  End: "last",
  ArrowUp: "line-up",
  ArrowDown: "line-down",
  Escape: "leave",
};

/** The step for a key; null for other keys. */
export function stepOf(key: string): Step | null {
  return KEYS[key] ?? null;
}

/** A position of the game, or the nearest one if the game is shorter. */
export function atPly(ply: number, last: number): Cursor {
  return { ply: Math.max(0, Math.min(ply, last)), line: null };
}

/** The cursor after a step; `last` is the game's last ply, `lines` are the suggestions at the cursor's ply. */
export function walk(cursor: Cursor, step: Step, last: number, lines: readonly Line[]): Cursor {
  switch (step) {
    case "first":
      return atPly(0, last);
    case "last":
      return atPly(last, last);
    case "leave":
      return atPly(cursor.ply, last);
    case "line-up":
    case "line-down":
      return toLine(cursor, step === "line-down" ? 1 : -1, lines);
    case "back":
    case "forward":
      return along(cursor, step === "forward" ? 1 : -1, last, lines);
  }
}

/** Down moves from the game to the first line and to the next ones, up moves back. */
function toLine(cursor: Cursor, by: number, lines: readonly Line[]): Cursor {
  const rank = Math.min((cursor.line?.rank ?? -1) + by, lines.length - 1);
  return rank < 0 ? { ...cursor, line: null } : { ...cursor, line: { rank, depth: 1 } };
}

/** Moves along a line, up to its end; before its first move is the game. */
function along(cursor: Cursor, by: number, last: number, lines: readonly Line[]): Cursor {
  const { ply, line } = cursor;
  if (line === null) return atPly(ply + by, last);
  const depth = Math.min(line.depth + by, lines[line.rank]?.pv.length ?? 0);
  return { ply, line: depth > 0 ? { ...line, depth } : null };
}

/** The moves of the line up to the cursor; none in the game itself. */
export function movesInLine({ line }: Cursor, lines: readonly Line[]): readonly string[] {
  return line === null ? [] : (lines[line.rank]?.pv.slice(0, line.depth) ?? []);
}

/** The next cursors in the current direction, to be fetched ahead. */
export function ahead(from: Cursor, to: Cursor, last: number, count: number): readonly Cursor[] {
  if (to.line !== null) return [];
  const by = to.ply < from.ply ? -1 : 1;
  const plies = [to.ply - by, ...Array.from({ length: count }, (_, index) => to.ply + by * (index + 1))];
  return plies.filter((ply) => ply >= 0 && ply <= last).map((ply) => ({ ply, line: null }));
}
