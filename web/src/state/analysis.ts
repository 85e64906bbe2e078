// What is known of an analysis, as the fold of what happens to it. Pure; state/analysis-session.ts makes things happen.
import type { Ending, Judgement, Studied, Summary } from "../api/analysis";

/**
 * `starting`: asked for, nothing known yet. `queued`: the server is busy and is asked again in a moment.
 * `running`: positions come in. `lost`: the connection is, and comes back by itself. The others are ends.
 */
export type Stage = "starting" | "queued" | "running" | "lost" | "done" | "cancelled" | "failed";

export interface AnalysisState {
  readonly stage: Stage;
  /** Why it failed or is asked for again, as a sentence; empty where there is nothing to say. */
  readonly problem: string;
  /** By ply. What an earlier analysis of another depth found stays until this one has come to it. */
  readonly positions: ReadonlyMap<number, Studied>;
  /** The plies that this analysis has come to. */
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

export type Happening =
  /** Another analysis begins. */
  | { readonly type: "started" }
  | { readonly type: "position"; readonly studied: Studied }
  /** A position was analysed by itself, before the analysis has come to it. */
  | { readonly type: "preview"; readonly studied: Studied }
  | { readonly type: "ended"; readonly ending: Ending }
  /** It cannot begin or go on for now, and is asked for again. */
  | { readonly type: "queued"; readonly problem: string }
  | { readonly type: "lost" }
  | { readonly type: "failed"; readonly problem: string };

/** What came stays while the connection is away; a position that comes again replaces the old one. */
export function advance(state: AnalysisState, happening: Happening): AnalysisState {
  switch (happening.type) {
    case "started":
      return { ...NOT_ANALYSED, positions: state.positions, summary: state.summary };
    case "position":
      return withPosition({ ...state, stage: "running", problem: "" }, happening.studied);
    case "preview":
      return previewed(state, happening.studied);
    case "ended":
      return ended(state, happening.ending);
    case "queued":
      return { ...state, stage: "queued", problem: happening.problem };
    case "lost":
      return { ...state, stage: "lost" };
    case "failed":
      return { ...state, stage: "failed", problem: happening.problem };
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

/** Whether nothing more comes unless somebody asks. */
export function isOver({ stage }: AnalysisState): boolean {
  return stage === "done" || stage === "cancelled" || stage === "failed";
}

const GRAVITY: readonly Judgement[] = ["inaccuracy", "mistake", "blunder"];

/** The signs that people put behind such moves. */
export const SIGNS: Readonly<Record<Judgement, string>> = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/** What the move to a position counts as; where several seats made it, the worst. */
export function judgementOf({ played }: Studied): Judgement | null {
  const worst = Math.max(...played.map(({ judgement }) => (judgement ? GRAVITY.indexOf(judgement) : -1)));
  return GRAVITY[worst] ?? null;
}

/** The judged moves by the ply that they led to. */
export function judgementsOf(positions: ReadonlyMap<number, Studied>): ReadonlyMap<number, Judgement> {
  return new Map(
    [...positions.values()].flatMap((studied) => {
      const judgement = judgementOf(studied);
      return judgement === null ? [] : [[studied.ply, judgement] as const];
    }),
  );
}

/** The next move of `seat` after `ply` that counts as `judgement`, from the start again after the last; null: none. */
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

/** A value of the seat to move as one of seat 0; both in [-1, 1]. Games of more seats show it as it is. */
export function forSeat0(value: number, toAct: readonly number[], seats: number): number {
  return seats === 2 && toAct[0] === 1 ? -value : value;
}

/** `+0.32`, `−1.00`, `0.00`. */
export function signed(value: number): string {
  const text = Math.abs(value).toFixed(2);
  if (Number(text) === 0) return text;
  return (value > 0 ? "+" : "−") + text;
}
