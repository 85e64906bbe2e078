// The non-interactive parts of a Wallwars board: ground, grid, names of rows and columns, walls, pieces, hints.
// Called by the board element.
import { svg, type SVGTemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { grown, type Area, type Camera, type Picture } from "../common/camera";
import * as geometry from "./geometry";
import { columnName, rowName } from "./notation";
import { drawPiece } from "./pieces";
import type { Hint, Scene, ScenePiece, SceneWall } from "./scene";

const { UNIT, WALL_INSET } = geometry;
/** The gap around the board. */
const RIM = 4;
/** The names of rows and columns: their size in cells, and between which sizes in CSS pixels they stay. */
const LABEL_SIZE = 0.19;
const LABEL_PIXELS = { least: 10, most: 14 };
/** The distance of a name from the edge of its cell. */
const LABEL_GAP = 9;
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

/** The names of columns and rows inside the lowest row and the leftmost column, or inside the edges of the picture. */
export function drawLabels(
  { columns, rows, isFlipped }: { columns: number; rows: number; isFlipped: boolean },
  { middle, scale }: Camera,
  { width, height }: Picture,
): SVGTemplateResult {
  const pixels = Math.min(LABEL_PIXELS.most, Math.max(LABEL_PIXELS.least, LABEL_SIZE * UNIT * scale));
  const size = pixels / scale;
  const bottom = Math.min(rows * UNIT, middle.y + height / 2 / scale) - LABEL_GAP;
  const left = Math.max(0, middle.x - width / 2 / scale) + LABEL_GAP;
  const below = Array.from({ length: columns }, (_, place) => {
    const column = isFlipped ? columns - 1 - place : place;
    return svg`<text class="label column" x=${(place + 1) * UNIT - LABEL_GAP} y=${bottom}>${columnName(column)}</text>`;
  });
  const beside = Array.from({ length: rows }, (_, place) => {
    const row = isFlipped ? rows - 1 - place : place;
    return svg`<text class="label" x=${left} y=${place * UNIT + LABEL_GAP / 2 + size * 0.85}>${rowName(row, rows)}</text>`;
  });
  return svg`<g class="labels" font-size=${size} aria-hidden="true">${below}${beside}</g>`;
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
