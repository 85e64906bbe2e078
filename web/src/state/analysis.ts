// The state of an analysis, as a fold of its events. Pure; state/analysis-session.ts supplies the events.
import type { Mixture } from "./mixture";
import type { Ending, Judgement, Studied, Summary } from "../api/analysis";

/**
 * `starting`: requested, no results yet. `queued`: the server is busy, and the request is repeated in a moment.
 * `running`: results arrive. `lost`: the connection was lost and will be restored. The others are final.
 */
export type Stage = "starting" | "queued" | "running" | "lost" | "done" | "cancelled" | "failed";

export interface AnalysisState {
  readonly stage: Stage;
  /** Why it failed or is repeated, as a sentence; may be empty. */
  readonly problem: string;
  /** By ply. Results of an earlier analysis with another depth stay until this one has reached the ply. */
  readonly positions: ReadonlyMap<number, Studied>;
  /** The plies that this analysis has reached. */
  readonly reached: ReadonlySet<number>;
  /** Empty until the end. */
  readonly summary: readonly Summary[];
}

export const NOT_ANALYSED: AnalysisState = {
  stage: "starting",
  problem: "",
  positions: new Map(),
  reached: new Set(),
  summary: [],
};

export type AnalysisEvent =
  /** Another analysis was started. */
  | { readonly type: "started" }
  | { readonly type: "position"; readonly studied: Studied }
  /** A position was analysed on its own, before the analysis reached it. */
  | { readonly type: "preview"; readonly studied: Studied }
  | { readonly type: "ended"; readonly ending: Ending }
  /** It cannot start or continue now, and is requested again. */
  | { readonly type: "queued"; readonly problem: string }
  | { readonly type: "lost" }
  | { readonly type: "failed"; readonly problem: string };

/** The state after an event. Results stay while the connection is lost; a new result replaces the old one. */
export function advance(state: AnalysisState, event: AnalysisEvent): AnalysisState {
  switch (event.type) {
    case "started":
      return { ...NOT_ANALYSED, positions: state.positions, summary: state.summary };
    case "position":
      return withPosition({ ...state, stage: "running", problem: "" }, event.studied);
    case "preview":
      return previewed(state, event.studied);
    case "ended":
      return ended(state, event.ending);
    case "queued":
      return { ...state, stage: "queued", problem: event.problem };
    case "lost":
      return { ...state, stage: "lost" };
    case "failed":
      return { ...state, stage: "failed", problem: event.problem };
  }
}

function ended(state: AnalysisState, { status, error = "", summary }: Ending): AnalysisState {
  return { ...state, stage: status, problem: error, summary };
}

function withPosition(state: AnalysisState, studied: Studied): AnalysisState {
  return {
    ...state,
    positions: new Map(state.positions).set(studied.ply, studied),
    reached: new Set(state.reached).add(studied.ply),
  };
}

function previewed(state: AnalysisState, studied: Studied): AnalysisState {
  if (state.reached.has(studied.ply)) return state;
  return { ...state, positions: new Map(state.positions).set(studied.ply, studied) };
}

/** Whether no more results follow without a new request. */
export function isOver({ stage }: AnalysisState): boolean {
  return stage === "done" || stage === "cancelled" || stage === "failed";
}

const GRAVITY: readonly Judgement[] = ["inaccuracy", "mistake", "blunder"];

/** The usual annotation symbols for such moves. */
export const SIGNS: Readonly<Record<Judgement, string>> = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/** The judgement of the move to a position; the worst one if several seats moved. */
export function judgementOf({ played }: Studied): Judgement | null {
  const worst = Math.max(...played.map(({ judgement }) => (judgement ? GRAVITY.indexOf(judgement) : -1)));
  return GRAVITY[worst] ?? null;
}

/** The judgements by the ply that the moves led to. */
export function judgementsOf(positions: ReadonlyMap<number, Studied>): ReadonlyMap<number, Judgement> {
  return new Map(
    [...positions.values()].flatMap((studied) => {
      const judgement = judgementOf(studied);
      return judgement === null ? [] : [[studied.ply, judgement] as const];
    }),
  );
}

/** The judgements of each seat's part of the moves, by the ply that they led to and the seat. */
export function judgementsBySeat(
  positions: ReadonlyMap<number, Studied>,
): ReadonlyMap<number, ReadonlyMap<number, Judgement>> {
  const judged = ({ played }: Studied): [number, Judgement][] =>
    played.flatMap(({ seat, judgement }) => (judgement === null ? [] : [[seat, judgement]]));
  return new Map([...positions.values()].map((studied) => [studied.ply, new Map(judged(studied))]));
}

/** The ply of the next move of `seat` after `ply` with this judgement, starting over after the last; null if none. */
export function nextJudged(
  positions: ReadonlyMap<number, Studied>,
  seat: number,
  judgement: Judgement,
  ply: number,
): number | null {
  const plies = [...positions.values()]
    .filter(({ played }) => played.some((move) => move.seat === seat && move.judgement === judgement))
    .map((studied) => studied.ply)
    .toSorted((a, b) => a - b);
  return plies.find((at) => at > ply) ?? plies[0] ?? null;
}

/** Converts a value for the seat to move into one for seat 0, both in [-1, 1]; unchanged if there are more than two. */
export function forSeat0(value: number, toAct: readonly number[], seats: number): number {
  return seats === 2 && toAct[0] === 1 ? -value : value;
}

/** How to play a position in which seats move together; null in other games, and if nobody has to move. */
export function mixtureOf({ policies, bestMove }: Studied): Mixture | null {
  return policies === undefined ? null : { policies, bestMove };
}

/**
 * The values of all seats in a line; null if there is no such line. With more than two seats only the value of the seat to
 * move is known there, so they are those of the position before the line.
 */
export function valuesInLine({ lines, values, toAct }: Studied, rank: number): readonly number[] | null {
  const line = lines[rank];
  if (line === undefined) return null;
  if (values.length > 2) return values;
  const value = forSeat0(line.value, toAct, values.length);
  return [value, -value];
}

/** What `valuesInLine` are worth to each of two seats, in [0, 1]; null if unknown. */
export function chancesInLine({ lines, toAct, values }: Studied, rank: number): readonly number[] | null {
  const chance = lines[rank]?.chance ?? null;
  if (chance === null || values.length > 2) return null;
  const first = toAct[0] === 1 ? 1 - chance : chance;
  return [first, 1 - first];
}

/** What a position is worth to seat 0, from 0 to 1: its chance, or if that is unknown, the share that its value stands for. */
export function shareOf({ chances, values }: Studied): number {
  return chances?.[0] ?? (1 + (values[0] ?? 0)) / 2;
}

/** `+0.32`, `−1.00`, `0.00`. */
export function signed(value: number): string {
  const text = Math.abs(value).toFixed(2);
  if (Number(text) === 0) return text;
  return (value > 0 ? "+" : "−") + text;
}
