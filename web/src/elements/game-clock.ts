// <game-clock>: the time that a seat has left. It ticks on its own, so that nothing else has to be rendered again.
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import * as texts from "#texts/clock";
import { LOW_MS, NO_CLOCKS, clockText, leftAt, type Clocks } from "../state/clock";

const TICK_MS = 100;

@customElement("game-clock")
export class GameClock extends LitElement {
  static override styles = css`
    :host {
      display: inline-block;
    }
    .time {
      min-width: 5.2ch;
      padding: 1px 9px;
      border: 1px solid var(--line);
      border-radius: 7px;
      background: var(--card);
      color: var(--ink-soft);
      font-size: 1.15rem;
      font-weight: 600;
      font-variant-numeric: tabular-nums;
      text-align: center;
    }
    .running {
      border-color: var(--accent);
      color: var(--ink);
      box-shadow: inset 0 0 0 1px var(--accent);
    }
    .low {
      border-color: var(--danger);
      color: var(--danger);
    }
    .running.low {
      background: var(--danger);
      color: var(--card);
      box-shadow: none;
    }
  `;

  @property({ attribute: false }) clocks: Clocks = NO_CLOCKS;
  @property({ type: Number }) seat = 0;
  @property({ type: Number }) lowMs = LOW_MS;
  private timer: ReturnType<typeof setInterval> | undefined;

  override disconnectedCallback(): void {
    clearInterval(this.timer);
    super.disconnectedCallback();
  }

  override render(): TemplateResult | null {
    const left = leftAt(this.clocks, this.seat, Date.now());
    if (left === null) return null;
    const look = `time ${this.isRunning ? "running" : ""} ${left < this.lowMs ? "low" : ""}`;
    return html`<div class=${look} role="timer" aria-label=${texts.timeLeft}>${clockText(left)}</div>`;
  }

  protected override updated(): void {
    clearInterval(this.timer);
    if (this.isRunning)
      this.timer = setInterval(() => {
        this.requestUpdate();
      }, TICK_MS);
  }

  private get isRunning(): boolean {
    return this.clocks.running.includes(this.seat) && this.clocks.left[this.seat] != null;
  }
}
