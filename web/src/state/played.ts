// Which games this browser's player has played to the end.
import { store, stored } from "./stored";

const KEY = "plyhouse-played";

/** Whether the player has finished a game of this kind. */
export function hasPlayed(game: string): boolean {
  return played().includes(game);
}

/** Stores that a game of this kind has ended. */
export function keepPlayed(game: string): void {
  if (!hasPlayed(game)) store(KEY, [...played(), game]);
}

function played(): readonly string[] {
  return stored(KEY, []);
}
