// How the seats of a simultaneous game should play: a policy for each of them, since equally good moves are best mixed.
// Pure. Used by the evaluation feed and the analysis, and drawn by <move-policies>.
import type { Policy } from "../api/shapes";
import { partsOf } from "./turns";

/** One policy per seat, and the joint move that the engine would play (`UP/LEFT`); empty if it is not known. */
export interface Mixture {
  readonly policies: readonly Policy[];
  readonly bestMove: string;
}

/** A move of a seat with its probability, in 0..1. */
export interface Share {
  readonly move: string;
  readonly share: number;
  /** Whether it is the seat's part of the best move. */
  readonly isBest: boolean;
}

/** Below this, a move is not shown: it would read 0 %. */
const LEAST_SHARE = 0.005;

/** The most probable moves of a seat, at most `most` of them, most probable first. */
export function topMoves({ policies, bestMove }: Mixture, seat: number, most: number): Share[] {
  const best = partsOf(bestMove)[seat];
  return Object.entries(policies[seat] ?? {})
    .map(([move, share]) => ({ move, share, isBest: move === best }))
    .filter(({ share }) => share >= LEAST_SHARE)
    .toSorted((a, b) => b.share - a.share || Number(b.isBest) - Number(a.isBest))
    .slice(0, most);
}

/** `60 %`. */
export function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
