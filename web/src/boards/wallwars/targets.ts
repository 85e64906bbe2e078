// The legal actions of a Wallwars position as clickable targets: where each is, and how it is drawn.
// Called by the board element, which handles the picking.
import { svg, type SVGTemplateResult } from "lit";
import type { Point } from "../common/arrows";
import { isForFingers } from "../common/fingers";
import * as geometry from "./geometry";
import { parseAction, type Action } from "./notation";

/** Half the width of a step's target, in cells. Beside one, walls are picked from the other side. */
const STEP_REACH = 0.38;
const STEP_REACH_OF_FINGERS = 0.46;
/** The wall that is aimed at is easier to hit. */
const AIMED_REACH = 0.4 * geometry.UNIT;

/** A legal action as a clickable target. */
export interface Target {
  readonly text: string;
  readonly action: Action;
  readonly at: Point;
}

/** The targets; where hit areas overlap, a step is above walls, and the one that is aimed at above all. */
export function targetsOf(legal: readonly string[], boardHeight: number, aimed: string | null): Target[] {
  const actions = legal.flatMap((text) => {
    const action = parseAction(text, boardHeight);
    return action === null ? [] : [{ text, action }];
  });
  const all = actions.map(({ action }) => action);
  const rank = ({ text, action }: Target): number => (text === aimed ? 2 : action.kind === "step" ? 1 : 0);
  return actions
    .map(({ text, action }) => ({ text, action, at: targetPoint(action, all) }))
    .toSorted((one, other) => rank(one) - rank(other));
}

function targetPoint(action: Action, all: readonly Action[]): Point {
  if (action.kind === "step") return geometry.stepSpot(action, all);
  const { from, to } = geometry.wallLine(action.orientation, action.cell, 0);
  return { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
}

/** Draws the hit area (`area`) and the mark of the action (`offer`). */
export function drawTarget({ action, at }: Target, isAimed: boolean): SVGTemplateResult {
  return action.kind === "wall" ? wallTarget(action, isAimed) : stepTarget(at, action);
}

type Wall = Extract<Action, { kind: "wall" }>;

function wallTarget(wall: Wall, isAimed: boolean): SVGTemplateResult {
  const { from, to } = geometry.wallLine(wall.orientation, wall.cell, geometry.WALL_INSET);
  return svg`${drawWallArea(wall, isAimed ? AIMED_REACH : geometry.WALL_REACH)}
    <line class="offer" x1=${from.x} y1=${from.y} x2=${to.x} y2=${to.y}/>`;
}

export function drawWallArea({ orientation, cell }: Wall, reach = geometry.WALL_REACH): SVGTemplateResult {
  const corners = geometry.wallArea(orientation, cell, reach);
  return svg`<polygon class="area" points=${corners.map(({ x, y }) => `${x},${y}`).join(" ")}/>`;
}

/** A step that shares its cell with another one has half the space. */
function stepTarget(at: Point, action: Action): SVGTemplateResult {
  const middle = geometry.centre(action.cell);
  const reach = geometry.UNIT * (isForFingers() ? STEP_REACH_OF_FINGERS : STEP_REACH);
  const left = at.x > middle.x ? middle.x : middle.x - reach;
  const width = at.x === middle.x ? 2 * reach : reach;
  return svg`<rect class="area" x=${left} y=${middle.y - reach} width=${width} height=${2 * reach}/>
    <circle class="offer" cx=${at.x} cy=${at.y} r="11"/>`;
}
