// The games that were imported in this browser: no list of the server shows them.

const KEY = "plyhouse-imports";
/** The most games that are remembered; the oldest are forgotten first. */
const MOST = 20;

/** The ids of the games, the newest first. */
export function importedGames(): readonly string[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]") as readonly string[];
  } catch {
    return [];
  }
}

export function keepImport(gameId: string): void {
  store([gameId, ...importedGames().filter((id) => id !== gameId)].slice(0, MOST));
}

/** Forgets a game that does not exist any more. */
export function forgetImport(gameId: string): void {
  store(importedGames().filter((id) => id !== gameId));
}

function store(ids: readonly string[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(ids));
  } catch {
    // The address of the analysis still works.
  }
}
