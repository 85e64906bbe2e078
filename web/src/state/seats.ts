// The seats that somebody took in this browser, so that a game in a list leads back to the own seat.
// There are no accounts: a seat is its token, and whoever loses it cannot play on.

const KEY = "plyhouse-seats";
/** The oldest are forgotten first. */
const MOST = 100;

type Taken = readonly (readonly [gameId: string, token: string])[];

/** The token of the own seat; null where none is known, or where the browser keeps nothing. */
export function ownSeat(gameId: string): string | null {
  return taken().find(([id]) => id === gameId)?.[1] ?? null;
}

/** Remembers the seat, where the browser keeps anything. */
export function keepSeat(gameId: string, token: string): void {
  const others = taken().filter(([id]) => id !== gameId);
  try {
    localStorage.setItem(KEY, JSON.stringify([...others, [gameId, token]].slice(-MOST)));
  } catch {
    // Without it a bookmark of the seat still leads back.
  }
}

function taken(): Taken {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]") as Taken;
  } catch {
    return [];
  }
}
