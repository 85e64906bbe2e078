// The moves of a seat that lost most, as an analysis has found them, to be tried again. Pure.
import * as texts from "#texts/analysis";
import * as formats from "#texts/formats";
import type { Line, Played, Studied } from "../api/analysis";
import type { Position } from "../api/shapes";
import { legalOf } from "./moves";
import type { Frame } from "./own-move";
import { leadOf } from "./worth";

/** How many of them are asked. */
const MOST = 10;

/** How much worse than the best line a known line may be to be accepted at once: of the expected score, and in points. */
const NEARLY_NOTHING = { chance: 0.005, points: 0.1 };

export interface Mistake {
  readonly seat: number;
  /** The number of moves before it. */
  readonly ply: number;
  /** As recorded, with the parts of other seats. */
  readonly recorded: string;
  /** The seat's own part. */
  readonly move: string;
  readonly played: Played;
  /** The results for the position before it. */
  readonly before: Studied;
}

/** The worst mistakes of a seat, in the order of the game; `moves` by ply from 0. */
export function mistakesOf(
  positions: ReadonlyMap<number, Studied>,
  moves: readonly string[],
  seat: number,
): readonly Mistake[] {
  const found = moves.flatMap((recorded, ply): Mistake[] => {
    const before = positions.get(ply);
    const played = positions.get(ply + 1)?.played.find((one) => one.seat === seat);
    if (before === undefined || played === undefined || played.judgement === null) return [];
    return [{ seat, ply, recorded, move: partOf(recorded, before.toAct, seat), played, before }];
  });
  const worst = found.toSorted((one, other) => lossOf(other.played) - lossOf(one.played)).slice(0, MOST);
  return worst.toSorted((one, other) => one.ply - other.ply);
}

/** In points where there are any, which are never mixed with losses of the expected score. */
function lossOf({ loss, pointsLost }: Played): number {
  return pointsLost ?? loss;
}

/** What a move loses: `3.2 points`, or `12 %` of the expected score. Empty if it loses nothing. */
export function lossIn({ loss, pointsLost }: Played): string {
  if (pointsLost !== undefined) return pointsLost < 0.05 ? "" : texts.lostPoints(pointsLost);
  return loss < 0.005 ? "" : formats.percent(Math.round(100 * loss));
}

/** A seat's part of a move. */
export function partOf(move: string, toAct: readonly number[], seat: number): string {
  return toAct.length > 1 ? (move.split("/")[toAct.indexOf(seat)] ?? "") : move;
}

/** What stands around the seat's part in the recorded move: the parts of others, or what the move revealed. */
export function frameOf({ recorded, seat }: Mistake, { toAct, legal }: Position): Frame {
  if (toAct.length > 1) {
    const parts = recorded.split("/");
    const own = toAct.indexOf(seat);
    const [before, after] = [parts.slice(0, own), parts.slice(own + 1)];
    return [before.map((part) => `${part}/`).join(""), after.map((part) => `/${part}`).join("")];
  }
  return ["", tailOf(recorded, legalOf(legal, seat))];
}

/** A tail is separated from the move by a space; moves may contain spaces as well. */
function tailOf(recorded: string, legal: readonly string[]): string {
  if (legal.includes(recorded)) return "";
  const beginnings = legal.filter((move) => recorded.startsWith(`${move} `));
  const [longest = recorded] = beginnings.toSorted((one, other) => other.length - one.length);
  return recorded.slice(longest.length);
}

/** Whether the analysis already knows that a move of the seat is as good as the best one. */
export function isKnownGood({ before, seat }: Mistake, move: string): boolean {
  const { bestMove, toAct, policies, lines } = before;
  if (partOf(bestMove, toAct, seat) === move) return true;
  if (policies !== undefined) return false;
  const line = lines.find((one) => one.move === move);
  const best = lines[0];
  return line !== undefined && best !== undefined && isNearly(line, best, seat);
}

function isNearly(line: Line, best: Line, seat: number): boolean {
  const chance = (best.chance ?? (best.value + 1) / 2) - (line.chance ?? (line.value + 1) / 2);
  const points =
    best.points == null || line.points == null ? 0 : leadOf(best.points, seat) - leadOf(line.points, seat);
  return chance <= NEARLY_NOTHING.chance && points <= NEARLY_NOTHING.points;
}
