// <player-strip>: the player of a seat, whether it is their turn, whether they are present, and their clock.
// The content of its slot is placed just before the clock.
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import * as texts from "#texts/players";
import { LOW_MS, NO_CLOCKS, type Clocks } from "../state/clock";
import type { Presence } from "../state/labels";
import "./game-clock";

@customElement("player-strip")
export class PlayerStrip extends LitElement {
  static override styles = css`
    :host {
      display: flex;
      align-items: center;
      gap: 9px;
      min-height: 34px;
    }
    .swatch {
      flex: none;
      min-width: 13px;
      height: 13px;
      border-radius: 4px;
      font-size: 11px;
      line-height: 13px;
      text-align: center;
      box-shadow: inset 0 0 0 1px color-mix(in srgb, var(--ink) 30%, transparent);
    }
    .name {
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
    .to-move .name {
      font-weight: 650;
    }
    /* What does not fit wraps into a second line, which is hidden. */
    .who {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 9px;
      min-width: 0;
      flex: 1;
      height: 1.6em;
      overflow: hidden;
    }
    .person {
      display: flex;
      align-items: center;
      gap: 9px;
      min-width: 0;
      height: 100%;
    }
    .tag {
      flex: none;
      color: var(--ink-soft);
      font-size: 0.85rem;
      white-space: nowrap;
    }
    .away,
    .left {
      padding: 0 7px;
      border: 1px dashed var(--ink-soft);
      border-radius: 99px;
    }
    .left {
      border-style: solid;
    }
    .score {
      flex: none;
      font-weight: 650;
      font-variant-numeric: tabular-nums;
    }
  `;

  @property() name = "";
  @property({ type: Number }) seat = 0;
  /** Whether there are more than two seats, which their colours alone do not tell apart for everybody. */
  @property({ type: Boolean }) isOneOfMany = false;
  @property({ type: Boolean }) isToMove = false;
  /** Whether the player has moved in a turn that others have yet to complete. */
  @property({ type: Boolean }) hasMoved = false;
  @property() presence: Presence = "here";
  /** Points in the match so far; empty in the first game. */
  @property() score = "";
  @property({ attribute: false }) clocks: Clocks = NO_CLOCKS;
  /** Below how many milliseconds the clock is low. */
  @property({ type: Number }) lowMs = LOW_MS;

  override render(): TemplateResult {
    return html`
      <div class="who ${this.isToMove ? "to-move" : ""}">
        <span class="person">
          <span
            class="swatch"
            style="background: var(--seat-${this.seat}); color: var(--seat-${this.seat}-ink, #fff)"
          >
            ${this.isOneOfMany ? this.seat + 1 : null}
          </span>
          <span class="name">${this.name}</span>
          <span class="score" ?hidden=${this.score === ""} title=${texts.pointsInMatch}>${this.score}</span>
          <span class="tag ${this.presence}" role="status" ?hidden=${this.presence === "here"}
            >${texts.presence[this.presence]}</span
          >
        </span>
        <span class="tag" ?hidden=${!this.isToMove}>${texts.toMove}</span>
        <span class="tag" ?hidden=${!this.hasMoved}>${texts.moved}</span>
      </div>
      <slot></slot>
      <game-clock .clocks=${this.clocks} .seat=${this.seat} .lowMs=${this.lowMs}></game-clock>
    `;
  }
}
