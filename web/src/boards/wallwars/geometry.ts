// The geometry of the drawing of a Wallwars board. A cell is UNIT by UNIT; the board's corner is the origin.
// Called by the board element.
import type { Point } from "../common/arrows";
import type { Action, Cell, Orientation } from "./notation";
import { sameCell, type ScenePiece } from "./scene";

/** Side of a cell. */
export const UNIT = 100;

/** How much shorter a wall is drawn at both ends. */
export const WALL_INSET = 7;

export interface Segment {
  readonly from: Point;
  readonly to: Point;
}

export function centre(cell: Cell): Point {
  return { x: (cell.column + 0.5) * UNIT, y: (cell.row + 0.5) * UNIT };
}

/** The line of a wall, `inset` shorter at both ends. */
export function wallLine(orientation: Orientation, cell: Cell, inset: number): Segment {
  const left = cell.column * UNIT;
  const top = cell.row * UNIT;
  return orientation === "vertical"
    ? { from: { x: left + UNIT, y: top + inset }, to: { x: left + UNIT, y: top + UNIT - inset } }
    : { from: { x: left + inset, y: top }, to: { x: left + UNIT - inset, y: top } };
}

/** The line from one point to another, `gap` shorter at its end. */
export function shortened(from: Point, to: Point, gap: number): Segment {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const share = length === 0 ? 0 : (length - gap) / length;
  return { from, to: { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share } };
}

/** How far from its line a wall is picked: the rest of a cell, 41 % of its area, is for pieces. */
export const WALL_REACH = 0.18 * UNIT;

/** The area around a wall's line, `reach` wide on both sides and pointed at the ends, where other walls begin. */
export function wallArea(orientation: Orientation, cell: Cell, reach: number): readonly Point[] {
  const { from, to } = wallLine(orientation, cell, 0);
  const along = orientation === "vertical" ? { x: 0, y: reach } : { x: reach, y: 0 };
  const aside = { x: along.y, y: along.x };
  const beside = (end: Point, way: 1 | -1, side: 1 | -1): Point => ({
    x: end.x + way * along.x + side * aside.x,
    y: end.y + way * along.y + side * aside.y,
  });
  return [from, beside(from, 1, 1), beside(to, -1, 1), to, beside(to, -1, -1), beside(from, 1, -1)];
}

export interface Spot extends Point {
  /** Fraction of the full size. */
  readonly scale: number;
}

const SHARED: readonly Point[] = [
  { x: -0.23, y: -0.21 },
  { x: 0.23, y: 0.23 },
  { x: 0.23, y: -0.21 },
  { x: -0.23, y: 0.23 },
];

/** Where a pawn is drawn: in the centre of its cell, or beside other pawns in it. */
export function pawnSpot(pawn: ScenePiece, all: readonly ScenePiece[]): Spot {
  const { x, y } = centre(pawn.cell);
  const company = all.filter((other) => sameCell(other.cell, pawn.cell));
  if (company.length === 1) return { x, y, scale: 1 };
  const place = SHARED[company.indexOf(pawn)] ?? { x: 0, y: 0 };
  return { x: x + place.x * UNIT, y: y + place.y * UNIT, scale: 0.58 };
}

/** Where the dot of a step is drawn: if two pawns can step on a cell, each gets a dot. */
export function stepSpot(action: Action, all: readonly Action[]): Point {
  const { x, y } = centre(action.cell);
  const rivals = all.filter((other) => other.kind === "step" && sameCell(other.cell, action.cell));
  return rivals.length < 2 ? { x, y } : { x: x + (rivals[0] === action ? -0.2 : 0.2) * UNIT, y };
}

/** A point of the board, or its place when the board is turned by half. */
export function turnedPoint({ x, y }: Point, columns: number, rows: number, isFlipped: boolean): Point {
  return isFlipped ? { x: columns * UNIT - x, y: rows * UNIT - y } : { x, y };
}
