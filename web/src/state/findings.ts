// The page's sentences about how a bot plays: how it loses, and how long it thinks. Pure.
import * as texts from "#texts/bot";
import type { Loss, Thinking } from "../api/ladder";

/** How it lost `loss.games` of its latest `looked` games; the links to examples follow. */
export function lossText({ kind, games, medianPlies, fewestPlies }: Loss, looked: number): string {
  const when = games === 1 ? texts.lostAfter(fewestPlies) : texts.lostHalfAfter(medianPlies, fewestPlies);
  return texts.lost[kind](texts.lostGames(games, looked), when);
}

export function thinkingText({ games, moves, medianMs, slowestMs, slowestPly }: Thinking): string {
  const slowest = secondsText(slowestMs);
  if (moves === 1) return texts.thoughtOnce(slowest, slowestPly);
  return texts.thinks(secondsText(medianMs), moves, games, slowest, slowestPly);
}

/** Up to a second in milliseconds, as a bot that answers at once should not seem to take no time. */
export function secondsText(milliseconds: number): string {
  return milliseconds < 1000 ? texts.milliseconds(milliseconds) : texts.seconds(milliseconds / 1000);
}
