// The first request of a game's page, sent while the code of the page and of its board is still being loaded.
// Called by the app, which starts it, and by the session, which takes the answer.
import { getGame } from "../api/client";
import type { Game } from "../api/shapes";
import { loadBoard } from "../boards";

interface Early {
  readonly gameId: string;
  readonly token: string | null;
  readonly answer: Promise<Game>;
}

let early: Early | null = null;

export function requestEarly(gameId: string, token: string | null): void {
  const answer = getGame(gameId, { token });
  early = { gameId, token, answer };
  answer.then(({ game }) => loadBoard(game)).catch(() => undefined); // Who takes the answer handles its error.
}

/** The answer to the early request, once; null if there was none for this seat. */
export function takeEarly(gameId: string, token: string | null): Promise<Game> | null {
  const found = early?.gameId === gameId && early.token === token ? early.answer : null;
  early = null;
  return found;
}
