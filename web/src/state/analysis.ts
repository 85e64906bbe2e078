// The state of an analysis, as a fold of its events. Pure; state/analysis-session.ts supplies the events.
import * as formats from "#texts/formats";
import type { Mixture } from "./mixture";
import type { Ending, Judgement, Studied, Summary } from "../api/analysis";
import { worthOf, type Values, type Worth } from "./worth";

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

/** The most samples that a position had. A server may allow fewer than were requested; a move of two actions has more. */
export function mostSamples({ positions }: AnalysisState): number {
  return Math.max(0, ...[...positions.values()].map(({ samples }) => samples));
}

const GRAVITY: readonly Judgement[] = ["inaccuracy", "mistake", "blunder"];

/** The usual annotation symbols for such moves. */
export const SIGNS: Readonly<Record<Judgement, string>> = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/** What the move to a position lost, in games with points; of the seat that lost most. */
export function lossText({ played }: Pick<Studied, "played">): string {
  const points = Math.max(0, ...played.map(({ pointsLost = 0 }) => pointsLost));
  return points === 0 ? "" : `−${formats.decimal(points, 1)}`;
}

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

/** How to play a position in which seats move together; null in other games, and if nobody has to move. */
export function mixtureOf({ policies, bestMove }: Studied): Mixture | null {
  return policies === undefined ? null : { policies, bestMove };
}

/** What a line is worth to all seats; null if there is no such line. */
export function worthInLine(studied: Studied, rank: number): Worth | null {
  const line = studied.lines[rank];
  if (line === undefined) return null;
  const before = worthOf(studied);
  const seat = studied.toAct[0] ?? 0;
  const chance = line.chance ?? null;
  return {
    values: withOwn(before.values, seat, line.value, 2 - before.values.length),
    chances: before.chances === null || chance === null ? null : withOwn(before.chances, seat, chance, 1),
    points: line.points ?? before.points,
  };
}

/** Numbers with another one for a seat; the others change alike, so that all add up to `whole`. */
function withOwn(numbers: Values, seat: number, own: number, whole: number): Values {
  const others = numbers.reduce((sum, number, other) => (other === seat ? sum : sum + number), 0);
  const change = (whole - own - others) / (numbers.length - 1);
  return numbers.map((number, other) => (other === seat ? own : number + change));
}
