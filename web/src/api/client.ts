// Requests about one game, one function each.
import { call, type Extras } from "./http";
import type { Created, Game, Joined, NewGame, NextGame, Position } from "./shapes";

export { ApiError, isPassing, sentence } from "./http";
export { getBots, getRules } from "./lists";

export function createGame(game: NewGame): Promise<Created> {
  return call("POST", "/api/games", { body: game });
}

/** Which position of the game to get. */
export interface Moment {
  /** The beginning of a move; `legal` then contains its continuations. */
  readonly staged?: string;
  /** The position after so many moves; by default the current one. */
  readonly ply?: number;
}

export function getGame(
  id: string,
  { staged = "", ply, ...extras }: Moment & Pick<Extras, "token" | "server"> = {},
): Promise<Game> {
  const query = new URLSearchParams();
  if (staged !== "") query.set("staged", staged);
  if (ply !== undefined) query.set("ply", String(ply));
  const text = query.toString();
  return call("GET", gamePath(id) + (text === "" ? "" : `?${text}`), extras);
}

/** Takes an open seat; `name` is the player's name and may be empty. */
export function joinGame(id: string, name: string): Promise<Joined> {
  return call("POST", `${gamePath(id)}/join`, { body: name === "" ? {} : { name } });
}

interface Played {
  readonly ply: number;
  readonly position: Position;
}

/** What one player can propose during a game and the others can accept. */
export type Proposal = "takeback" | "draw";

/** Makes an offer, or accepts the same offer of another player. Null if the other players have to accept first. */
export async function propose(id: string, token: string, what: Proposal): Promise<Position | null> {
  const answer = await call<Partial<Played>>("POST", `${gamePath(id)}/${what}`, { token, body: {} });
  return answer.position ?? null;
}

/** Offers a rematch with sides swapped, or accepts one. Null if the other players have to accept first. */
export async function proposeRematch(id: string, token: string): Promise<NextGame | null> {
  const answer = await call<NextGame | { offer: string }>("POST", `${gamePath(id)}/rematch`, {
    token,
    body: {},
  });
  return "gameId" in answer ? answer : null;
}

/** Rejects another player's offer, or withdraws one's own. */
export function reject(id: string, token: string, what: Proposal | "rematch"): Promise<unknown> {
  return call("DELETE", `${gamePath(id)}/${what}`, { token });
}

export async function resign(id: string, token: string): Promise<Position> {
  return (await call<Played>("POST", `${gamePath(id)}/resign`, { token, body: {} })).position;
}

/** What a player claims whom an absent player keeps waiting. */
export type Claim = "win" | "draw";

export async function claim(id: string, token: string, kind: Claim): Promise<Position> {
  return (await call<Played>("POST", `${gamePath(id)}/claim`, { token, body: { kind } })).position;
}

/** Aborts the game; only possible before the first move. */
export function abort(id: string, token: string): Promise<unknown> {
  return call("POST", `${gamePath(id)}/abort`, { token, body: { token } });
}

/** The address of the game's record for download. */
export function recordPath(id: string, format: string): string {
  return `${gamePath(id)}/record?${new URLSearchParams({ format })}`;
}

function gamePath(id: string): string {
  return `/api/games/${encodeURIComponent(id)}`;
}
