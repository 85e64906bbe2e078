// Requests for the analysis of games, and the shapes of the answers. Called by state/analysis-session.ts.
import * as texts from "#texts/analysis";
import { ApiError, call, type Extras } from "./http";
import type { Start } from "./positions";
import type { Policy } from "./shapes";

export type Judgement = "inaccuracy" | "mistake" | "blunder";

/** The quality of a seat's move; `loss` is the decrease of its expected score (`chances`, if known), 0 to 1. */
export interface Played {
  readonly seat: number;
  readonly loss: number;
  /** The decrease of its lead; absent in games without points. */
  readonly pointsLost?: number;
  readonly judgement: Judgement | null;
}

/** A candidate move. */
export interface Line {
  readonly move: string;
  readonly visits: number;
  /** For the seat to move, in [-1, 1]. */
  readonly value: number;
  /** The expected continuation in whole moves; the first one is `move`. */
  readonly pv: readonly string[];
  /** What the value is worth to the seat to move, as `chances`; null or absent if unknown. */
  readonly chance?: number | null;
  /** What each seat is expected to have in the end; null or absent in games without points, or if unknown. */
  readonly points?: readonly number[] | null;
}

/** The results for the position after `ply` moves. */
export interface Studied {
  readonly ply: number;
  /** Seats to move. */
  readonly toAct: readonly number[];
  readonly played: readonly Played[];
  /** For each seat, in [-1, 1]. */
  readonly values: readonly number[];
  /** For each seat, in [0, 1]: its expected share of the win; absent if unknown. */
  readonly chances?: readonly number[];
  /** What each seat is expected to have in the end; absent in games without points, or if unknown. */
  readonly points?: readonly number[];
  /** Empty when the game is over. */
  readonly bestMove: string;
  /** One per seat, only where seats move together. */
  readonly policies?: readonly Policy[];
  readonly lines: readonly Line[];
  /** The network or the native evaluator, or `rules` if the game is over. */
  readonly source: string;
  /** Simulations of the search. */
  readonly samples: number;
}

/** How well a seat played; the numbers are null for a seat without moves. */
export interface Summary {
  readonly seat: number;
  /** 0 to 100. */
  readonly accuracy: number | null;
  /** Per move; absent in games without points. */
  readonly meanPointsLost?: number;
  readonly inaccuracies: number;
  readonly mistakes: number;
  readonly blunders: number;
}

/** The end of an analysis. */
export interface Ending {
  readonly status: "done" | "cancelled" | "failed";
  /** Why it failed. */
  readonly error?: string;
  /** When to retry: the reason for the stop is temporary. */
  readonly retryAfterMs?: number;
  readonly summary: readonly Summary[];
}

/** A game created from a record. */
export interface Imported {
  readonly gameId: string;
  /** Sentences about what was ignored or assumed. */
  readonly notes: readonly string[];
}

/** A requested analysis, and the token that withdraws the request. */
export interface Asked {
  readonly analysisId: string;
  readonly token: string;
}

/** Starts the analysis, or joins an identical one; the server stops it when nobody reads its events any more. */
export function askAnalysis(gameId: string, effort: Effort): Promise<Asked> {
  return ask("/api/analysis", { gameId, ...effort });
}

/** Withdraws the request. If that fails, the server notices that nobody reads the events. */
export async function withdrawAnalysis({ analysisId, token }: Asked): Promise<void> {
  try {
    await call("DELETE", `/api/analysis/${encodeURIComponent(analysisId)}`, { token });
  } catch {
    // The analysis is over, or the server is unreachable.
  }
}

/**
 * How thorough the analysis is; by default as for evaluation bars. `analyst`: the id of the bot that evaluates in place
 * of the server's engine, with as many samples as it likes.
 */
export interface Effort {
  readonly samples?: number;
  readonly multipv?: number;
  readonly analyst?: string;
}

/** The results for a single position; null if the analysis was stopped. */
export async function analysePly(
  gameId: string,
  ply: number,
  effort: Effort = {},
  where: Pick<Extras, "server"> = {},
): Promise<Studied | null> {
  const body = { gameId, ...effort, fromPly: ply, toPly: ply };
  return (await results(body, where))[0] ?? null;
}

/** The results for the position after `moves`, the last of `ply`, in no game; null if the analysis was stopped. */
export async function analysePosition(
  { game, variant, config = {} }: Start,
  moves: readonly string[],
  ply: number,
  effort: Effort,
  where: Pick<Extras, "signal"> = {},
): Promise<Studied | null> {
  const start = { game, config, ...(variant === undefined ? {} : { variant }) };
  const body = { ...start, moves, ...effort, fromPly: ply, toPly: ply };
  return (await results(body, where))[0] ?? null;
}

/** The same with what the last of the moves lost. */
export async function analyseLastMove(
  { game, variant, config = {} }: Start,
  moves: readonly string[],
  ply: number,
  effort: Effort,
): Promise<Studied | null> {
  const start = { game, config, ...(variant === undefined ? {} : { variant }) };
  const body = { ...start, moves, ...effort, fromPly: ply - 1, toPly: ply };
  return (await results(body))[1] ?? null;
}

/** What a whole analysis answers. */
interface Results {
  readonly status: "done" | "cancelled" | "failed";
  readonly error?: string;
  readonly positions: readonly Studied[];
}

/** The positions that an analysis has got to; throws an error if it failed. */
async function results(body: AnalysisBody, where: Extras = {}): Promise<readonly Studied[]> {
  const { status, error, positions } = await ask<Results>("/api/analysis?wait=1", body, where);
  if (status === "failed") throw new Error(error ?? texts.hasFailed);
  return positions;
}

interface AnalysisBody extends Effort, Partial<Start> {
  readonly gameId?: string;
  readonly moves?: readonly string[];
  readonly fromPly?: number;
  readonly toPly?: number;
}

/** Requests an analysis, with fewer samples if these exceed the limit of the game. */
async function ask<Answer>(path: string, body: AnalysisBody, where: Extras = {}): Promise<Answer> {
  try {
    return await call<Answer>("POST", path, { body, ...where });
  } catch (error) {
    const limit = error instanceof ApiError && error.code === "over-limit" ? error.limit : null;
    if (limit === null || limit < 1 || limit >= (body.samples ?? 0)) throw error;
    return await call<Answer>("POST", path, { body: { ...body, samples: limit }, ...where });
  }
}

/** The address of the stream of events. */
export function eventsPath(analysisId: string): string {
  return `/api/analysis/${encodeURIComponent(analysisId)}/events`;
}

/**
 * Imports a record, in any of the formats that the server reads, as a game that no list shows; of `plies` moves if that
 * is given.
 */
export function importRecord(text: string, plies?: number): Promise<Imported> {
  const only = plies === undefined ? {} : { plies };
  return call("POST", "/api/games/import", { body: { format: "auto", text, listed: false, ...only } });
}

/** The address of a game's record. */
export function recordPath(gameId: string, format: string): string {
  return `/api/games/${encodeURIComponent(gameId)}/record?${new URLSearchParams({ format })}`;
}
