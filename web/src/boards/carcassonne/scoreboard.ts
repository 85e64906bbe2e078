// The rows above and below the table: points and meeples of each seat, tiles left, and at the end what the points were
// for. Called by the board element.
import { html, nothing, svg, type TemplateResult } from "lit";
import * as texts from "#texts/boards/carcassonne";
import * as labels from "#texts/labels";
import { drawMeeple, seatMark } from "./drawing";
import type { Breakdown, CarcassonneView } from "./scene";

const COLUMNS: readonly (keyof Breakdown)[] = ["cities", "roads", "monasteries", "fields"];

/** A row of the seats with their points and the meeples that they have left. */
export function drawScoreboard(view: CarcassonneView): TemplateResult {
  return html`<div class="scoreboard">${view.scores.map((_, seat) => seatEntry(view, seat))}</div>`;
}

/** How many tiles are left, and which ones had no place. */
export function drawTilesLeft({ tilesRemaining, discarded, phase }: CarcassonneView): TemplateResult {
  const gone = discarded.length === 0 ? "" : texts.withoutPlace(discarded.length);
  const last = tilesRemaining === 0 && phase !== "game_over" ? texts.lastTile : null;
  const tiles = texts.tilesLeft(tilesRemaining, html`<b>${tilesRemaining}</b>`);
  return html`<p class="left">${last ?? tiles}${gone}</p>`;
}

function seatEntry(
  { scores, supply, lastMove, toMove, left }: CarcassonneView,
  seat: number,
): TemplateResult {
  const [points = 0, meeples = 0, gained = 0] = [scores[seat], supply[seat], lastMove?.points[seat]];
  const isGone = left.includes(seat);
  const words = texts.seat(seat + 1, points, meeples, isGone);
  const state = `${seat === toMove ? "to-move" : ""} ${isGone ? "gone" : ""}`;
  return html`<span class="seat seat-${seat} ${state}" role="img" aria-label=${words} title=${words}>
    <svg viewBox="-14 -14 28 28" aria-hidden="true">
      ${svg`${drawMeeple("", seatMark(seat, scores.length))}`}
    </svg>
    <span class="meeples">×${meeples}</span>
    <b>${points}</b>
    ${gained > 0 ? html`<span class="gained">+${gained}</span>` : nothing}
  </span>`;
}

/** The points of the end of the game. */
export function drawBreakdown({ breakdown, scores }: CarcassonneView): TemplateResult | typeof nothing {
  if (breakdown === undefined) return nothing;
  const during = (seat: number): number =>
    (scores[seat] ?? 0) - COLUMNS.reduce((points, member) => points + (breakdown[seat]?.[member] ?? 0), 0);
  return html`<table class="breakdown">
    <thead>
      <tr>
        <td></td>
        <th>${texts.played}</th>
        ${COLUMNS.map((member) => html`<th>${texts.columns[member]}</th>`)}
        <th>${texts.total}</th>
      </tr>
    </thead>
    <tbody>
      ${breakdown.map(
        (points, seat) =>
          html`<tr>
            <th class="seat-${seat}" aria-label=${labels.player(seat + 1)}>
              <i>${seatMark(seat, scores.length)}</i>
            </th>
            <td>${during(seat)}</td>
            ${COLUMNS.map((member) => html`<td>${points[member]}</td>`)}
            <td><b>${scores[seat]}</b></td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}
