// What a camera shows of the table, in tiles: everything, a tile with its surroundings, or a tile alone. All functions are
// pure. Called by the viewport, which decides what is shown.
import type { Point } from "../common/arrows";
import * as cameras from "../common/camera";
import type { Area, Camera, Picture } from "../common/camera";
import type { Grid } from "../common/labels";
import { SIZE } from "./layout";
import type { Cell } from "./notation";

/** A few tiles are not drawn larger than this, in CSS pixels. */
const LARGEST_FITTED = 104;
/** Height of the tile in hand and the buttons over the table. */
const TOOLS = 76;
/** The least width at which meeples can be placed by finger. */
const CLOSE_UP = 168;
/** A tile, and room for a further cell on every side. */
const ROOM_TO_PLAY = 3 * SIZE;
/** The gap around everything. */
const GAP = 8;

/** The scales between which players can zoom, for tiles of 14 to 260 CSS pixels. */
export const LIMITS = { least: 14 / SIZE, most: 260 / SIZE };

/** The middle of a cell. */
export function centreOf({ x, y }: Cell): Point {
  return { x: x * SIZE, y: -y * SIZE };
}

/** The cell at a point. */
export function tableCell({ x, y }: Point): Cell {
  return { x: Math.round(x / SIZE), y: -Math.round(y / SIZE) };
}

/** The middles of the cells; what is around them depends on the purpose. */
export function areaOf(cells: readonly Cell[]): Area {
  return cameras.areaOf(cells.map(centreOf));
}

/** The names of the columns and rows of these cells, and of those around them. */
export function gridAround(cells: readonly Cell[]): Grid {
  const [columns, rows] = [span(cells.map(({ x }) => x)), span(cells.map(({ y }) => y)).toReversed()];
  const corner = centreOf({ x: columns[0] ?? 0, y: rows[0] ?? 0 });
  return {
    columns: columns.map(String),
    rows: rows.map(String),
    corner: { x: corner.x - SIZE / 2, y: corner.y - SIZE / 2 },
    cell: SIZE,
    isCentred: true,
  };
}

/** All numbers from one less than the least to one more than the greatest. */
function span(numbers: readonly number[]): number[] {
  const least = Math.min(...numbers) - 1;
  return Array.from({ length: Math.max(...numbers) - least + 2 }, (_, index) => least + index);
}

/** Shows all of the cells. */
export function fitted(cells: readonly Cell[], picture: Picture): Camera {
  return framed(cells, picture, SIZE);
}

/** The same with room for a further cell on every side, above what stands at the bottom of the picture. */
export function fittedToPlay(cells: readonly Cell[], { width, height }: Picture): Camera {
  return aboveTools(framed(cells, { width, height: height - TOOLS }, ROOM_TO_PLAY));
}

/** Moves what is seen up by half the height of the tools, to the middle of the space above them. */
function aboveTools({ middle, scale }: Camera): Camera {
  return { middle: { x: middle.x, y: middle.y + TOOLS / 2 / scale }, scale };
}

function framed(cells: readonly Cell[], picture: Picture, room: number): Camera {
  return cameras.framing(cameras.grown(areaOf(cells), room / 2 + GAP), picture, LARGEST_FITTED / SIZE);
}

/** Shows tiles at this width, with the cell as near to the middle as the edges of the table allow. */
export function near(cell: Cell, cells: readonly Cell[], { width, height }: Picture, tile: number): Camera {
  const area = cameras.grown(areaOf(cells), ROOM_TO_PLAY / 2);
  return aboveTools(cameras.closeTo(centreOf(cell), area, { width, height: height - TOOLS }, tile / SIZE));
}

/** Whether a cell is in the picture, and not behind the tools. */
export function shows(camera: Camera, cell: Cell, picture: Picture): boolean {
  const { x, y } = cameras.revealing(camera, centreOf(cell), picture, SIZE, TOOLS).middle;
  return x === camera.middle.x && y === camera.middle.y;
}

/** Moves the picture as little as possible so that it shows the cell and some of what is around it. */
export function revealing(camera: Camera, cell: Cell, picture: Picture): Camera {
  return cameras.revealing(camera, centreOf(cell), picture, 1.25 * SIZE, TOOLS);
}

/** The same scale or a larger one with a cell in the middle, large enough to place a meeple there. */
export function closeUp(cell: Cell, camera: Camera): Camera {
  return { middle: centreOf(cell), scale: Math.max(camera.scale, CLOSE_UP / SIZE) };
}
