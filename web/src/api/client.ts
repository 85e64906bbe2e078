// The server's HTTP calls, one function each. Refusals and lost connections become ApiError with a sentence to show.
import { backOff } from "../net/retry";
import type { Board, Bot, Created, Game, GameRules, Joined, NewGame, Position } from "./shapes";

const MOVE_ATTEMPTS = 5;

export class ApiError extends Error {
  constructor(
    text: string,
    /** From the server's closed list; "offline" when there was no answer. */
    readonly code: string,
    /** The game as it is now, when the request was about an older one. */
    readonly position: Position | null = null,
  ) {
    super(text);
  }
}

/** What to tell the user about anything that was thrown. */
export function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export async function getRules(): Promise<readonly GameRules[]> {
  const { games } = await call<{ games: readonly GameRules[] }>("GET", "/api/rules");
  return games;
}

/** The bots, built-in and attached, that play this variant, on this board where the game has a choice of them. */
export async function getBots(game: string, variant: string, board: Board | null): Promise<readonly Bot[]> {
  const query = new URLSearchParams({ game, variant });
  for (const [member, size] of Object.entries(board ?? {})) query.set(member, String(size));
  const { bots } = await call<{ bots: readonly Bot[] }>("GET", `/api/bots?${query}`);
  return bots;
}

export function createGame(wish: NewGame): Promise<Created> {
  return call("POST", "/api/games", { body: wish });
}

/** With `staged`, the beginning of a move, `legal` is what may follow it. */
export function getGame(id: string, token: string | null, staged = ""): Promise<Game> {
  const query = staged === "" ? "" : `?${new URLSearchParams({ staged })}`;
  return call("GET", gamePath(id) + query, { token });
}

export function joinGame(id: string): Promise<Joined> {
  return call("POST", `${gamePath(id)}/join`, { body: {} });
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
  for (let attempt = 0; ; attempt++) {
    try {
      const answer = await call<Partial<Played>>("POST", `${gamePath(id)}/moves`, { token, body });
      return answer.position ?? null;
    } catch (error) {
      if (!isPassing(error) || attempt + 1 === MOVE_ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, backOff(attempt, Math.random())));
    }
  }
}

/** Null: the other players are asked first. */
export async function takeBack(id: string, token: string): Promise<Position | null> {
  const answer = await call<Partial<Played>>("POST", `${gamePath(id)}/takeback`, { token, body: {} });
  return answer.position ?? null;
}

/** Rejects the other player's wish to take back, or withdraws the own one. */
export function refuseTakeBack(id: string, token: string): Promise<unknown> {
  return call("DELETE", `${gamePath(id)}/takeback`, { token });
}

export async function resign(id: string, token: string): Promise<Position> {
  return (await call<Played>("POST", `${gamePath(id)}/resign`, { token, body: {} })).position;
}

function gamePath(id: string): string {
  return `/api/games/${encodeURIComponent(id)}`;
}

function isPassing(error: unknown): boolean {
  return error instanceof ApiError && ["offline", "unavailable"].includes(error.code);
}

interface Extras {
  readonly token?: string | null;
  readonly body?: unknown;
}

async function call<Answer>(method: string, path: string, { token, body }: Extras = {}): Promise<Answer> {
  const headers = new Headers({ Accept: "application/json" });
  if (token != null) headers.set("Authorization", `Bearer ${token}`);
  if (body !== undefined) headers.set("Content-Type", "application/json");
  const content = body === undefined ? null : JSON.stringify(body);
  const response = await reach(path, { method, headers, body: content });
  if (!response.ok) throw await refusal(response);
  return (response.status === 204 ? {} : await response.json()) as Answer;
}

async function reach(path: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(path, request);
  } catch {
    throw new ApiError("The server does not answer.", "offline");
  }
}

async function refusal(response: Response): Promise<ApiError> {
  try {
    const body = (await response.json()) as { error: string; code: string; position?: Position };
    return new ApiError(body.error, body.code, body.position);
  } catch {
    return new ApiError(`The server answered with an error (${response.status}).`, "unreadable");
  }
}
