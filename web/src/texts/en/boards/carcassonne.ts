// The board of Carcassonne.
import type { Parts } from "../../parts";
import { points } from "../counts";
import { list } from "../formats";

export const lesson =
  "Choose a cell for your tile, choose it again to rotate the tile, and confirm. Then choose a spot for a meeple, or none.";
export const showLastTile = "Show the last tile";
export const target = (x: number, y: number): string => `Tile to ${x}, ${y}`;
export const turnedTarget = (x: number, y: number, rotation: number, isTurnable: boolean): string =>
  `Tile to ${x}, ${y}, turned by ${rotation}°${isTurnable ? ", press to turn" : ""}`;
export const meepleTarget = (spot: string): string => `Meeple on the ${spot}`;
export const tileInHand = (tile: string): string => `Tile ${tile} in hand`;
export const turnTile = "Turn the tile";
export const turnTileByKey = "Turn the tile (R)";
export const dragMeeple = "Drag the meeple to its place";

/** By their letters in moves. */
export const sides: Readonly<Record<string, string>> = { N: "north", E: "east", S: "south", W: "west" };
/** By their names in moves. */
export const kinds: Readonly<Record<string, string>> = {
  city: "city",
  road: "road",
  field: "field",
  monastery: "monastery",
};
/** `city in the north and east`. */
export const spotIn = (kind: string, where: readonly string[]): string => `${kind} in the ${list(where)}`;
export const noMeeple = "no meeple";
export const meepleOn = (spot: string): string => `meeple on the ${spot}`;
/** A move; `spot`: where the meeple goes. */
export const move = (place: string, rotation: number, spot: string | null, isNextPutAside: boolean): string =>
  [
    `Tile ${place}`,
    rotation === 0 ? "" : `, turned by ${rotation}°`,
    spot === null ? "" : `, ${meepleOn(spot)}`,
    isNextPutAside ? "; then a tile that fits nowhere was put aside" : "",
  ].join("");
/** `2 east, 1 south of the start`; `north of the start` for the cell next to it. */
export function place(x: number, y: number): string {
  const steps = [
    [Math.abs(x), x > 0 ? "east" : "west"] as const,
    [Math.abs(y), y > 0 ? "north" : "south"] as const,
  ].filter(([distance]) => distance > 0);
  if (steps.length === 0) return "at the start";
  const isNext = steps.length === 1 && steps[0]?.[0] === 1;
  return `${steps.map(([distance, side]) => (isNext ? side : `${distance} ${side}`)).join(", ")} of the start`;
}
/** Within a refusal of the rules. */
export const thisTile = "This tile ";
export const besideCell = (where: string): string => ` beside the cell ${where}`;

export const columns = { cities: "Cities", roads: "Roads", monasteries: "Monast.", fields: "Fields" };
export const played = "Played";
export const total = "Total";
export const lastTile = "Last tile";
export const tilesLeft = <Part>(count: number, number: Part): Parts<Part> => [
  number,
  count === 1 ? " tile left" : " tiles left",
];
export const withoutPlace = (count: number): string => `, ${count} without a place`;
export const seat = (player: number, score: number, meeples: number, hasLeft: boolean): string =>
  `Player ${player}: ${points(score)}, ${meeples} ${meeples === 1 ? "meeple" : "meeples"} left${hasLeft ? ", has left the game" : ""}`;
