// Which games this browser's player has played to the end.

const KEY = "plyhouse-played";

/** Whether the player has finished a game of this kind; also if the browser stores nothing. */
export function hasPlayed(game: string): boolean {
  try {
    return played().includes(game);
  } catch {
    return true;
  }
}

/** Stores that a game of this kind has ended, if the browser allows it. */
export function keepPlayed(game: string): void {
  try {
    if (!played().includes(game)) localStorage.setItem(KEY, JSON.stringify([...played(), game]));
  } catch {
    // The hints stay hidden.
  }
}

function played(): readonly string[] {
  return JSON.parse(localStorage.getItem(KEY) ?? "[]") as readonly string[];
}
