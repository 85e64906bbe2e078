// The history of a long game. Frames contain only its last moves; the page keeps the earlier ones. Pure.
import type { Position } from "../api/shapes";

/** The position with its whole history, whose beginning is `known`; null if `known` does not fit. */
export function withHistory(position: Position, known: readonly string[]): Position | null {
  const { historyFrom = 0, ...rest } = position;
  if (historyFrom === 0) return rest;
  const shared = known.slice(historyFrom);
  const follows =
    shared.length > 0 && rest.history.every((move, at) => at >= shared.length || move === shared[at]);
  return follows ? { ...rest, history: [...known.slice(0, historyFrom), ...rest.history] } : null;
}
