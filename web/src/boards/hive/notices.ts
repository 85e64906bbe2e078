// What the board says over the hive. Called by the board element.
import { html, type TemplateResult } from "lit";
import { seatName } from "./notation";

/** The button for a forced pass. */
export function drawPass(onPass: () => void): TemplateResult {
  return html`<button class="pass" @click=${onPass}>Pass (no legal move)</button>`;
}

export function drawPassed(seat: number): TemplateResult {
  return html`<p class="note">${seatName(seat)} passed.</p>`;
}

/** Shows that a game begins with a piece from the hand. */
export function drawInvitation(isBelow: boolean): TemplateResult {
  return html`<p class="note ${isBelow ? "" : "above"}">
    Choose a piece from your hand ${isBelow ? "below ↓" : "above ↑"}
  </p>`;
}
