// The seats taken in this browser, so that a game in a list leads back to the player's seat.
// There are no accounts: the token gives access to the seat, and without it the player cannot continue.

const KEY = "plyhouse-seats";
/** The most seats that are stored; the oldest are deleted first. */
const MOST = 100;

type Taken = readonly (readonly [gameId: string, token: string])[];

/** The token of the player's seat; null if there is none, or if the browser stores nothing. */
export function ownSeat(gameId: string): string | null {
  return taken().find(([id]) => id === gameId)?.[1] ?? null;
}

/** Stores the seat, if the browser allows it. */
export function keepSeat(gameId: string, token: string): void {
  const others = taken().filter(([id]) => id !== gameId);
  try {
    localStorage.setItem(KEY, JSON.stringify([...others, [gameId, token]].slice(-MOST)));
  } catch {
    // A bookmark of the seat still works.
  }
}

function taken(): Taken {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]") as Taken;
  } catch {
    return [];
  }
}
