// The page's sentences about how a bot plays: how it loses, and how long it thinks. Pure.
import type { Loss, LossKind, Thinking } from "../api/ladder";

const LOST: Readonly<Record<LossKind, string>> = {
  resignation: "Resigned",
  timeout: "Lost on time in",
  disconnection: "Was disconnected in",
  error: "Failed by an error in",
};

/** How it lost `loss.games` of its latest `looked` games; the links to examples follow. */
export function lossText({ kind, games, medianPlies, fewestPlies }: Loss, looked: number): string {
  const when =
    games === 1
      ? `after ${counted(fewestPlies, "move")}`
      : `half of them after at most ${counted(medianPlies, "move")}, the shortest after ${fewestPlies}`;
  const which = looked === 1 ? "its only game" : `${games} of its latest ${looked} games`;
  return `${LOST[kind]} ${which}, ${when}.`;
}

export function thinkingText({ games, moves, medianMs, slowestMs, slowestPly }: Thinking): string {
  const slowest = `${secondsText(slowestMs)}, after ${counted(slowestPly, "move")} of a game`;
  if (moves === 1) return `Thought about its only move with a clock for ${slowest}.`;
  const where = games === 1 ? "its latest game" : `its latest ${games} games`;
  return `Thinks ${secondsText(medianMs)} about a move: the median of ${moves} in ${where}. The slowest took ${slowest}.`;
}

/** Up to a second in milliseconds, as a bot that answers at once should not seem to take no time. */
export function secondsText(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
