// The geometry of the drawing of a Hive board: pointy-top hexagons of RADIUS around the first piece, and the area of the
// hive with a ring of empty cells around it. Called by the board element and its drawings.
import type { Point } from "../common/arrows";
import { areaOf, type Area } from "../common/camera";
import type { Cell } from "./notation";

/** The distance from the centre of a cell to its corners. */
export const RADIUS = 50;

/** Half the width of a cell. */
export const HALF_WIDTH = (RADIUS * Math.sqrt(3)) / 2;

/** The picture in units that do not depend on its size on the screen. */
export const VIEW = { width: 1000, height: 860 } as const;

/** Smaller hives are drawn as if they had this size. */
const LEAST = { width: 13 * HALF_WIDTH, height: 9.5 * RADIUS };

/** The vertical offset of each piece of a stack, and the most for a whole stack. */
const LAYER = 11;
const LAYERS = 38;

/** The centre of a cell; a flipped board is turned by 180 degrees. */
export function centre({ q, r }: Cell, isFlipped: boolean): Point {
  const way = isFlipped ? -1 : 1;
  return { x: way * 2 * HALF_WIDTH * (q + r / 2), y: way * 1.5 * RADIUS * r };
}

/** The centre of the cell at a point. */
export function nearestCentre(point: Point): Point {
  return centre(nearestCell(point, false), false);
}

/** The cell at a point. */
export function nearestCell(point: Point, isFlipped: boolean): Cell {
  const [x, y] = isFlipped ? [-point.x, -point.y] : [point.x, point.y];
  const row = Math.round(y / (1.5 * RADIUS));
  const cells = [row - 1, row, row + 1].map((r) => ({ q: Math.round(x / (2 * HALF_WIDTH) - r / 2), r }));
  const distance = (cell: Cell): number => {
    const at = centre(cell, false);
    return Math.hypot(at.x - x, at.y - y);
  };
  return cells.toSorted((one, other) => distance(one) - distance(other))[0] ?? { q: 0, r: row };
}

/** The centre of a piece with `level` others under it, in a stack of `height`. */
export function tileCentre(
  cell: Cell & { readonly level: number; readonly height: number },
  isFlipped: boolean,
): Point {
  const { x, y } = centre(cell, isFlipped);
  return { x, y: y - lift(cell.level, cell.height) };
}

function lift(level: number, height: number): number {
  return level * Math.min(LAYER, LAYERS / Math.max(1, height - 1));
}

/** A hexagon around the origin as the `d` of a path; `rounding` is the fraction of each side that its corners take. */
export function hexagon(radius: number, rounding = 0): string {
  const corners = Array.from({ length: 6 }, (_, index) => {
    const angle = (Math.PI / 3) * index - Math.PI / 2;
    return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
  });
  const sides = corners.map((corner, index) => {
    const before = between(corner, corners.at(index - 1) ?? corner, rounding / 2);
    const after = between(corner, corners[(index + 1) % 6] ?? corner, rounding / 2);
    return `${index === 0 ? "M" : "L"}${text(before)}Q${text(corner)} ${text(after)}`;
  });
  return `${sides.join("")}Z`;
}

function between(from: Point, to: Point, share: number): Point {
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

function text({ x, y }: Point): string {
  return `${x.toFixed(2)} ${y.toFixed(2)}`;
}

/** The hive of these cells, with room for a ring of cells around it. */
export function areaAround(cells: readonly Cell[], isFlipped: boolean): Area {
  const { middle, width, height } = areaOf(cells.map((cell) => centre(cell, isFlipped)));
  return {
    middle,
    width: Math.max(LEAST.width, width + 6 * HALF_WIDTH + 8),
    height: Math.max(LEAST.height, height + 5 * RADIUS + 8),
  };
}

/** What part of the hive is shown in VIEW: its centre, and the scale. */
export interface Frame {
  readonly middle: Point;
  readonly scale: number;
}

/** Converts a point of the hive into the units of VIEW, whose origin is the centre. */
export function inView({ x, y }: Point, { middle, scale }: Frame): Point {
  return { x: (x - middle.x) * scale, y: (y - middle.y) * scale };
}

/** The line from one point to another, `gap` shorter at both ends. */
export function shortened(from: Point, to: Point, gap: number): { from: Point; to: Point } {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const share = length === 0 ? 0 : gap / length;
  return { from: between(from, to, share), to: between(to, from, share) };
}
