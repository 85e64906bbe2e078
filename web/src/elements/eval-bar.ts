// <eval-bar>: an evaluation as a vertical bar. It only shows; the game page feeds it.
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { EvalStatus } from "../state/evaluation";

const NAMES: Readonly<Record<EvalStatus, string>> = {
  off: "off",
  connecting: "connecting",
  pending: "thinking",
  live: "live",
  error: "not available",
};

@customElement("eval-bar")
export class EvalBar extends LitElement {
  static override styles = css`
    :host {
      display: block;
      width: 26px;
    }
    .bar {
      position: relative;
      height: 100%;
      overflow: hidden;
      border: 1px solid var(--line);
      border-radius: 6px;
      background: var(--card);
    }
    .fill {
      position: absolute;
      inset: 0;
      transform-origin: bottom;
      transition: transform 0.35s ease-out;
    }
    .seat-0 {
      background: var(--seat-0);
    }
    .seat-1 {
      background: var(--seat-1);
    }
    .off .fill,
    .off.bar,
    .error .fill {
      background: var(--line);
    }
    .off .fill,
    .error .fill {
      opacity: 0.6;
    }
    .connecting,
    .pending {
      animation: breathe 1.2s ease-in-out infinite alternate;
    }
    .middle {
      position: absolute;
      inset: 50% 0 auto;
      border-top: 2px solid var(--card);
      opacity: 0.8;
    }
    .figure {
      position: absolute;
      left: 0;
      right: 0;
      bottom: 3px;
      color: var(--card);
      font-size: 10px;
      font-weight: 700;
      text-align: center;
      font-variant-numeric: tabular-nums;
    }
    .figure.above {
      top: 3px;
      bottom: auto;
    }
    @keyframes breathe {
      to {
        opacity: 0.55;
      }
    }
    @media (prefers-reduced-motion: reduce) {
      .fill {
        transition: none;
      }
      .connecting,
      .pending {
        animation: none;
        opacity: 0.7;
      }
    }
  `;

  @property() status: EvalStatus = "off";
  /** Worth for seat 0, in [-1, 1]; null while unknown. */
  @property({ type: Number }) value: number | null = null;
  /** The seat whose share grows from the bottom. */
  @property({ type: Number }) below = 0;

  override render(): TemplateResult {
    const { status, value, below } = this;
    const isShown = value !== null && status !== "off" && status !== "error";
    const own = (isShown ? value : 0) * (below === 0 ? 1 : -1);
    const text = isShown ? figure(value) : "";
    return html`
      <div
        class="bar ${status} ${isShown ? `seat-${1 - below}` : ""}"
        role="meter"
        aria-label="Evaluation for the first player"
        aria-valuemin="-1"
        aria-valuemax="1"
        aria-valuenow=${isShown ? value : 0}
        aria-valuetext=${isShown ? text : NAMES[status]}
        title=${isShown ? `Evaluation for the first player: ${text}` : `Evaluation: ${NAMES[status]}`}
      >
        <div class="fill ${isShown ? `seat-${below}` : ""}" style="transform: scaleY(${(1 + own) / 2})"></div>
        <div class="middle"></div>
        <div class="figure ${own < 0 ? "above" : ""}" ?hidden=${!isShown}>${text}</div>
      </div>
    `;
  }
}

/** One digit fits the bar; never "-0.0". */
function figure(value: number): string {
  return (Math.round(value * 10) / 10 || 0).toFixed(1);
}
