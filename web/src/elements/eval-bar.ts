// <eval-bar>: an evaluation as a vertical bar. Display only; the owner of a feed sets its properties.
// Its width never changes. Where the figure and the bands stand: eval-bar-styles.ts.
import { LitElement, html, type CSSResultGroup, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import * as texts from "#texts/evaluation";
import type { Basis, EvalStatus } from "../state/evaluation";
import { basisText } from "../state/labels";
import { percentage, sharesOf, worthFigure, worthText, type Worth } from "../state/worth";
import { evalBarStyles } from "./eval-bar-styles";

export class EvalBar extends LitElement {
  static override styles: CSSResultGroup = evalBarStyles;

  @property() status: EvalStatus = "off";
  /** What the position is worth; null while unknown. */
  @property({ attribute: false }) worth: Worth | null = null;
  /** The seat whose share grows from the bottom. */
  @property({ type: Number }) below = 0;
  /** The network behind it, and its search; null if unknown. */
  @property({ attribute: false }) basis: Basis | null = null;
  /** Why no evaluations arrive; may be empty. */
  @property() problem = "";

  override render(): TemplateResult {
    const { worth } = this;
    return worth !== null && worth.values.length > 2 ? this.bands(worth) : this.balance();
  }

  /** More than two seats: one band for each, the seat below at the bottom. */
  private bands(worth: Worth): TemplateResult {
    const { status, below } = this;
    const isShown = status !== "off" && status !== "forbidden";
    const shares = sharesOf(worth);
    const state = status === "live" ? "" : texts.statuses[status];
    const points = (seat: number): string =>
      worth.points === null ? "" : texts.andPoints(Math.round(worth.points[seat] ?? 0));
    const figures = shares.map((share, seat) => texts.player(seat + 1, percentage(share)) + points(seat));
    const words = [...(isShown ? figures : []), state].filter((part) => part !== "").join(", ");
    const details = this.details(words, isShown);
    const order = shares.map((_, index) => (below + 1 + index) % shares.length);
    return html`
      <div
        class="bar ${status} ${isShown ? "known" : ""}"
        role="img"
        aria-label=${texts.evaluation(words)}
        aria-description=${isShown ? basisText(this.basis) : ""}
        title=${texts.evaluation(details)}
      >
        ${order.map(
          (seat) =>
            html`<div
              class="band"
              ?hidden=${!isShown}
              style="flex-grow: ${shares[seat] ?? 0}; background: var(--seat-${seat})"
            ></div>`,
        )}
      </div>
    `;
  }

  /** The tooltip: the evaluation in words, what it is based on, and why it is missing. */
  private details(words: string, isShown: boolean): string {
    const basis = isShown ? basisText(this.basis) : "";
    return [basis === "" ? words : `${words} (${basis})`, this.problem]
      .filter((part) => part !== "")
      .join(" ");
  }

  private balance(): TemplateResult {
    const { status, below } = this;
    const worth = status === "off" || status === "forbidden" ? null : this.worth;
    const isShown = worth !== null;
    const shares = worth === null ? [0.5, 0.5] : sharesOf(worth);
    const share = shares[below] ?? 0.5;
    const ahead = share < 0.5 ? 1 - below : below;
    const text = worth === null ? "" : worthText(worth, 0);
    const state = status === "live" ? "" : texts.statuses[status];
    const words = [text, state].filter((part) => part !== "").join(", ");
    const details = this.details(words, isShown);
    return html`
      <div
        class="bar ${status} ${isShown ? `known seat-${1 - below}` : ""}"
        role="meter"
        aria-label=${texts.forFirst}
        aria-valuemin="0"
        aria-valuemax="100"
        aria-valuenow=${Math.round(100 * (shares[0] ?? 0.5))}
        aria-valuetext=${words}
        aria-description=${isShown ? basisText(this.basis) : ""}
        title=${texts.forFirstIs(details)}
      >
        <div class="fill ${isShown ? `seat-${below}` : ""}" style="transform: scaleY(${share})"></div>
        <div class="middle"></div>
        <div class="figure on-${ahead} ${ahead === below ? "" : "above"}" ?hidden=${!isShown}>
          ${worth === null ? "" : worthFigure(worth, ahead)}
        </div>
        <svg class="no" viewBox="0 0 16 16" aria-hidden="true" ?hidden=${status !== "forbidden"}>
          <circle cx="8" cy="8" r="6" />
          <path d="M4 12 12 4" />
        </svg>
      </div>
    `;
  }
}

// A site that embeds our bar may define an element of this name; the embedded bar has its own class.
if (customElements.get("eval-bar") === undefined) customElements.define("eval-bar", EvalBar);
