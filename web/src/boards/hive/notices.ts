// What the board says over the hive. Called by the board element.
import { html, type TemplateResult } from "lit";
import * as texts from "#texts/boards/hive";
import { seatName } from "./notation";

/** The button for a forced pass. */
export function drawPass(onPass: () => void): TemplateResult {
  return html`<button class="pass" @click=${onPass}>${texts.mustPass}</button>`;
}

export function drawPassed(seat: number): TemplateResult {
  return html`<p class="note">${texts.passed(seatName(seat))}</p>`;
}

/** Shows that a game begins with a piece from the hand. */
export function drawInvitation(isBelow: boolean): TemplateResult {
  return html`<p class="note ${isBelow ? "" : "above"}">
    ${isBelow ? texts.chooseBelow : texts.chooseAbove}
  </p>`;
}
