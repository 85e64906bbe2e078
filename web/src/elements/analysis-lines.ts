// <analysis-lines>: the moves that the engine suggests, best first, each with its continuation.
// A click on a move fires "look" with a place in the line; the analysis page shows the position there.
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Line } from "../api/analysis";
import { signed } from "../state/analysis";
import type { Cursor } from "../state/cursor";
import { controls } from "./controls";

export type Look = NonNullable<Cursor["line"]>;

@customElement("analysis-lines")
export class AnalysisLines extends LitElement {
  static override styles = [
    controls,
    css`
      :host {
        display: block;
        min-height: calc(3 * 34px);
      }
      ol {
        margin: 0;
        padding: 0;
        list-style: none;
      }
      li {
        display: grid;
        grid-template-columns: 52px minmax(0, 1fr);
        align-items: center;
        gap: 8px;
        height: 34px;
      }
      li + li {
        border-top: 1px solid var(--line);
      }
      .value {
        padding: 1px 0;
        border-radius: 6px;
        font-size: 0.88rem;
        font-weight: 650;
        text-align: center;
        font-variant-numeric: tabular-nums;
        background: var(--paper);
      }
      .value.seat-0 {
        background: var(--seat-0-soft);
      }
      .value.seat-1 {
        background: var(--seat-1-soft);
      }
      .moves {
        display: flex;
        overflow-x: auto;
        scrollbar-width: none;
      }
      button {
        flex: none;
        min-height: 28px;
        padding: 1px 6px;
        border: 0;
        border-radius: 6px;
        background: none;
        color: var(--ink-soft);
        font-variant-numeric: tabular-nums;
      }
      button:first-child {
        color: var(--ink);
        font-weight: 650;
      }
      button:hover {
        background: var(--paper);
      }
      button.played {
        color: var(--ink);
      }
      button.shown {
        background: var(--accent);
        color: var(--accent-ink);
      }
      button:focus-visible {
        outline-offset: -3px;
      }
      p {
        margin: 0;
        color: var(--ink-soft);
        font-size: 0.9rem;
      }
    `,
  ];

  @property({ attribute: false }) lines: readonly Line[] = [];
  /** The values of the lines from the perspective of seat 0, in [-1, 1]. */
  @property({ attribute: false }) values: readonly number[] = [];
  /** The text to show if there are no lines. */
  @property() absence = "";
  @property({ attribute: false }) look: Look | null = null;

  override render(): TemplateResult {
    if (this.lines.length === 0) return html`<p>${this.absence}</p>`;
    return html`<ol aria-label="Best moves">
      ${this.lines.map((line, rank) => this.row(line, rank))}
    </ol>`;
  }

  private row({ pv }: Line, rank: number): TemplateResult {
    const value = this.values[rank] ?? 0;
    const ahead = Math.abs(value) < 0.005 ? "" : value > 0 ? "seat-0" : "seat-1";
    return html`
      <li>
        <span class="value ${ahead}" title="Evaluation for the first player">${signed(value)}</span>
        <div class="moves">${pv.map((move, index) => this.move(move, rank, index + 1))}</div>
      </li>
    `;
  }

  private move(text: string, rank: number, depth: number): TemplateResult {
    const reached = this.look?.rank === rank ? this.look.depth : 0;
    const place = depth === reached ? "shown" : depth < reached ? "played" : "";
    return html`<button
      class=${place}
      aria-current=${place === "shown" ? "step" : "false"}
      @click=${() => {
        this.dispatchEvent(new CustomEvent<Look>("look", { detail: { rank, depth } }));
      }}
    >
      ${text}
    </button>`;
  }

  /** Scrolls the current move into view; only its line scrolls, never the page. */
  protected override updated(): void {
    const shown = this.renderRoot.querySelector<HTMLElement>(".shown");
    const line = shown?.parentElement;
    if (shown === null || line == null) return;
    line.scrollLeft = shown.offsetLeft - line.offsetLeft - (line.clientWidth - shown.offsetWidth) / 2;
  }
}
