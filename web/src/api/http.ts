// Sends requests to the server. Errors and lost connections become an ApiError with a sentence to show.
// Called by the other files here, which have one function per request.
import * as texts from "#texts/server";
import { lineSignal } from "../net/line";
import type { Position } from "./shapes";

export class ApiError extends Error {
  constructor(
    text: string,
    /** One of the server's codes; "offline" if there was no answer. */
    readonly code: string,
    /** The current position of the game, if the request was about an older one. */
    readonly position: Position | null = null,
    /** When to retry, in milliseconds, if the server says so. */
    readonly retryAfterMs: number | null = null,
    /** The limit that was exceeded, if any. */
    readonly limit: number | null = null,
    /** The number of moves before the one that is illegal, if one is. */
    readonly ply: number | null = null,
  ) {
    super(text);
  }
}

/** The sentence to show for anything that was thrown. */
export function sentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Whether the same request may succeed in a moment. */
export function isPassing(error: unknown): boolean {
  return error instanceof ApiError && ["offline", "unavailable", "too-many-requests"].includes(error.code);
}

/** Why the rules refuse a move: what the server answers to a request for it, as a sentence; null if they allow it. */
export async function whyRefused(request: () => Promise<unknown>, move: string): Promise<string | null> {
  try {
    await request();
    return null;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "illegal-move") throw error;
    const why = sentence(error).replace(`${move}: `, "");
    return why.charAt(0).toUpperCase() + why.slice(1);
  }
}

export interface Extras {
  readonly token?: string | null;
  readonly body?: unknown;
  /** Origin of the server; by default the page's. */
  readonly server?: string;
  /** Abandons the request. */
  readonly signal?: AbortSignal;
}

export async function call<Answer>(
  method: string,
  path: string,
  { token, body, server = "", signal: own }: Extras = {},
): Promise<Answer> {
  const headers = new Headers({ Accept: "application/json" });
  if (token != null) headers.set("Authorization", `Bearer ${token}`);
  if (body !== undefined) headers.set("Content-Type", "application/json");
  const content = body === undefined ? null : JSON.stringify(body);
  const line = lineSignal(method);
  const signal = own === undefined ? line : AbortSignal.any([line, own]);
  const response = await reach(server + path, { method, headers, body: content, signal });
  if (!response.ok) throw await refusal(response);
  if (response.status === 204) return {} as Answer;
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json") ?? false;
  return (await (isJson ? response.json() : response.text())) as Answer;
}

async function reach(path: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(path, request);
  } catch {
    throw new ApiError(texts.silent, "offline");
  }
}

/** The body of an answer or frame that refuses a request. */
export interface Refusal {
  readonly error: string;
  readonly code: string;
  readonly position?: Position;
  readonly retryAfterMs?: number;
  readonly limit?: number;
  readonly ply?: number;
}

export function refusalOf({ error, code, position, retryAfterMs, limit, ply }: Refusal): ApiError {
  return new ApiError(error, code, position, retryAfterMs, limit, ply);
}

/** Statuses with which a proxy answers while it reaches no server. */
const PROXY_ERRORS: readonly number[] = [502, 503, 504];

async function refusal(response: Response): Promise<ApiError> {
  try {
    return refusalOf((await response.json()) as Refusal);
  } catch {
    const code = PROXY_ERRORS.includes(response.status) ? "unavailable" : "unreadable";
    return new ApiError(texts.failed(response.status), code);
  }
}
