// The seats taken in this browser, so that the plain address of a game opens the player's seat, and "Your games" lists
// it. There are no accounts: the token gives access to the seat, and without it the player cannot continue.
import * as texts from "#texts/your-games";
import { gamePath } from "./route";
import { store, stored } from "./stored";

const KEY = "plyhouse-seats";
/** The most seats that are stored; the oldest are deleted first. */
const MOST = 200;

/** A seat; games that are known to be over are listed after the others. */
export type TakenSeat = readonly [gameId: string, token: string, isOver?: boolean];

/** The token of the player's seat; null if there is none, or if the browser stores nothing. */
export function ownSeat(gameId: string): string | null {
  return takenSeats().find(([id]) => id === gameId)?.[1] ?? null;
}

/** All seats, the one taken last at the end. */
export function takenSeats(): readonly TakenSeat[] {
  return stored(KEY, []);
}

/** Stores a seat, if the browser allows it. */
export function keepSeat(gameId: string, token: string): void {
  if (ownSeat(gameId) !== token) keep([...without([gameId]), [gameId, token]]);
}

/** Notes that a game is over. */
export function markOver(gameId: string): void {
  keep(takenSeats().map((seat) => (seat[0] === gameId ? [seat[0], seat[1], true] : seat)));
}

/** Deletes the seats of these games. */
export function forgetSeats(gameIds: readonly string[]): void {
  keep(without(gameIds));
}

/** Stores a seat, and returns its address. It contains the token only if the browser stores nothing. */
export function seatPath(gameId: string, token: string | null): string {
  if (token !== null) keepSeat(gameId, token);
  return gamePath(gameId, ownSeat(gameId) === token ? null : token);
}

/** The seats as text, for another browser. */
export function exportedSeats(): string {
  return JSON.stringify({ plyhouseSeats: takenSeats() }, null, 1);
}

/** Adds the seats that another browser has exported, before the own ones; returns how many are new. */
export function importSeats(text: string): number {
  const known = takenSeats();
  const fresh = readSeats(text).filter(([id]) => !known.some(([own]) => own === id));
  keep([...fresh, ...known]);
  return fresh.length;
}

function readSeats(text: string): readonly TakenSeat[] {
  let seats: unknown;
  try {
    seats = (JSON.parse(text) as { plyhouseSeats?: unknown }).plyhouseSeats;
  } catch {
    seats = undefined;
  }
  if (!Array.isArray(seats) || !seats.every(isSeat)) throw new Error(texts.notExported);
  return seats;
}

function isSeat(value: unknown): value is TakenSeat {
  return Array.isArray(value) && typeof value[0] === "string" && typeof value[1] === "string";
}

function without(gameIds: readonly string[]): readonly TakenSeat[] {
  return takenSeats().filter(([id]) => !gameIds.includes(id));
}

/** The browser may refuse: a bookmark of the seat still works. */
function keep(seats: readonly TakenSeat[]): void {
  store(KEY, seats.slice(-MOST));
}
