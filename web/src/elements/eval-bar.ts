// <eval-bar>: an evaluation as a vertical bar. It only shows; whoever has a feed sets its properties.
// Its width never changes, whatever it shows.
import { LitElement, html, type CSSResultGroup, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { EvalStatus } from "../state/evaluation";
import { evalBarStyles } from "./eval-bar-styles";

const NAMES: Readonly<Record<EvalStatus, string>> = {
  off: "off",
  connecting: "connecting",
  pending: "thinking",
  live: "live",
  frozen: "not up to date",
  forbidden: "not available for this game",
};

export class EvalBar extends LitElement {
  static override styles: CSSResultGroup = evalBarStyles;

  @property() status: EvalStatus = "off";
  /** Worth for seat 0, in [-1, 1]; null while unknown. */
  @property({ type: Number }) value: number | null = null;
  /** The seat whose share grows from the bottom. */
  @property({ type: Number }) below = 0;
  /** Why nothing comes; empty where there is nothing to say. */
  @property() problem = "";

  override render(): TemplateResult {
    const { status, value, below } = this;
    const isShown = value !== null && status !== "off" && status !== "forbidden";
    const own = (isShown ? value : 0) * (below === 0 ? 1 : -1);
    const text = isShown ? figure(value) : "";
    const words = [text, status === "live" ? "" : NAMES[status]].filter((part) => part !== "").join(", ");
    return html`
      <div
        class="bar ${status} ${isShown ? `known seat-${1 - below}` : ""}"
        role="meter"
        aria-label="Evaluation for the first player"
        aria-valuemin="-1"
        aria-valuemax="1"
        aria-valuenow=${isShown ? value : 0}
        aria-valuetext=${words}
        title="Evaluation for the first player: ${words} ${this.problem}"
      >
        <div class="fill ${isShown ? `seat-${below}` : ""}" style="transform: scaleY(${(1 + own) / 2})"></div>
        <div class="middle"></div>
        <div class="figure on-${own < 0 ? 1 - below : below} ${own < 0 ? "above" : ""}" ?hidden=${!isShown}>
          ${text}
        </div>
        <svg class="no" viewBox="0 0 16 16" aria-hidden="true" ?hidden=${status !== "forbidden"}>
          <circle cx="8" cy="8" r="6" />
          <path d="M4 12 12 4" />
        </svg>
      </div>
    `;
  }
}

// A site that embeds our bar may have an element of this name; the embedded one is a class of its own.
if (customElements.get("eval-bar") === undefined) customElements.define("eval-bar", EvalBar);

/** One digit fits the bar; never "-0.0". */
function figure(value: number): string {
  return (Math.round(value * 10) / 10 || 0).toFixed(1);
}
