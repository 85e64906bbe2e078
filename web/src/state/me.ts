// The name that somebody wants to be called by, remembered by this browser. There are no accounts.

const KEY = "plyhouse-name";

/** Empty where none is known, or where the browser keeps nothing. */
export function ownName(): string {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

/** Remembers the name, where the browser keeps anything. */
export function keepOwnName(name: string): void {
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // A browser that keeps nothing asks again the next time.
  }
}
