// The player's name, stored by this browser. There are no accounts.

const KEY = "plyhouse-name";

/** Empty if there is none, or if the browser stores nothing. */
export function ownName(): string {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

/** Stores the name, if the browser allows it. */
export function keepOwnName(name: string): void {
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // The player has to enter it again next time.
  }
}
