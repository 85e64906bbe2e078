// The texts of PyRat moves: a player names a direction, such as "UP", and a recorded turn has both, such as "UP/LEFT".
// Called by the board's parts.
import * as texts from "#texts/boards/pyrat";

export const DIRECTIONS = ["UP", "RIGHT", "DOWN", "LEFT", "STAY"] as const;

export type Direction = (typeof DIRECTIONS)[number];

/** The names of the seats. */
export const NAMES = texts.seats;

/** The direction with this name; null for other texts. */
export function parseDirection(text: string): Direction | null {
  return DIRECTIONS.find((direction) => direction === text) ?? null;
}

/** The directions of a turn, by seat; null for other texts. */
export function parseTurn(text: string): readonly Direction[] | null {
  const directions = text.split("/").map(parseDirection);
  return directions.length === NAMES.length && directions.every((one) => one !== null) ? directions : null;
}

/** A turn, such as "Rat up, Python stays", or one direction in words; other texts stay as they are. */
export function describeMove(text: string): string {
  const turn = parseTurn(text);
  if (turn !== null)
    return turn.map((direction, seat) => texts.step(NAMES[seat] ?? "", direction)).join(", ");
  const direction = parseDirection(text);
  return direction === null ? text : describeDirection(direction);
}

/** "Up", "Stay". */
export function describeDirection(direction: Direction): string {
  return texts.directions[direction];
}
