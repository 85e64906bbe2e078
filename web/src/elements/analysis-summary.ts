// <analysis-summary>: the accuracy of each seat, and how many of its moves were inaccuracies, mistakes or blunders.
// A click on a number fires "seek": the analysis page goes to the next such move.
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import * as texts from "#texts/analysis";
import type { Judgement, Summary } from "../api/analysis";
import { SIGNS } from "../state/analysis";
import { controls } from "./controls";

export interface Seek {
  readonly seat: number;
  readonly judgement: Judgement;
}

const COUNTED = [
  ["inaccuracy", "inaccuracies"],
  ["mistake", "mistakes"],
  ["blunder", "blunders"],
] as const;

@customElement("analysis-summary")
export class AnalysisSummary extends LitElement {
  static override styles = [
    controls,
    css`
      :host {
        display: block;
      }
      table {
        width: 100%;
        border-collapse: collapse;
        font-variant-numeric: tabular-nums;
      }
      th {
        color: var(--ink-soft);
        font-size: 0.8rem;
        font-weight: 400;
        text-align: center;
      }
      tbody th {
        max-width: 0;
        width: 99%;
        overflow: hidden;
        text-overflow: ellipsis;
        color: var(--ink);
        font-size: 1rem;
        text-align: left;
        white-space: nowrap;
      }
      td {
        padding: 0 1px;
        text-align: center;
      }
      .accuracy {
        padding: 0 8px;
        font-size: 1.1rem;
        font-weight: 650;
      }
      .swatch {
        display: inline-block;
        width: 13px;
        height: 13px;
        margin-right: 7px;
        border-radius: 4px;
        box-shadow: inset 0 0 0 1px color-mix(in srgb, var(--ink) 30%, transparent);
        vertical-align: -1px;
        background: var(--own, var(--nobody));
      }
      button {
        min-width: 32px;
        min-height: 32px;
        padding: 1px 4px;
        border: 0;
        background: none;
        font-weight: 650;
      }
      button:hover:not(:disabled) {
        background: var(--paper);
      }
      .inaccuracy {
        color: var(--inaccuracy);
      }
      .mistake {
        color: var(--mistake);
      }
      .blunder {
        color: var(--blunder);
      }
      button:disabled {
        color: var(--ink-soft);
      }
    `,
  ];

  /** Names by seat. */
  @property({ attribute: false }) names: readonly string[] = [];
  /** Empty until the analysis is done. */
  @property({ attribute: false }) summary: readonly Summary[] = [];

  override render(): TemplateResult {
    return html`
      <table>
        <thead>
          <tr>
            <td></td>
            <th scope="col">${texts.accuracy}</th>
            ${COUNTED.map(([judgement]) => html`<th scope="col" title=${texts.judgements[judgement]}>${SIGNS[judgement]}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${this.names.map((name, seat) => this.row(name, seat, this.summary[seat]))}
        </tbody>
      </table>
    `;
  }

  private row(name: string, seat: number, summary: Summary | undefined): TemplateResult {
    const accuracy = summary?.accuracy ?? null;
    const lost = summary?.meanPointsLost;
    const title = lost === undefined ? "" : texts.pointsLost(lost);
    return html`
      <tr>
        <th scope="row"><span class="swatch" style="--own: var(--seat-${seat})"></span>${name}</th>
        <td class="accuracy" title=${title}>${accuracy === null ? "–" : `${Math.round(accuracy)}%`}</td>
        ${COUNTED.map(([judgement, plural]) => this.count(seat, judgement, summary?.[plural]))}
      </tr>
    `;
  }

  private count(seat: number, judgement: Judgement, count = 0): TemplateResult {
    return html`<td>
      <button
        class=${judgement}
        ?disabled=${count === 0}
        aria-label=${texts.counted(count, judgement)}
        title=${count === 0 ? "" : texts.showNext(judgement)}
        @click=${() => {
          this.dispatchEvent(new CustomEvent<Seek>("seek", { detail: { seat, judgement } }));
        }}
      >
        ${this.summary.length === 0 ? "–" : count}
      </button>
    </td>`;
  }
}
