// Requests for lists: games of the catalogue, bots, and played games.
import { call, type Extras } from "./http";
import type { Board, Bot, GameRules, PastGame, WaitingGame } from "./shapes";

export async function getRules(where: Pick<Extras, "server"> = {}): Promise<readonly GameRules[]> {
  const { games } = await call<{ games: readonly GameRules[] }>("GET", "/api/rules", where);
  return games;
}

/**
 * The bots, built-in and attached, that anyone can play in this variant, on this board if the game has a choice of
 * boards. Those of UHP play games of the ladder only.
 */
export async function getBots(game: string, variant: string, board: Board | null): Promise<readonly Bot[]> {
  const query = new URLSearchParams({ game, variant });
  for (const [member, size] of Object.entries(board ?? {})) query.set(member, String(size));
  const { bots } = await call<{ bots: readonly Bot[] }>("GET", `/api/bots?${query}`);
  return bots.filter(({ protocol }) => protocol !== "uhp");
}

/** The games that anyone can join, including games of all kinds. */
export async function getWaiting(): Promise<readonly WaitingGame[]> {
  const { games } = await call<{ games: readonly WaitingGame[] }>("GET", "/api/games/matchmaking?ext=1");
  return games;
}

/** A page of finished games, newest first; `cursor` requests the next one. */
export interface PastPage {
  readonly games: readonly PastGame[];
  readonly cursor?: string;
}

/** `game`: the only kind of games; empty for all. */
export function getPast(game: string, cursor: string | null): Promise<PastPage> {
  const query = new URLSearchParams({ status: "finished" });
  if (game !== "") query.set("game", game);
  if (cursor !== null) query.set("cursor", cursor);
  return call("GET", `/api/games?${query}`);
}

/** How many are here now: players and spectators, attached bots, and live games in the list. */
export interface Here {
  readonly people: number;
  readonly bots: number;
  readonly games: number;
}

export function getHere(): Promise<Here> {
  return call("GET", "/api/here");
}
