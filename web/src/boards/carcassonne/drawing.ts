// How tiles and meeples are drawn, as SVG. Colours are classes in styles.ts. Called by the board element.
import { nothing, svg, type SVGTemplateResult } from "lit";
import type { Point } from "../common/arrows";
import { SIZE, YARD, type TileLayout } from "./layout";
import type { ScoredFeature } from "./scene";
import { centreOf } from "./camera";

const HALF = SIZE / 2;

/** A standing meeple around the origin, about 24 units wide. */
const MEEPLE =
  "M0-12.5a4.6 4.6 0 0 0-4.3 6.2C-8-5-12.5-3.2-12.5-.8c0 1.6 1.4 2.2 3 2.2 1.5 0 3-.4 4.3-.8-.9 2.6-4 6.6-4 8.9 0 1.2.7 1.7 1.8 1.7h4c1 0 1.4-.5 1.8-1.4C-1 8.3-.7 7 0 7s1 1.3 1.6 2.8c.4.9.8 1.4 1.8 1.4h4c1.1 0 1.8-.5 1.8-1.7 0-2.3-3.1-6.3-4-8.9 1.3.4 2.8.8 4.3.8 1.6 0 3-.6 3-2.2 0-2.4-4.5-4.2-8.2-5.5A4.6 4.6 0 0 0 0-12.5Z";

/** An unturned tile around the origin. */
export function drawTile({ cities, walls, roads, centre, pennants, houses }: TileLayout): SVGTemplateResult {
  return svg`
    <rect class="field" x=${-HALF} y=${-HALF} width=${SIZE} height=${SIZE}/>
    ${roads.map((course) => svg`<path class="road-edge" d=${path(course)}/>`)}
    ${roads.map((course) => svg`<path class="road" d=${path(course)}/>`)}
    ${cities.map((outline) => svg`<path class="city" d="${path(outline)}Z"/>`)}
    ${walls.map((wall) => svg`<path class="rampart" d=${path(wall)}/>`)}
    ${houses.map(drawHouse)}
    ${pennants.map(drawPennant)}
    ${centre === "village" ? drawVillage() : centre === "monastery" ? drawMonastery() : null}
    <rect class="edge" x=${-HALF} y=${-HALF} width=${SIZE} height=${SIZE}/>`;
}

function path(points: readonly Point[]): string {
  return points
    .map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`)
    .join("");
}

/** From above, as tiles are turned. */
function drawHouse({ x, y }: Point): SVGTemplateResult {
  return svg`<g class="house" transform="translate(${x} ${y})">
    <rect class="roof" x="-5.5" y="-4.5" width="11" height="9" rx="1"/><path class="ridge" d="M-5.5 0H5.5"/>
  </g>`;
}

function drawPennant({ x, y }: Point): SVGTemplateResult {
  return svg`<g class="pennant" transform="translate(${x} ${y})">
    <path class="shield" d="M-8-9h16v8c0 6-4 9.5-8 11.5c-4-2-8-5.5-8-11.5Z"/>
    <path class="cross" d="M0-8V9M-7-2H7"/>
  </g>`;
}

/** Where roads end beside each other. */
function drawVillage(): SVGTemplateResult {
  return svg`<circle class="village" r="9"/>
    <rect class="roof" x="-5" y="-5" width="10" height="10" rx="1"/><path class="ridge" d="M-5-5L5 5M-5 5L5-5"/>`;
}

function drawMonastery(): SVGTemplateResult {
  return svg`<rect class="yard" x=${-YARD} y=${-YARD} width=${2 * YARD} height=${2 * YARD} rx="4"/>
    <path class="wall" d="M-11-1h14v12h-14ZM3-6h8v17h-8Z"/>
    <path class="roof" d="M-13 0l4-7h12v7ZM1.5-5L7-13l5.5 8Z"/>
    <path class="door" d="M-6 11v-5a2.5 2.5 0 0 1 5 0v5Z"/>`;
}

/** A meeple around the origin, with the mark of its seat; those on fields lie down. */
export function drawMeeple(spot: string, mark = ""): SVGTemplateResult {
  const turn = spot.startsWith("field") ? "rotate(-90)" : "";
  return svg`<g transform=${turn}><path class="meeple" d=${MEEPLE}/></g>
    ${mark === "" ? nothing : svg`<text class="digit" y="8">${mark}</text>`}`;
}

/** What tells a seat apart without its colour: its number, where there are more than two. */
export function seatMark(seat: number, seats: number): string {
  return seats > 2 ? String(seat + 1) : "";
}

/** The cells of a feature that was completed. */
export function drawScored({ cells }: ScoredFeature): SVGTemplateResult[] {
  return cells.map(
    (cell) => svg`<rect class="scored" transform=${at(centreOf(cell))}
    x=${-HALF + 3} y=${-HALF + 3} width=${SIZE - 6} height=${SIZE - 6} rx="6"/>`,
  );
}

export function at({ x, y }: Point): string {
  return `translate(${x} ${y})`;
}
