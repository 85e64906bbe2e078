// <move-policies>: for each seat of a simultaneous game, its most probable moves by the engine's policy, side by side.
// Display only. Its height never changes, so that nothing jumps when the next position is evaluated.
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import * as texts from "#texts/analysis";
import { percent, topMoves, type Mixture, type Share } from "../state/mixture";

/** Moves per seat. */
const ROWS = 3;

@customElement("move-policies")
export class MovePolicies extends LitElement {
  static override styles = css`
    :host {
      display: grid;
      grid-auto-flow: column;
      grid-auto-columns: minmax(0, 1fr);
      gap: 14px;
      color: var(--ink);
      font-size: 0.88rem;
      line-height: 1.3;
    }
    h2 {
      display: flex;
      align-items: center;
      gap: 7px;
      margin: 0 0 5px;
      color: var(--ink-soft);
      font-size: 0.85rem;
      font-weight: 400;
    }
    .swatch {
      flex: none;
      width: 10px;
      height: 10px;
      border-radius: 3px;
    }
    .name {
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
    ol {
      display: grid;
      grid-template-rows: repeat(${ROWS}, 24px);
      gap: 3px;
      margin: 0;
      padding: 0;
      list-style: none;
    }
    li {
      position: relative;
      display: flex;
      align-items: center;
      justify-content: space-between;
      gap: 8px;
      overflow: hidden;
      padding: 0 8px;
      border-radius: 5px;
      background: var(--paper);
      font-variant-numeric: tabular-nums;
    }
    .share {
      position: absolute;
      inset: 0;
      transform-origin: left;
      transition: transform 0.35s ease-out;
    }
    .move {
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
    .move,
    .percent {
      position: relative;
    }
    .best {
      box-shadow: inset 3px 0 var(--hint);
    }
    .best .share {
      left: 3px;
    }
    .best .move {
      font-weight: 650;
    }
    @media (prefers-reduced-motion: reduce) {
      .share {
        transition: none;
      }
    }
  `;

  /** Null while it is not known. */
  @property({ attribute: false }) mixture: Mixture | null = null;
  /** The players, by seat. */
  @property({ attribute: false }) names: readonly string[] = [];

  override render(): TemplateResult {
    return html`${this.names.map((name, seat) => this.column(name, seat))}`;
  }

  private column(name: string, seat: number): TemplateResult {
    const shares = this.mixture === null ? [] : topMoves(this.mixture, seat, ROWS);
    return html`
      <section>
        <h2>
          <span class="swatch" style="background: var(--seat-${seat})"></span>
          <span class="name">${name}</span>
        </h2>
        <ol aria-label=${texts.bestMovesOf(name)}>
          ${shares.map((share) => row(share, seat))}
        </ol>
      </section>
    `;
  }
}

function row({ move, share, isBest }: Share, seat: number): TemplateResult {
  const title = isBest ? texts.enginesChoice(move, percent(share)) : `${move}: ${percent(share)}`;
  return html`
    <li class=${isBest ? "best" : ""} title=${title}>
      <span class="share" style="background: var(--seat-${seat}-soft); transform: scaleX(${share})"></span>
      <span class="move">${move}</span>
      <span class="percent">${percent(share)}</span>
    </li>
  `;
}
