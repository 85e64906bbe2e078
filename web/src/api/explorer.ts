// Requests for what was played from a position.
import { call, type Extras } from "./http";
import type { Start } from "./positions";
import type { PastGame } from "./shapes";

/** The results of some games. */
export interface OpeningTally {
  readonly games: number;
  readonly draws: number;
  /** Of each seat. */
  readonly wins: readonly number[];
  /** The mean of each seat; null if no game ended with points. */
  readonly points: readonly number[] | null;
}

export interface ExploredMove extends OpeningTally {
  readonly move: string;
  /** The latest game with the move; null if there is none to show. */
  readonly gameId: string | null;
}

export interface Explored extends OpeningTally {
  readonly ply: number;
  /** Only so many moves of a game are counted. */
  readonly depth: number;
  /** Those of most games, these first. */
  readonly moves: readonly ExploredMove[];
  readonly latest: readonly PastGame[];
  /** How the games of self-play were played; null elsewhere. */
  readonly made: { readonly level: string; readonly games: number } | null;
}

/** Which games: those that came with Plyhouse, or those of this server, of everybody or `by` some. */
export interface Source {
  readonly source: "server" | "engine";
  readonly by?: string;
}

export function explore(
  { game, variant, config = {} }: Start,
  moves: readonly string[],
  source: Source,
  where: Pick<Extras, "signal"> = {},
): Promise<Explored> {
  const start = { game, config, ...(variant === undefined ? {} : { variant }) };
  return call("POST", "/api/explorer", { body: { ...start, moves, ...source }, ...where });
}
