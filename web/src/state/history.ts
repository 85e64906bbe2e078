// The history of a long game. Frames of one have its last moves alone, and the page has those before. Pure.
import type { Position } from "../api/shapes";

/** The position with its whole history, of which `known` was told before; null where `known` does not lead up to it. */
export function withHistory(position: Position, known: readonly string[]): Position | null {
  const { historyFrom = 0, ...rest } = position;
  if (historyFrom === 0) return rest;
  const shared = known.slice(historyFrom);
  const follows =
    shared.length > 0 && rest.history.every((move, at) => at >= shared.length || move === shared[at]);
  return follows ? { ...rest, history: [...known.slice(0, historyFrom), ...rest.history] } : null;
}
