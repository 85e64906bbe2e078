// <move-list>: the moves of a game, one row a round, the newest in view.
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { moveRows } from "../state/moves";

@customElement("move-list")
export class MoveList extends LitElement {
  static override styles = css`
    :host {
      display: block;
      overflow-y: auto;
    }
    ol {
      margin: 0;
      padding: 0;
      list-style: none;
      font-variant-numeric: tabular-nums;
    }
    li {
      display: grid;
      grid-template-columns: 2.4em repeat(var(--seats), minmax(0, 1fr));
      padding: 3px 8px;
      border-radius: 6px;
    }
    li:nth-child(odd) {
      background: var(--paper);
    }
    .number,
    .none {
      color: var(--ink-soft);
    }
    .none {
      margin: 0;
      padding: 3px 8px;
    }
    .newest {
      font-weight: 650;
    }
  `;

  @property({ attribute: false }) history: readonly string[] = [];
  @property({ type: Number }) seats = 2;

  override render(): TemplateResult {
    if (this.history.length === 0) return html`<p class="none">No moves yet</p>`;
    const newest = this.history.length - 1;
    return html`
      <ol aria-label="Moves" style="--seats: ${this.seats}">
        ${moveRows(this.history, this.seats).map(
          ({ number, moves }, row) => html`
            <li>
              <span class="number">${number}.</span>
              ${moves.map(
                (move, seat) =>
                  html`<span class=${row * this.seats + seat === newest ? "newest" : ""}>${move}</span>`,
              )}
            </li>
          `,
        )}
      </ol>
    `;
  }

  protected override updated(): void {
    this.scrollTop = this.scrollHeight;
  }
}
