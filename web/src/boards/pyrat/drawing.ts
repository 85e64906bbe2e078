// How the maze, the cheese, the players and their steps are drawn, as SVG. Colours are classes in styles.ts.
// Called by the board element and the scoreboard.
import { nothing, svg, type SVGTemplateResult } from "lit";
import * as texts from "#texts/boards/pyrat";
import type { Point } from "../common/arrows";
import { SIZE, centreOf, type Cell, type Frame } from "./geometry";
import { asideOf, stays, type Mud, type Player, type Step } from "./scene";
import { NAMES } from "./notation";

const HALF = SIZE / 2;
/** How far arrows of both seats between the same cells are apart from the line between them. */
const ASIDE = 11;
/** The tail of an arrow, and its tip where it leads to a player or to an empty cell, from the middle of its first cell. */
const TAIL = 14;
const TIP = 74;
const FAR_TIP = 98;
const HEAD = 26;

/** A step that has led to the position, one that leads on, and the viewer's own one that others do not know yet. */
export type StepKind = "last" | "hinted" | "sealed";

export function at({ x, y }: Point): string {
  return `translate(${x} ${y})`;
}

/** A rat's head around the origin, in a circle of about 40 units. */
export function drawRat(): SVGTemplateResult {
  return svg`
    <path class="skin" d="M-21-33a15 15 0 0 1 13 11a32 32 0 0 1 16 0a15 15 0 1 1 17 18c3 6 3 12 0 18c-4 9-15 22-25 22s-21-13-25-22c-3-6-3-12 0-18a15 15 0 0 1 4-29Z"/>
    <circle class="inner" cx="-21" cy="-18" r="8"/><circle class="inner" cx="21" cy="-18" r="8"/>
    <circle class="white" cx="-10" cy="2" r="6.500"/><circle class="white" cx="10" cy="2" r="6.500"/>
    <circle class="dark" cx="-9" cy="3" r="3.500"/><circle class="dark" cx="9" cy="3" r="3.500"/>
    <path class="whiskers" d="M-9 23l-24-5M-9 27l-23 4M9 23l24-5M9 27l23 4"/>
    <ellipse class="inner nose" cy="27" rx="7" ry="6"/>`;
}

/** A coiled snake around the origin, in a circle of about 40 units. */
export function drawPython(): SVGTemplateResult {
  return svg`
    <path class="skin" d="M0-3c22 0 37 9 37 20s-15 19-37 19s-37-8-37-19s15-20 37-20Z"/>
    <path class="coil" d="M-36 17c4 8 17 12 35 12s32-4 36-12"/>
    <path class="skin" d="M-2-9c15 0 26 7 26 15s-10 13-25 13s-26-5-26-13s10-15 25-15Z"/>
    <path class="neck-rim" d="M-10 7c-12-4-14-16-7-24c5-6 12-8 18-8"/>
    <path class="neck" d="M-10 7c-12-4-14-16-7-24c5-6 12-8 18-8"/>
    <path class="tongue" d="M22-22h9l6-5M31-22l6 5"/>
    <path class="skin head" d="M-4-36c14-2 28 4 28 14s-13 14-25 12c-9-2-13-7-13-13s4-12 10-13Z"/>
    <circle class="white" cx="9" cy="-26" r="5.500"/><circle class="dark" cx="10.500" cy="-26" r="3"/>`;
}

/** A piece of cheese around the origin. */
export function drawCheese(): SVGTemplateResult {
  return svg`
    <path class="rind" d="M-25 6L21-17c4 6 5 14 4 23v13h-50Z"/>
    <path class="slice" d="M-25 6h50v13h-50Z"/>
    <circle class="hole" cx="9" cy="-2" r="4.500"/><circle class="hole" cx="-9" cy="12" r="4"/>
    <circle class="hole" cx="14" cy="13" r="3"/>`;
}

/** Mud between two cells, with its cost. */
export function drawMud([one, other, cost]: Mud, frame: Frame): SVGTemplateResult {
  const [from, to] = [centreOf(one, frame), centreOf(other, frame)];
  const turn = from.y === to.y ? 0 : 90;
  return svg`<g class="mud" transform="translate(${(from.x + to.x) / 2} ${(from.y + to.y) / 2})">
    <title>${texts.mudOf(cost)}</title>
    <path transform="rotate(${turn})" d=${PUDDLE}/>
    <text class="cost" y="11">${cost}</text>
  </g>`;
}

/** Across a border from above to below, around the origin. */
const PUDDLE =
  "M-4-41c10-3 17 4 18 13c1 7 8 9 8 18s-6 10-5 18s6 12 2 21s-13 14-23 11s-15-9-15-18s-7-11-6-20s7-10 7-18s-1-21 14-25Z";

/** The cell where a player has started. */
export function drawStart(cell: Cell, seat: number, frame: Frame): SVGTemplateResult {
  const { x, y } = centreOf(cell, frame);
  return svg`<rect class="start seat-${seat}" x=${x - HALF + 6} y=${y - HALF + 6} width=${SIZE - 12} height=${SIZE - 12}
    rx="14"/>`;
}

/** A player's arrow, or a ring around a player who stays. */
export function drawStep(step: Step, kind: StepKind, frame: Frame): SVGTemplateResult {
  const from = centreOf(step.from, frame);
  if (stays(step))
    return svg`<g class="${kind} ring seat-${step.seat}" transform=${at(from)}><circle r="44"/></g>`;
  const to = centreOf(step.to, frame);
  const tip = kind === "last" ? TIP : FAR_TIP;
  const turn = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
  return svg`<g class="${kind} arrow seat-${step.seat}" transform="${at(from)} rotate(${turn})">
    <path d="M${TAIL} ${ASIDE}H${tip - HEAD}"/>
    <path class="tip" d="M${tip} ${ASIDE}l${-HEAD} ${-HEAD * 0.62}v${HEAD * 1.24}Z"/>
  </g>`;
}

/** A player. It keeps its element from one position to the next, so that it glides. */
export function drawPlayer(players: readonly Player[], seat: number, frame: Frame): SVGTemplateResult {
  const { cell = [0, 0], mud = 0, score = 0 } = players[seat] ?? {};
  const aside = asideOf(players, seat);
  const { x, y } = centreOf(cell, frame);
  const name = texts.player(NAMES[seat] ?? "", cell[0], cell[1], score);
  const words = mud === 0 ? name : `${name}, ${texts.held(mud)}`;
  return svg`<g class="player seat-${seat}" role="img"
    aria-label=${words}
    style="transform: translate(${x + aside * SIZE}px, ${y}px) scale(${aside === 0 ? 1 : 0.72})">
    <g class="figure">${seat === 0 ? drawRat() : drawPython()} ${mud === 0 ? nothing : drawHold(mud)}</g>
  </g>`;
}

/** For how many turns mud still holds a player. */
function drawHold(turns: number): SVGTemplateResult {
  return svg`<g class="hold" transform="translate(29 29)"><circle r="19"/><text y="9">${turns}</text></g>`;
}
