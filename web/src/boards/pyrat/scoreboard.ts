// The rows above and below the maze: the points of both players against all the cheese, and how far the game is.
// Called by the board element.
import { html, svg, type TemplateResult } from "lit";
import * as texts from "#texts/boards/pyrat";
import { drawPython, drawRat } from "./drawing";
import { NAMES } from "./notation";
import type { PyratView } from "./scene";

/** The points, and a bar of all the cheese: the first player's share grows from the left, the other's from the right. */
export function drawScoreboard({ players, cheese, totalCheese }: PyratView): TemplateResult {
  const [first = 0, second = 0] = players.map(({ score }) => score);
  const words = texts.score(first, second, cheese.length, totalCheese);
  return html`<div class="scoreboard" role="img" aria-label=${words} title=${words}>
    ${badge(0, first)}
    <div class="shares">
      <span class="share seat-0" style="width: ${(100 * first) / totalCheese}%"></span>
      <span class="share seat-1" style="width: ${(100 * second) / totalCheese}%"></span>
      <span class="half"></span>
    </div>
    ${badge(1, second)}
  </div>`;
}

function badge(seat: number, score: number): TemplateResult {
  const picture = svg`${seat === 0 ? drawRat() : drawPython()}`;
  return html`<span class="badge seat-${seat}">
    <svg viewBox="-42 -42 84 84" aria-hidden="true">${picture}</svg>
    <b>${score}</b>
  </span>`;
}

/** The number of turns, and who is held by mud and for how many turns, or the cheese that is left. */
export function drawProgress(
  { turn, maxTurns, cheese, totalCheese, players }: PyratView,
  seat: number | null,
): TemplateResult {
  const held = players.flatMap(({ mud }, index) =>
    mud === 0 ? [] : texts.heldFor(index === seat ? texts.you : (NAMES[index] ?? ""), mud),
  );
  return html`<div class="progress">
    <p>${texts.turn(html`<b>${turn}</b>`, maxTurns)}</p>
    ${
      held.length === 0
        ? html`<p>${texts.cheeseLeft(html`<b>${cheese.length}</b>`, totalCheese)}</p>`
        : html`<p class="held">${texts.inMud(held.join(", "))}</p>`
    }
  </div>`;
}
