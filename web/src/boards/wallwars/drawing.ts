// The non-interactive parts of a Wallwars board: ground, grid, names of rows and columns, walls, pieces, hints.
// Called by the board element.
import { svg, type SVGTemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { grown, type Area } from "../common/camera";
import type { Grid } from "../common/labels";
import * as geometry from "./geometry";
import { columnName, rowName } from "./notation";
import { drawPiece } from "./pieces";
import type { Hint, Scene, ScenePiece, SceneWall } from "./scene";

const { UNIT, WALL_INSET } = geometry;
/** The gap around the board. */
const RIM = 4;
/** The distance of an arrow's end from the centre of its cell. */
const ARROW_GAP = 14;

/** The whole board, with its rim. */
export function boardArea(columns: number, rows: number): Area {
  const [width, height] = [columns * UNIT, rows * UNIT];
  return grown({ middle: { x: width / 2, y: height / 2 }, width, height }, RIM);
}

export function drawGround(columns: number, rows: number): SVGTemplateResult {
  return svg`<rect class="ground" width=${columns * UNIT} height=${rows * UNIT} rx="6"/>`;
}

export function drawGrid(columns: number, rows: number): SVGTemplateResult {
  const down = Array.from({ length: columns - 1 }, (_, i) => `M${(i + 1) * UNIT} 0v${rows * UNIT}`);
  const across = Array.from({ length: rows - 1 }, (_, i) => `M0 ${(i + 1) * UNIT}h${columns * UNIT}`);
  return svg`<path class="grid" d=${[...down, ...across].join("")}/>
    <rect class="rim" width=${columns * UNIT} height=${rows * UNIT} rx="6"/>`;
}

/** The names of columns and rows as they are seen. */
export function gridOf(columns: number, rows: number, isFlipped: boolean): Grid {
  const names = {
    columns: Array.from({ length: columns }, (_, column) => columnName(column)),
    rows: Array.from({ length: rows }, (_, row) => rowName(row, rows)),
  };
  const turn = (all: readonly string[]): readonly string[] => (isFlipped ? all.toReversed() : all);
  return { columns: turn(names.columns), rows: turn(names.rows), corner: { x: 0, y: 0 }, cell: UNIT };
}

export function drawArrivals({ arrivals }: Scene): SVGTemplateResult[] {
  return arrivals.map(
    ({ row, column }) =>
      svg`<rect class="arrival" x=${column * UNIT} y=${row * UNIT} width=${UNIT} height=${UNIT}/>`,
  );
}

/** Pieces keep their elements from one position to the next, so that they glide. */
export function drawPieces(
  pieces: readonly ScenePiece[],
  isFlipped: boolean,
  isDraggable: (piece: ScenePiece) => boolean = () => false,
): unknown {
  return repeat(
    pieces,
    ({ piece, seat, moment }) => `${piece} ${seat} ${moment === "past"}`,
    (piece) => drawPiece(piece, place(geometry.pawnSpot(piece, pieces), isFlipped), isDraggable(piece)),
  );
}

/** Pieces stand upright, whichever way the board is turned. */
function place({ x, y, scale }: geometry.Spot, isFlipped: boolean): string {
  return `translate(${x}px, ${y}px) scale(${scale}) rotate(${isFlipped ? 180 : 0}deg)`;
}

export function drawWall({ orientation, cell, seat, moment, isFresh }: SceneWall): SVGTemplateResult {
  const owner = seat === null ? "neutral" : `seat-${seat}`;
  const { from, to } = geometry.wallLine(orientation, cell, WALL_INSET);
  return svg`<line class="wall ${owner} ${moment} ${isFresh ? "fresh" : ""}"
    x1=${from.x} y1=${from.y} x2=${to.x} y2=${to.y}/>`;
}

export function drawHint({ steps, walls }: Hint): SVGTemplateResult {
  return svg`
    <defs>
      <marker id="tip" viewBox="0 0 10 10" refX="6" refY="5" markerWidth="3.2" markerHeight="3.2" orient="auto">
        <path class="tip" d="M0 0L10 5 0 10z"/>
      </marker>
    </defs>
    ${walls.map(({ orientation, cell }) => {
      const { from, to } = geometry.wallLine(orientation, cell, WALL_INSET);
      return svg`<line class="hint" x1=${from.x} y1=${from.y} x2=${to.x} y2=${to.y}/>`;
    })}
    ${steps.map(({ from, to }) => {
      const line = geometry.shortened(geometry.centre(from), geometry.centre(to), ARROW_GAP);
      return svg`<line class="hint arrow" marker-end="url(#tip)"
        x1=${line.from.x} y1=${line.from.y} x2=${line.to.x} y2=${line.to.y}/>`;
    })}`;
}
