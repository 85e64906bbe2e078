// <analysis-status>: the progress of the analysis, in words and as a bar, and the choice of its depth.
// It fires "depth" with the wanted depth, also to repeat the analysis with the same one.
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import * as common from "#texts/common";
import * as texts from "#texts/analysis";
import { mostSamples, type AnalysisState } from "../state/analysis";
import { ALL_DEPTHS, samplesOf, type Depth } from "../state/analysis-session";
import { controls } from "./controls";

@customElement("analysis-status")
export class AnalysisStatus extends LitElement {
  static override styles = [
    controls,
    css`
      :host {
        display: grid;
        gap: 10px;
      }
      .depths {
        display: grid;
        grid-template-columns: repeat(3, 1fr);
        padding: 3px;
        border-radius: var(--radius);
        background: var(--paper);
      }
      .depths button {
        border: 0;
        border-radius: 8px;
        background: none;
        color: var(--ink-soft);
      }
      .depths [aria-pressed="true"] {
        background: var(--card);
        color: var(--ink);
        font-weight: 650;
        box-shadow: 0 0 0 1px var(--line);
      }
      .now {
        display: flex;
        align-items: center;
        gap: 10px;
        min-height: 30px;
      }
      p {
        flex: 1;
        margin: 0;
        color: var(--ink-soft);
        font-size: 0.9rem;
      }
      .now button {
        flex: none;
        min-height: 30px;
        padding: 2px 10px;
        font-size: 0.9rem;
      }
      .track {
        height: 4px;
        border-radius: 2px;
        background: var(--line);
        overflow: hidden;
      }
      .track div {
        height: 100%;
        background: var(--accent);
        transform-origin: left;
        transition: transform 0.2s;
      }
      .waiting div {
        opacity: 0.5;
      }
      @media (prefers-reduced-motion: reduce) {
        .track div {
          transition: none;
        }
      }
    `,
  ];

  @property({ attribute: false }) state!: AnalysisState;
  /** Number of positions to analyse. */
  @property({ type: Number }) total = 1;
  @property() depth: Depth = "normal";
  /** The usual samples per position of the game. */
  @property({ type: Number }) usual = 1000;

  override render(): TemplateResult {
    const { state, total } = this;
    const isWaiting = state.stage === "queued" || state.stage === "lost";
    const share = state.stage === "done" ? 1 : state.reached.size / total;
    const canRepeat = state.stage === "failed" || state.stage === "cancelled";
    return html`
      <div class="depths" role="group" aria-label=${texts.depth}>
        ${ALL_DEPTHS.map((depth) => this.option(depth))}
      </div>
      <div
        class="track ${isWaiting ? "waiting" : ""}"
        role="progressbar"
        aria-label=${texts.progress}
        aria-valuemin="0"
        aria-valuemax=${total}
        aria-valuenow=${state.reached.size}
      >
        <div style="transform: scaleX(${share})"></div>
      </div>
      <div class="now">
        <p aria-live=${state.stage === "running" ? "off" : "polite"}>${this.sentence()}</p>
        <button ?hidden=${!canRepeat} @click=${this.repeat}>${texts.again}</button>
      </div>
    `;
  }

  /** A button: radio buttons would need the arrow keys, which navigate the game. */
  private option(depth: Depth): TemplateResult {
    const isChosen = depth === this.depth;
    return html`<button
      aria-pressed=${String(isChosen)}
      title=${texts.samplesAt(this.samples(depth))}
      @click=${() => {
        if (!isChosen) this.want(depth);
      }}
    >
      ${texts.depths[depth]}
    </button>`;
  }

  private readonly repeat = (): void => {
    this.want(this.depth);
  };

  private want(depth: Depth): void {
    this.dispatchEvent(new CustomEvent<Depth>("depth", { detail: depth }));
  }

  private sentence(): string {
    const { stage, problem, reached } = this.state;
    switch (stage) {
      case "starting":
        return texts.starting;
      case "queued":
        return common.retrying(problem);
      case "lost":
        return common.reconnecting;
      case "running":
        return texts.reached(reached.size, this.total);
      case "done":
        return texts.done(Math.min(this.samples(this.depth), mostSamples(this.state)));
      case "cancelled":
        return texts.stopped;
      case "failed":
        return texts.failed(problem);
    }
  }

  private samples(depth: Depth): number {
    return samplesOf(depth, this.usual);
  }
}
