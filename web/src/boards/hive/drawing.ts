// The non-interactive parts of a Hive board: tiles with their bugs, marks of the last move, hints, and a stack spread
// out. Called by the board element and its trays.
import { nothing, svg, type SVGTemplateResult } from "lit";
import * as texts from "#texts/boards/hive";
import type { Point } from "../common/arrows";
import { BUG_SHAPES } from "./bugs";
import * as geometry from "./geometry";
import type { Cell, Piece } from "./notation";
import { hintOf, type HiveView, type Target, type Tile } from "./scene";

const { RADIUS } = geometry;
const OUTLINE = geometry.hexagon(RADIUS - 2, 0.16);
const INNER = geometry.hexagon(RADIUS - 7.5, 0.16);
export const CELL = geometry.hexagon(RADIUS);
export const MARK = geometry.hexagon(RADIUS - 4, 0.16);
/** Scale of the bugs, which leaves room for a number below. */
const BUG_SCALE = 0.86;
/** The distance of an arrow's ends from the middle of a cell. */
const ARROW_GAP = 20;

/** One piece around the origin. */
export function drawTile({ seat, bug, number }: Piece): SVGTemplateResult {
  return svg`<g class="tile seat-${seat} ${bug}">
    <path class="ground" d=${OUTLINE}/>
    ${seat === 1 ? svg`<path class="band" d=${INNER}/>` : nothing}
    <g transform="scale(${BUG_SCALE})">${BUG_SHAPES[bug]}</g>
    ${number === 0 ? nothing : svg`<text class="number" x="27" y="24">${number}</text>`}
  </g>`;
}

/** The height of a stack, at the corner of its top. */
export function drawHeight({ height }: Tile): SVGTemplateResult {
  return svg`<g class="height" transform="translate(30 -30)">
    <circle r="14"/><text y="7">${height}</text>
  </g>`;
}

/** Marks the piece that must not move in this turn. */
export function drawRest(): SVGTemplateResult {
  return svg`<g class="rest" transform="translate(-31 -29)"><circle r="11"/><path d="M-3.500-5v10M3.500-5v10"/></g>`;
}

/** Marks where the last move started; its end is marked on the tile. */
export function drawOrigin(cell: Cell, isFlipped: boolean): SVGTemplateResult {
  return svg`<path class="origin" d=${MARK} transform=${at(geometry.centre(cell, isFlipped))}/>`;
}

/** Marks the tile that the last move has moved, or that is `staged`. */
export function drawArrival(how: "" | "staged"): SVGTemplateResult {
  return svg`<path class="arrival ${how}" d=${OUTLINE}/>`;
}

export function drawHint(view: HiveView, move: string, isFlipped: boolean): SVGTemplateResult | null {
  const hint = hintOf(view, move);
  if (hint === null) return null;
  const to = targetCentre(hint.to, isFlipped);
  const isFromHand = hint.from === null;
  return svg`<g class="pointed-out">
    ${isFromHand ? svg`<g class="ghost" transform=${at(to)}>${drawTile(hint.piece)}</g>` : nothing}
    <path class="hint" d=${MARK} transform=${at(to)}/>
    ${hint.from === null ? nothing : drawArrow(targetCentre(hint.from, isFlipped), to)}
  </g>`;
}

function drawArrow(from: Point, to: Point): SVGTemplateResult {
  const line = geometry.shortened(from, to, ARROW_GAP);
  return svg`
    <defs>
      <marker id="tip" viewBox="0 0 10 10" refX="6" refY="5" markerWidth="3.2" markerHeight="3.2" orient="auto">
        <path class="tip" d="M0 0L10 5 0 10z"/>
      </marker>
    </defs>
    <line class="hint" marker-end="url(#tip)" x1=${line.from.x} y1=${line.from.y} x2=${line.to.x} y2=${line.to.y}/>`;
}

/** The centre of the piece at its new place. */
export function targetCentre(target: Target, isFlipped: boolean): Point {
  return geometry.tileCentre({ ...target, height: target.level + 1 }, isFlipped);
}

/** Draws the pieces of a stack side by side, bottom first, above or below `top`, which is in the units of VIEW. */
export function drawSpread(tiles: readonly Tile[], top: Point, scale: number): SVGTemplateResult {
  const size = SPREAD_SIZE;
  const step = 2 * geometry.HALF_WIDTH * size + 8;
  const width = tiles.length * step + 24;
  const height = 2 * RADIUS * size + 44;
  const edge = geometry.VIEW.width / 2 - width / 2 - 4;
  const x = Math.max(-edge, Math.min(edge, top.x));
  const away = RADIUS * scale + height / 2 + 6;
  const y = top.y - away - height / 2 < -geometry.VIEW.height / 2 ? top.y + away : top.y - away;
  return svg`<g class="spread" transform=${at({ x, y })} aria-hidden="true">
    <rect class="card" x=${-width / 2} y=${-height / 2} width=${width} height=${height} rx="14"/>
    ${tiles.map(
      (
        tile,
        index,
      ) => svg`<g transform="translate(${(index - (tiles.length - 1) / 2) * step} -14) scale(${size})">
        ${drawTile(tile)}
      </g>`,
    )}
    <text x=${-width / 2 + 14} y=${height / 2 - 11}>${texts.bottom}</text>
    <text class="end" x=${width / 2 - 14} y=${height / 2 - 11}>${texts.top}</text>
  </g>`;
}

/** Scale of the tiles of a spread, whatever the scale of the hive. */
const SPREAD_SIZE = 1.05;

export function at({ x, y }: Point): string {
  return `translate(${x} ${y})`;
}
