// The player's sealed move, remembered by the tab for when the page is loaded again: the server shows it to nobody.
import type { SentMove } from "./turns";

export function keepSentMove(gameId: string, sent: SentMove | null): void {
  try {
    if (sent === null) sessionStorage.removeItem(keyOf(gameId));
    else sessionStorage.setItem(keyOf(gameId), JSON.stringify(sent));
  } catch {
    // Without storage, the move is not shown after a reload.
  }
}

/** The move that was sent last; null if there is none. */
export function keptSentMove(gameId: string): SentMove | null {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(gameId)) ?? "null") as SentMove | null;
  } catch {
    return null;
  }
}

function keyOf(gameId: string): string {
  return `plyhouse.sent.${gameId}`;
}
