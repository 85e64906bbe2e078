// What stands below an embedded board: the buttons that go through the moves, and the way home; and what stands in place of
// a board that cannot be shown. Called by the embedded elements.
import { html, type TemplateResult } from "lit";
import * as common from "#texts/common";
import * as embed from "#texts/embed";
import * as texts from "#texts/moves";
import { icons } from "../elements/icons";

export interface Walker {
  /** Shows the position after so many moves. */
  readonly onPly: (ply: number) => void;
  /** The address on the server of what is shown. */
  readonly home: string;
}

/** `last`: the number of moves. */
export function drawWalk(ply: number, last: number, { onPly, home }: Walker): TemplateResult {
  const step = (label: string, icon: TemplateResult, to: number, isDisabled: boolean): TemplateResult =>
    html`<button
      aria-label=${label}
      title=${label}
      ?disabled=${isDisabled}
      @click=${() => {
        onPly(to);
      }}
    >
      ${icon}
    </button>`;
  return html`<div class="walk">
    <div role="group" aria-label=${texts.navigation}>
      ${step(texts.firstPosition, icons.first, 0, ply === 0)}
      ${step(texts.previousMove, icons.back, ply - 1, ply === 0)}
      ${step(texts.nextMove, icons.forward, ply + 1, ply === last)}
      ${step(texts.lastPosition, icons.last, last, ply === last)}
    </div>
    <span class="ply" aria-live="polite">${texts.place(ply, last)}</span>
    ${drawHome(home)}
  </div>`;
}

/** `problem`: why nothing is shown, empty while it is loading; `home`: the server, if its address is known. */
export function drawEmpty(problem: string, home: string | null): TemplateResult {
  return html`<div class="empty">
    ${problem === "" ? html`<p>${common.loading}</p>` : html`<p class="problem" role="alert">${problem}</p>`}
    ${home === null ? null : drawHome(home)}
  </div>`;
}

function drawHome(address: string): TemplateResult {
  return html`<a class="home" href=${address} target="_blank" rel="noopener" title=${embed.open}
    >Plyhouse</a
  >`;
}
