// The games that were imported in this browser: no list of the server shows them.
import { store, stored } from "./stored";

const KEY = "plyhouse-imports";
/** The most games that are remembered; the oldest are forgotten first. */
const MOST = 20;

/** The ids of the games, the newest first. */
export function importedGames(): readonly string[] {
  return stored(KEY, []);
}

export function keepImport(gameId: string): void {
  store(KEY, [gameId, ...importedGames().filter((id) => id !== gameId)].slice(0, MOST));
}

/** Forgets a game that does not exist any more. */
export function forgetImport(gameId: string): void {
  store(
    KEY,
    importedGames().filter((id) => id !== gameId),
  );
}
