// <move-list>: the moves of a game, one row a round, and the buttons to walk through them.
// It fires "browse" with the ply to show.
import { LitElement, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Judgement } from "../api/analysis";
import { SIGNS } from "../state/analysis";
import { moveRows } from "../state/moves";
import { controls } from "./controls";
import { icons } from "./icons";
import { moveListStyles } from "./move-list-styles";

@customElement("move-list")
export class MoveList extends LitElement {
  static override styles = [controls, moveListStyles];

  @property({ attribute: false }) history: readonly string[] = [];
  @property({ type: Number }) seats = 2;
  /** The ply on the board. */
  @property({ type: Number }) ply = 0;
  /** The ply of the present position. */
  @property({ type: Number }) last = 0;
  /** What to say to those who see no moves yet, besides that. */
  @property() lesson = "";
  /** Judged moves by the ply that they led to. */
  @property({ attribute: false }) judgements: ReadonlyMap<number, Judgement> = new Map();

  override render(): TemplateResult {
    const { ply, last } = this;
    return html`
      <div class="moves" tabindex="-1">${this.history.length === 0 ? this.empty() : this.rows()}</div>
      <div class="walk" role="group" aria-label="Walk through the moves">
        ${this.step("First position", icons.first, 0, ply === 0)}
        ${this.step("One move back", icons.back, ply - 1, ply === 0)}
        ${this.step("One move forward", icons.forward, ply + 1, ply === last)}
        ${this.step("Present position", icons.last, last, ply === last)}
      </div>
    `;
  }

  private empty(): TemplateResult {
    return html`
      <p class="none">No moves yet</p>
      <p class="none" ?hidden=${this.lesson === ""}>${this.lesson}</p>
    `;
  }

  private rows(): TemplateResult {
    return html`
      <ol aria-label="Moves" style="--seats: ${this.seats}">
        ${moveRows(this.history, this.seats).map(
          ({ number, moves }, row) => html`
            <li>
              <span class="number">${number}.</span>
              ${moves.map((move, seat) => this.move(move, row * this.seats + seat + 1))}
            </li>
          `,
        )}
      </ol>
    `;
  }

  private move(text: string, ply: number): TemplateResult {
    const isShown = ply === this.ply;
    const judgement = this.judgements.get(ply);
    return html`<button
      class="move ${isShown ? "shown" : ""}"
      aria-current=${isShown ? "step" : "false"}
      @click=${() => {
        this.browse(ply);
      }}
    >
      ${text}${
        judgement === undefined
          ? null
          : html`<span class="sign ${judgement}" title=${judgement}>${SIGNS[judgement]}</span>`
      }
    </button>`;
  }

  private step(label: string, icon: TemplateResult, ply: number, isDisabled: boolean): TemplateResult {
    return html`<button
      aria-label=${label}
      title=${label}
      ?disabled=${isDisabled}
      @click=${() => {
        this.browse(ply);
      }}
    >
      ${icon}
    </button>`;
  }

  private browse(ply: number): void {
    this.dispatchEvent(new CustomEvent<number>("browse", { detail: ply }));
  }

  /** The move on the board is in view; only the list scrolls, never the page. */
  protected override updated(changed: Map<string, unknown>): void {
    if (!changed.has("history") && !changed.has("ply")) return;
    const list = this.renderRoot.querySelector<HTMLElement>(".moves");
    const shown = this.renderRoot.querySelector<HTMLElement>(".shown");
    if (list === null) return;
    if (shown === null) list.scrollTop = 0;
    else list.scrollTop = shown.offsetTop - (list.clientHeight - shown.offsetHeight) / 2;
  }
}
