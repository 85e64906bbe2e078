// <analysis-lines>: the moves that the engine suggests, best first, each with its continuation.
// A click on a move fires "look" with a place in the line; the analysis page shows the position there.
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import * as texts from "#texts/analysis";
import type { Line } from "../api/analysis";
import type { Cursor } from "../state/cursor";
import { sharesOf, worthFigure, worthText, type Worth } from "../state/worth";
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
  /** What the lines are worth. */
  @property({ attribute: false }) worths: readonly Worth[] = [];
  /** The seat whose figures are shown. */
  @property({ type: Number }) seat = 0;
  /** The text to show if there are no lines. */
  @property() absence = "";
  @property({ attribute: false }) look: Look | null = null;
  /** A move in words, which a pointer over it shows: a line has room for codes only. */
  @property({ attribute: false }) spell: (move: string) => string = (move) => move;

  override render(): TemplateResult {
    if (this.lines.length === 0) return html`<p>${this.absence}</p>`;
    return html`<ol aria-label=${texts.bestMoves}>
      ${this.lines.map((line, rank) => this.row(line, rank))}
    </ol>`;
  }

  private row({ pv }: Line, rank: number): TemplateResult {
    const worth = this.worths[rank];
    const shares = worth === undefined ? [] : sharesOf(worth);
    const most = Math.max(...shares);
    const isEven = most - Math.min(...shares) < 0.005;
    const title = worth === undefined ? "" : texts.worthToPlayer(this.seat + 1, worthText(worth, this.seat));
    return html`
      <li>
        <span class="value ${isEven ? "" : `seat-${shares.indexOf(most)}`}" title=${title}
          >${worth === undefined ? "" : worthFigure(worth, this.seat)}</span
        >
        <div class="moves">${pv.map((move, index) => this.move(move, rank, index + 1))}</div>
      </li>
    `;
  }

  private move(text: string, rank: number, depth: number): TemplateResult {
    const reached = this.look?.rank === rank ? this.look.depth : 0;
    const place = depth === reached ? "shown" : depth < reached ? "played" : "";
    return html`<button
      class=${place}
      title=${this.spell(text)}
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
