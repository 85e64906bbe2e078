// What is visible of a game: the server's view plus the staged move, as plain lists to draw, and the legal moves as
// cells to pick and spots for meeples. Knows neither rules nor SVG. Called by the board element.
import { closest, type Point } from "../common/arrows";
import { turned, type TileLayout } from "./layout";
import { ROTATIONS, parseMove, parsePlacement, type Cell, type Placement } from "./notation";
import { spotName, type TileRow } from "./tiles";

/** A tile on the table. */
export interface Placed extends Placement {
  /** Its letter. */
  readonly tile: string;
}

export interface StandingMeeple extends Cell {
  readonly spot: string;
  readonly seat: number;
}

/** Points at the end of the game, by what they are for. */
export interface Breakdown {
  readonly cities: number;
  readonly roads: number;
  readonly monasteries: number;
  readonly fields: number;
}

/** A feature that the last move completed. */
export interface ScoredFeature {
  readonly feature: string;
  readonly points: number;
  readonly cells: readonly Cell[];
}

export interface LastMove extends Placed {
  readonly spot: string | null;
  readonly seat: number;
  /** Points of each seat. */
  readonly points: readonly number[];
  readonly scored: readonly ScoredFeature[];
}

/** The `view` of a Carcassonne position. */
export interface CarcassonneView {
  readonly phase: "place_tile" | "place_meeple" | "game_over";
  readonly toMove: number | null;
  /** The letter of the tile in hand. */
  readonly tile: string | null;
  readonly tilesRemaining: number;
  /** In the order in which they were placed. */
  readonly tiles: readonly Placed[];
  readonly meeples: readonly StandingMeeple[];
  readonly scores: readonly number[];
  readonly supply: readonly number[];
  /** Seats that have left. */
  readonly left: readonly number[];
  readonly lastMove: LastMove | null;
  /** Letters of the tiles that had no place. */
  readonly discarded: readonly string[];
  readonly unseen: Readonly<Record<string, number>>;
  readonly breakdown?: readonly Breakdown[];
}

/** A cell where the tile in hand can go. */
export interface Target extends Cell {
  /** In the order of `ROTATIONS`. */
  readonly rotations: readonly number[];
}

/** A place for a meeple on the staged tile. */
export interface SpotTarget {
  readonly spot: string;
  /** In units of the tile's layout, from its middle. */
  readonly at: Point;
}

export const cellKey = ({ x, y }: Cell): string => `${x},${y}`;

/** The tile of the move being made; null before it is placed. */
export function stagedTile({ tile }: CarcassonneView, staged: readonly string[]): Placed | null {
  const placement = staged.map((text) => parseMove(text)?.placement ?? null).find((found) => found !== null);
  return placement == null || tile === null ? null : { ...placement, tile };
}

/** Whether two cells are the same. */
export function isSame(one: Cell, other: Cell): boolean {
  return one.x === other.x && one.y === other.y;
}

/** The cells that the legal moves offer. */
export function targetsOf(legal: readonly string[]): Target[] {
  const cells = new Map<string, Target>();
  for (const text of legal) {
    const placement = parsePlacement(text);
    if (placement === null) continue;
    const { x, y, rotation } = placement;
    const rotations = [...(cells.get(cellKey(placement))?.rotations ?? []), rotation];
    cells.set(cellKey(placement), { x, y, rotations: ROTATIONS.filter((one) => rotations.includes(one)) });
  }
  return [...cells.values()];
}

/** Of a cell's rotations, the first one that a tile turned by `from` reaches, `steps` legal turns further on. */
export function rotationFrom({ rotations }: Target, from: number, steps = 0): number {
  const reached = rotations.findIndex((rotation) => rotation >= from);
  const index = (reached < 0 ? 0 : reached) + steps;
  return rotations[((index % rotations.length) + rotations.length) % rotations.length] ?? 0;
}

/** The spots that are offered for a meeple on a tile. */
export function spotsOf(
  row: TileRow,
  layout: TileLayout,
  rotation: number,
  legal: readonly string[],
): SpotTarget[] {
  return row.segments.flatMap((segment, index) => {
    const spot = spotName(segment, rotation);
    const at = layout.spots[index];
    return at !== undefined && legal.includes(spot) ? { spot, at: turned(at, rotation) } : [];
  });
}

/** Where a meeple stands on its tile, from the tile's middle; null if the tile has no such spot. */
export function spotPoint(row: TileRow, layout: TileLayout, rotation: number, spot: string): Point | null {
  const index = row.segments.findIndex((segment) => spotName(segment, rotation) === spot);
  const at = layout.spots[index];
  return at === undefined ? null : turned(at, rotation);
}

/** The spot of a tile that is nearest to a point, measured from the tile's middle; null if it has none. */
export function nearestSpot(
  row: TileRow,
  layout: TileLayout,
  rotation: number,
  { x, y }: Point,
): string | null {
  const points = layout.spots.map((spot) => turned(spot, rotation));
  const index = closest({ x, y }, points);
  const segment = index === null ? undefined : row.segments[index];
  return segment === undefined ? null : spotName(segment, rotation);
}
