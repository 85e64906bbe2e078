// <eval-bar>: an evaluation as a vertical bar. Display only; the owner of a feed sets its properties.
// Its width never changes.
import { LitElement, html, type CSSResultGroup, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { Basis, EvalStatus, Values } from "../state/evaluation";
import { basisText } from "../state/labels";
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
  /** One per seat, in [-1, 1]; null while unknown. */
  @property({ attribute: false }) values: Values | null = null;
  /** What the values of two opponents are worth, each in [0, 1]; null if unknown. */
  @property({ attribute: false }) chances: Values | null = null;
  /** The seat whose share grows from the bottom. */
  @property({ type: Number }) below = 0;
  /** The network behind the values, and its search; null if unknown. */
  @property({ attribute: false }) basis: Basis | null = null;
  /** Why no values arrive; may be empty. */
  @property() problem = "";

  override render(): TemplateResult {
    const { values } = this;
    return values !== null && values.length > 2 ? this.bands(values) : this.balance();
  }

  /** More than two seats: one band for each, the seat below at the bottom. */
  private bands(values: Values): TemplateResult {
    const { status, below } = this;
    const isShown = status !== "off" && status !== "forbidden";
    const shares = sharesOf(values);
    const state = status === "live" ? "" : NAMES[status];
    const figures = shares.map((share, seat) => `player ${seat + 1} ${Math.round(100 * share)} %`);
    const words = [...(isShown ? figures : []), state].filter((part) => part !== "").join(", ");
    const details = this.details(words, isShown);
    const order = [...values.keys()].map((_, index) => (below + 1 + index) % values.length);
    return html`
      <div
        class="bar ${status} ${isShown ? "known" : ""}"
        role="img"
        aria-label="Evaluation: ${words}"
        aria-description=${isShown ? basisText(this.basis) : ""}
        title="Evaluation: ${details}"
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
    const { status, values, below } = this;
    const isShown = values !== null && status !== "off" && status !== "forbidden";
    const first = (isShown ? values[0] : 0) ?? 0;
    const own = (isShown ? values[below] : 0) ?? 0;
    const share = (isShown ? this.chances?.[below] : undefined) ?? (1 + own) / 2;
    const text = isShown ? figure(first) : "";
    const chance = isShown && this.chances !== null ? percentage(this.chances[0] ?? 0) : "";
    const state = status === "live" ? "" : NAMES[status];
    const words = [text, chance, state].filter((part) => part !== "").join(", ");
    const details = this.details(words, isShown);
    return html`
      <div
        class="bar ${status} ${isShown ? `known seat-${1 - below}` : ""}"
        role="meter"
        aria-label="Evaluation for the first player"
        aria-valuemin="-1"
        aria-valuemax="1"
        aria-valuenow=${first}
        aria-valuetext=${words}
        aria-description=${isShown ? basisText(this.basis) : ""}
        title="Evaluation for the first player: ${details}"
      >
        <div class="fill ${isShown ? `seat-${below}` : ""}" style="transform: scaleY(${share})"></div>
        <div class="middle"></div>
        <div
          class="figure on-${share < 0.5 ? 1 - below : below} ${share < 0.5 ? "above" : ""}"
          ?hidden=${!isShown}
        >
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

// A site that embeds our bar may define an element of this name; the embedded bar has its own class.
if (customElements.get("eval-bar") === undefined) customElements.define("eval-bar", EvalBar);

/** Each seat's part of the bar; all are equal where nobody has anything. `values`: in [-1, 1]. */
export function sharesOf(values: Values): number[] {
  const whole = values.reduce((sum, value) => sum + value + 1, 0);
  return values.map((value) => (whole === 0 ? 1 / values.length : (value + 1) / whole));
}

/** An expected score in [0, 1], in words. */
function percentage(chance: number): string {
  return `expected score ${Math.round(100 * chance)} %`;
}

/** One decimal, as more would not fit the bar; never "-0.0". */
function figure(value: number): string {
  return (Math.round(value * 10) / 10 || 0).toFixed(1);
}
