// What is drawn over the tiles: the last move, the points that it scored, and symbols. Called by the board element.
import { svg, type SVGTemplateResult } from "lit";
import { centreOf } from "./camera";
import { at, drawScored } from "./drawing";
import { SIZE } from "./layout";
import type { LastMove } from "./scene";

const HALF = SIZE / 2;

/** An arrow that turns, in a square of 24. */
export const TURN = "M19 12a7 7 0 1 1-2.2-5.1M19 3.5v4.5h-4.5";

/** A square around the origin. */
export function square(name: string, half: number): SVGTemplateResult {
  return svg`<rect class=${name} x=${-half} y=${-half} width=${2 * half} height=${2 * half} rx="3"/>`;
}

/** Marks the tile placed last, and the cells of the features that it completed. */
export function drawLastMove(lastMove: LastMove): SVGTemplateResult {
  return svg`<g class="marks">
    ${lastMove.scored.map(drawScored)}
    <g class="seat-${lastMove.seat}" transform=${at(centreOf(lastMove))}>
      ${square("last-rim", HALF)} ${square("last", HALF)}
    </g>
  </g>`;
}

/** The points that the last move scored for each seat, beside its tile; the same size at every scale. */
export function drawAwards(lastMove: LastMove): SVGTemplateResult {
  const { x, y } = centreOf(lastMove);
  const winners = [...lastMove.points.entries()].filter(([, points]) => points > 0);
  return svg`<g class="marks" transform="translate(${x} ${y - HALF})"><g class="awards">
    ${winners.map(
      ([seat, points], index) => svg`
        <g class="award seat-${seat}" transform="translate(${44 * (index - (winners.length - 1) / 2)} 0)">
          <rect x="-20" y="-12" width="40" height="24" rx="12"/>
          <text y="5.5">+${points}</text>
        </g>`,
    )}
  </g></g>`;
}

/** Shows that another press turns the tile. */
export function drawTurnSign(): SVGTemplateResult {
  return svg`<g class="turns" transform="translate(${HALF - 15} ${15 - HALF})">
    <circle r="14"/><path transform="translate(-12 -12)" d=${TURN}/></g>`;
}
