// The server's calls for the analysis of games, and the shapes of what they answer. Called by state/analysis-session.ts.
import { ApiError, call, type Extras } from "./http";
import type { Game, Position } from "./shapes";

export type Judgement = "inaccuracy" | "mistake" | "blunder";

/** How the move to a position was for a seat that made it; `loss` is what its winning chance fell by, 0 to 1. */
export interface Played {
  readonly seat: number;
  readonly loss: number;
  readonly judgement: Judgement | null;
}

/** A candidate move. */
export interface Line {
  readonly move: string;
  readonly visits: number;
  /** For the seat to move, in [-1, 1]. */
  readonly value: number;
  /** How it may go on, in whole moves; the first one is `move`. */
  readonly pv: readonly string[];
}

/** What was found about the position after `ply` moves. */
export interface Studied {
  readonly ply: number;
  /** Seats to move. */
  readonly toAct: readonly number[];
  readonly played: readonly Played[];
  /** For seat 0, in [-1, 1]. */
  readonly evaluation: number;
  /** For each seat, in [-1, 1]. */
  readonly values: readonly number[];
  /** Empty when the game is over. */
  readonly bestMove: string;
  readonly lines: readonly Line[];
}

/** How a seat played; the numbers are null for a seat that has made no move. */
export interface Summary {
  readonly seat: number;
  /** 0 to 100. */
  readonly accuracy: number | null;
  readonly inaccuracies: number;
  readonly mistakes: number;
  readonly blunders: number;
}

/** The end of an analysis. */
export interface Ending {
  readonly status: "done" | "cancelled" | "failed";
  /** Why it failed. */
  readonly error?: string;
  /** Ask again then: it was stopped for a reason that passes. */
  readonly retryAfterMs?: number;
  readonly summary: readonly Summary[];
}

/** A game that was made of a record. */
export interface Imported {
  readonly gameId: string;
  /** Sentences about what was passed over or assumed. */
  readonly notes: readonly string[];
}

/** An analysis that was asked for, and the token that withdraws the question. */
export interface Asked {
  readonly analysisId: string;
  readonly token: string;
}

/** Begins the analysis, or finds the same one; the server stops it when nobody reads its events any more. */
export function askAnalysis(gameId: string, samples: number, multipv: number): Promise<Asked> {
  return ask("/api/analysis", { gameId, samples, multipv });
}

/** Nobody here reads the analysis any more. Where that cannot be said, the server finds out by itself. */
export async function withdrawAnalysis({ analysisId, token }: Asked): Promise<void> {
  try {
    await call("DELETE", `/api/analysis/${encodeURIComponent(analysisId)}`, { token });
  } catch {
    // It is over, or the server is away.
  }
}

/** How thoroughly; by default as the server does it for evaluation bars. */
interface Effort {
  readonly samples?: number;
  readonly multipv?: number;
}

/** What is found about one position by itself; null where the analysis was stopped. */
export async function analysePly(
  gameId: string,
  ply: number,
  effort: Effort = {},
  where: Pick<Extras, "server"> = {},
): Promise<Studied | null> {
  const wish = { gameId, ...effort, fromPly: ply, toPly: ply };
  const { positions } = await ask<{ positions: readonly Studied[] }>("/api/analysis?wait=1", wish, where);
  return positions[0] ?? null;
}

interface Wish extends Effort {
  readonly gameId: string;
  readonly fromPly?: number;
  readonly toPly?: number;
}

/** Asks with fewer samples where these are more than such a game may have. */
async function ask<Answer>(path: string, wish: Wish, where: Extras = {}): Promise<Answer> {
  try {
    return await call<Answer>("POST", path, { body: wish, ...where });
  } catch (error) {
    const limit = error instanceof ApiError && error.code === "over-limit" ? error.limit : null;
    if (limit === null || limit < 1 || limit >= (wish.samples ?? 0)) throw error;
    return await call<Answer>("POST", path, { body: { ...wish, samples: limit }, ...where });
  }
}

/** The address of the stream of events. */
export function eventsPath(analysisId: string): string {
  return `/api/analysis/${encodeURIComponent(analysisId)}/events`;
}

/** The position after any moves from the start of `game`. */
export async function getPositionAfter(game: Game, moves: readonly string[]): Promise<Position> {
  const body = { game: game.game, variant: game.variant, config: game.config, moves };
  return (await call<{ position: Position }>("POST", "/api/positions", { body })).position;
}

/** Makes a game of a record in any of the formats that the server reads. */
export function importRecord(text: string): Promise<Imported> {
  return call("POST", "/api/games/import", { body: { format: "auto", text } });
}

/** Where the record of a game can be had. */
export function recordPath(gameId: string, format: string): string {
  return `/api/games/${encodeURIComponent(gameId)}/record?${new URLSearchParams({ format })}`;
}
