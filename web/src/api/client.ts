// The server's calls about one game, one function each.
import { persistently } from "../net/patience";
import { call, type Extras } from "./http";
import type { Created, Game, Joined, NewGame, NextGame, Position } from "./shapes";

export { ApiError, isPassing, sentence } from "./http";
export { getBots, getRules } from "./lists";

export function createGame(wish: NewGame): Promise<Created> {
  return call("POST", "/api/games", { body: wish });
}

/** Which position of the game is asked for. */
export interface Moment {
  /** The beginning of a move: then `legal` is what may follow it. */
  readonly staged?: string;
  /** The position after so many moves; by default the present one. */
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

/** Takes an open seat; `name` is what the player wants to be called, and may be empty. */
export function joinGame(id: string, name: string): Promise<Joined> {
  return call("POST", `${gamePath(id)}/join`, { body: name === "" ? {} : { name } });
}

/** 128 random bits. `crypto.randomUUID` exists on secure pages only, and a house may well be reached by plain HTTP. */
function messageId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");
}

interface Played {
  readonly ply: number;
  readonly position: Position;
}

/**
 * Plays a move. It is sent again when no answer came: the message id makes sure that it is played once.
 * Null: it waits for those of the other players.
 */
export async function playMove(
  id: string,
  token: string,
  move: string,
  expectedPly: number,
): Promise<Position | null> {
  const body = { move, expectedPly, clientMsgId: messageId() };
  const path = `${gamePath(id)}/moves`;
  const answer = await persistently(() => call<Partial<Played>>("POST", path, { token, body }));
  return answer.position ?? null;
}

/** What one player proposes and the others agree to. */
export type Proposal = "takeback" | "draw";

/** Proposes, or agrees to the same proposal of another player. Null: the other players are asked first. */
export async function propose(id: string, token: string, what: Proposal): Promise<Position | null> {
  const answer = await call<Partial<Played>>("POST", `${gamePath(id)}/${what}`, { token, body: {} });
  return answer.position ?? null;
}

/** Proposes another game with the sides changed, or agrees to it. Null: the other players are asked first. */
export async function proposeRematch(id: string, token: string): Promise<NextGame | null> {
  const answer = await call<NextGame | { offer: string }>("POST", `${gamePath(id)}/rematch`, {
    token,
    body: {},
  });
  return "gameId" in answer ? answer : null;
}

/** Rejects the other player's proposal, or withdraws the own one. */
export function reject(id: string, token: string, what: Proposal | "rematch"): Promise<unknown> {
  return call("DELETE", `${gamePath(id)}/${what}`, { token });
}

export async function resign(id: string, token: string): Promise<Position> {
  return (await call<Played>("POST", `${gamePath(id)}/resign`, { token, body: {} })).position;
}

/** Calls the game off; only before the first move. */
export function abort(id: string, token: string): Promise<unknown> {
  return call("POST", `${gamePath(id)}/abort`, { token, body: { token } });
}

/** The address of the game as a file to keep. */
export function recordPath(id: string, format: string): string {
  return `${gamePath(id)}/record?${new URLSearchParams({ format })}`;
}

function gamePath(id: string): string {
  return `/api/games/${encodeURIComponent(id)}`;
}
