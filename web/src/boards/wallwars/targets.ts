// The legal actions of a Wallwars position as clickable targets: where each is, and how it is drawn.
// Called by the board element, which handles the picking.
import { svg, type SVGTemplateResult } from "lit";
import type { Point } from "../common/arrows";
import * as geometry from "./geometry";
import { parseAction, type Action } from "./notation";

/** The distance from the centre of a step's target to its edge. */
export const STEP_RADIUS = 34;

/** A legal action as a clickable target. */
export interface Target {
  readonly text: string;
  readonly action: Action;
  readonly at: Point;
}

/** The targets, walls first: where hit areas overlap, a step is on top. */
export function targetsOf(legal: readonly string[], boardHeight: number): Target[] {
  const actions = legal.flatMap((text) => {
    const action = parseAction(text, boardHeight);
    return action === null ? [] : [{ text, action }];
  });
  const all = actions.map(({ action }) => action);
  const targets = actions.map(({ text, action }) => ({ text, action, at: targetPoint(action, all) }));
  return [
    ...targets.filter(({ action }) => action.kind === "wall"),
    ...targets.filter(({ action }) => action.kind === "step"),
  ];
}

function targetPoint(action: Action, all: readonly Action[]): Point {
  if (action.kind === "step") return geometry.stepSpot(action, all);
  const { from, to } = geometry.wallLine(action.orientation, action.cell, 0);
  return { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
}

/** Draws the hit area (`area`) and the mark of the action (`offer`). */
export function drawTarget({ action, at }: Target): SVGTemplateResult {
  return action.kind === "wall" ? wallTarget(action) : stepTarget(at, action);
}

function wallTarget(action: Extract<Action, { kind: "wall" }>): SVGTemplateResult {
  const corners = geometry.wallDiamond(action.orientation, action.cell);
  const { from, to } = geometry.wallLine(action.orientation, action.cell, geometry.WALL_INSET);
  return svg`<polygon class="area" points=${corners.map(({ x, y }) => `${x},${y}`).join(" ")}/>
    <line class="offer" x1=${from.x} y1=${from.y} x2=${to.x} y2=${to.y}/>`;
}

/** A step that shares its cell with another one has half the space. */
function stepTarget(at: Point, action: Action): SVGTemplateResult {
  const isShared = at.x !== geometry.centre(action.cell).x;
  return svg`<ellipse class="area" cx=${at.x} cy=${at.y} rx=${isShared ? geometry.UNIT / 5 : STEP_RADIUS} ry=${STEP_RADIUS}/>
    <circle class="offer" cx=${at.x} cy=${at.y} r="11"/>`;
}
