// Where things lie on the board. A cell is SIZE units wide, the origin is the board's upper left corner, and y grows
// downwards, while the y of cells grows upwards. A flipped board is turned by half. Called by the drawings and the scene.
import type { Point } from "../common/arrows";
import type { Area } from "../common/camera";
import type { Grid } from "../common/labels";
import type { Direction } from "./notation";

export const SIZE = 100;

/** A cell as in the view: x from the left, y from the bottom. */
export type Cell = readonly [x: number, y: number];

export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly isFlipped: boolean;
}

const STEPS: Readonly<Record<Direction, Cell>> = {
  UP: [0, 1],
  RIGHT: [1, 0],
  DOWN: [0, -1],
  LEFT: [-1, 0],
  STAY: [0, 0],
};

/** The bit of each open step in a digit of `exits`. */
const BITS: Readonly<Record<Direction, number>> = { UP: 1, RIGHT: 2, DOWN: 4, LEFT: 8, STAY: 0 };

/** The cell to which a step leads. */
export function stepped([x, y]: Cell, direction: Direction): Cell {
  return [x + STEPS[direction][0], y + STEPS[direction][1]];
}

/** The cell from which a step has led here. */
export function origin([x, y]: Cell, direction: Direction): Cell {
  return [x - STEPS[direction][0], y - STEPS[direction][1]];
}

export function isSameCell(one: Cell, other: Cell): boolean {
  return one[0] === other[0] && one[1] === other[1];
}

/** The middle of a cell. */
export function centreOf([x, y]: Cell, { width, height, isFlipped }: Frame): Point {
  const [column, row] = isFlipped ? [width - 1 - x, y] : [x, height - 1 - y];
  return { x: (column + 0.5) * SIZE, y: (row + 0.5) * SIZE };
}

/** The whole board. */
export function boardArea({ width, height }: Frame): Area {
  const [across, down] = [width * SIZE, height * SIZE];
  return { middle: { x: across / 2, y: down / 2 }, width: across, height: down };
}

/** The direction of a movement on the screen; of a diagonal one, that of its longer part. */
export function directionOf(way: Point, isFlipped: boolean): Direction {
  const { x, y } = isFlipped ? { x: -way.x, y: -way.y } : way;
  if (Math.abs(x) > Math.abs(y)) return x > 0 ? "RIGHT" : "LEFT";
  return y > 0 ? "DOWN" : "UP";
}

/** Whether a step is open. `exits` as in the view. */
export function isOpen(exits: readonly string[], [x, y]: Cell, direction: Direction): boolean {
  return (parseInt(exits[y]?.charAt(x) ?? "0", 16) & BITS[direction]) !== 0;
}

/** Path data of all walls inside the board, in which neighbouring walls are one line. */
export function wallPath(exits: readonly string[], frame: Frame): string {
  const { width, height } = frame;
  const uprights = range(width - 1).flatMap((x) =>
    runs(height, (y) => !isOpen(exits, [x, y], "RIGHT")).map(([from, to]) => upright(x, from, to, frame)),
  );
  const levels = range(height - 1).flatMap((y) =>
    runs(width, (x) => !isOpen(exits, [x, y], "UP")).map(([from, to]) => level(y, from, to, frame)),
  );
  return [...uprights, ...levels].join("");
}

/** The names of columns and rows as they are seen. */
export function gridOf({ width, height, isFlipped }: Frame): Grid {
  const columns = range(width).map(String);
  const rows = range(height).map(String);
  return {
    columns: isFlipped ? columns.toReversed() : columns,
    rows: isFlipped ? rows : rows.toReversed(),
    corner: { x: 0, y: 0 },
    cell: SIZE,
  };
}

/** Path data of the lines between all cells. */
export function gridPath({ width, height }: Frame): string {
  const across = range(width - 1).map((x) => `M${(x + 1) * SIZE} 0V${height * SIZE}`);
  const down = range(height - 1).map((y) => `M0 ${(y + 1) * SIZE}H${width * SIZE}`);
  return [...across, ...down].join("");
}

/** The wall to the right of a column, from one row to another. */
function upright(x: number, from: number, to: number, frame: Frame): string {
  const [lower, upper] = [centreOf([x, from], frame), centreOf([x, to], frame)];
  const side = frame.isFlipped ? -SIZE / 2 : SIZE / 2;
  return `M${lower.x + side} ${lower.y + side}V${upper.y - side}`;
}

/** The wall above a row, from one column to another. */
function level(y: number, from: number, to: number, frame: Frame): string {
  const [left, right] = [centreOf([from, y], frame), centreOf([to, y], frame)];
  const side = frame.isFlipped ? -SIZE / 2 : SIZE / 2;
  return `M${left.x - side} ${left.y - side}H${right.x + side}`;
}

/** The first and the last index of each run of indices below `end` that pass the test. */
function runs(end: number, test: (index: number) => boolean): [number, number][] {
  const found: [number, number][] = [];
  for (const index of range(end)) {
    if (!test(index)) continue;
    const last = found.at(-1);
    if (last?.[1] === index - 1) last[1] = index;
    else found.push([index, index]);
  }
  return found;
}

function range(end: number): number[] {
  return Array.from({ length: Math.max(0, end) }, (_, index) => index);
}
