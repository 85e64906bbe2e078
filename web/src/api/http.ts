// How a call reaches the server and what may come back. Refusals and lost connections become ApiError with a sentence
// to show. Called by the files beside it, one function a call there.
import type { Position } from "./shapes";

export class ApiError extends Error {
  constructor(
    text: string,
    /** From the server's closed list; "offline" when there was no answer. */
    readonly code: string,
    /** The game as it is now, when the request was about an older one. */
    readonly position: Position | null = null,
    /** When it is worth trying again, in milliseconds, where the server says so. */
    readonly retryAfterMs: number | null = null,
    /** The limit that was passed, where there is one. */
    readonly limit: number | null = null,
  ) {
    super(text);
  }
}

/** What to tell the user about anything that was thrown. */
export function sentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** Whether the same request may well succeed in a moment. */
export function isPassing(error: unknown): boolean {
  return error instanceof ApiError && ["offline", "unavailable", "too-many-requests"].includes(error.code);
}

export interface Extras {
  readonly token?: string | null;
  readonly body?: unknown;
  /** Origin of the server; by default the one that the page came from. */
  readonly server?: string;
}

export async function call<Answer>(
  method: string,
  path: string,
  { token, body, server = "" }: Extras = {},
): Promise<Answer> {
  const headers = new Headers({ Accept: "application/json" });
  if (token != null) headers.set("Authorization", `Bearer ${token}`);
  if (body !== undefined) headers.set("Content-Type", "application/json");
  const content = body === undefined ? null : JSON.stringify(body);
  const response = await reach(server + path, { method, headers, body: content });
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

interface Refusal {
  readonly error: string;
  readonly code: string;
  readonly position?: Position;
  readonly retryAfterMs?: number;
  readonly limit?: number;
}

async function refusal(response: Response): Promise<ApiError> {
  try {
    const { error, code, position, retryAfterMs, limit } = (await response.json()) as Refusal;
    return new ApiError(error, code, position, retryAfterMs, limit);
  } catch {
    return new ApiError(`The server answered with an error (${response.status}).`, "unreadable");
  }
}
