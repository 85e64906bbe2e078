// The texts of Carcassonne moves: "0,1,180" places the tile in hand, "0,1,180 city_S" puts a meeple on it as well, and a
// bare "city_S" or "skip" follows a placement. Records add what was drawn: "0,1,180 -C +B". Called by the board's parts.
import * as texts from "#texts/boards/carcassonne";

/** No meeple, where that is an action of its own. */
export const SKIP = "skip";

/** Clockwise. */
export const ROTATIONS = [0, 90, 180, 270] as const;

/** A place on the table: x grows to the east, y to the north. */
export interface Cell {
  readonly x: number;
  readonly y: number;
}

export interface Placement extends Cell {
  /** Clockwise degrees, one of `ROTATIONS`. */
  readonly rotation: number;
}

export interface Move {
  /** Null in the second half of a turn alone. */
  readonly placement: Placement | null;
  /** Where the meeple goes; null for none. */
  readonly spot: string | null;
}

const PLACEMENT = /^(-?\d+),(-?\d+),(0|90|180|270)$/;
const SPOT = /^(monastery|(city|road|field)_[NESW]{1,4})$/;

/** The parts of a move, without what was drawn after it; null if it is not one. */
export function parseMove(text: string): Move | null {
  const words = text.split(" ").filter((word) => !/^[+-][A-Z]$/.test(word));
  const placement = parsePlacement(words[0] ?? "");
  const rest = placement === null ? words : words.slice(1);
  const [spot = SKIP] = rest;
  const isKnown = spot === SKIP ? placement !== null || rest.length === 1 : SPOT.test(spot);
  if (rest.length > 1 || !isKnown) return null;
  return { placement, spot: spot === SKIP ? null : spot };
}

/** A placement alone; null if the text says anything else. */
export function parsePlacement(text: string): Placement | null {
  const [, x, y, rotation] = PLACEMENT.exec(text) ?? [];
  return rotation === undefined ? null : { x: Number(x), y: Number(y), rotation: Number(rotation) };
}

export function placementText({ x, y, rotation }: Placement): string {
  return `${x},${y},${rotation}`;
}

/** `city_NE`: "city in the north and east". */
export function describeSpot(spot: string): string {
  const [name = "", letters = ""] = spot.split("_");
  const kind = texts.kinds[name] ?? name;
  const sides = Array.from(letters, (letter) => texts.sides[letter] ?? letter);
  return sides.length === 0 || sides.length === 4 ? kind : texts.spotIn(kind, sides);
}

/** A move in words; other texts stay as they are. */
export function describeMove(text: string): string {
  const move = parseMove(text);
  if (move === null) return text;
  const spot = move.spot === null ? null : describeSpot(move.spot);
  if (move.placement === null) return capitalised(spot === null ? texts.noMeeple : texts.meepleOn(spot));
  const { x, y, rotation } = move.placement;
  return texts.move(texts.place(x, y), rotation, spot, /(^| )-[A-Z]/.test(text));
}

/** A refusal of the rules with places and spots in words. */
export function refusalInWords(text: string): string {
  const placeOf = (x: string, y: string): string => texts.place(Number(x), Number(y));
  return text
    .replace(/^[A-Z] /, texts.thisTile)
    .replace(/ on (-?\d+),(-?\d+)/, (_, x: string, y: string) => ` ${placeOf(x, y)}`)
    .replace(/ beside (-?\d+),(-?\d+)/, (_, x: string, y: string) => texts.besideCell(placeOf(x, y)))
    .replace(/turned by \d+/, "$&°")
    .replace(/\w+ of ((city|road|field)_[NESW]+)/, (_, spot: string) => describeSpot(spot));
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
