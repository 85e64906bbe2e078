// <game-list>: a list of games under a heading, each row a link. It does not know where they come from.
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import * as common from "#texts/common";
import * as texts from "#texts/lobby";
import type { GameRow } from "../state/game-rows";
import { controls } from "./controls";

@customElement("game-list")
export class GameList extends LitElement {
  static override styles = [
    controls,
    css`
      :host {
        display: block;
      }
      h2 {
        display: flex;
        align-items: baseline;
        gap: 8px;
        margin: 0 0 6px;
        font-size: 1.05rem;
      }
      .count,
      .none {
        color: var(--ink-soft);
        font-weight: 400;
        font-size: 0.9rem;
      }
      .none {
        margin: 0;
        padding: 10px 0 4px;
      }
      ul {
        margin: 0 -10px;
        padding: 0;
        list-style: none;
      }
      li {
        display: flex;
        align-items: center;
        gap: 8px;
      }
      li + li {
        border-top: 1px solid var(--line);
      }
      li:hover {
        background: var(--paper);
      }
      .row {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto;
        gap: 0 12px;
        flex: 1;
        min-width: 0;
        padding: 8px 10px;
        border-radius: var(--radius);
        color: inherit;
        text-decoration: none;
      }
      .players,
      .about {
        overflow-wrap: anywhere;
      }
      .players {
        font-weight: 600;
      }
      .versus {
        color: var(--ink-soft);
        font-weight: 400;
      }
      .about {
        grid-column: 1;
        color: var(--ink-soft);
        font-size: 0.9rem;
      }
      @media (max-width: 900px) {
        .row {
          grid-template-columns: minmax(0, 1fr);
        }
        .row .note {
          grid-area: auto;
          text-align: left;
        }
      }
      .own {
        color: var(--accent);
        font-weight: 600;
      }
      .note {
        grid-area: 1 / 2 / 3;
        align-self: center;
        color: var(--ink-soft);
        font-size: 0.9rem;
        text-align: right;
        white-space: nowrap;
        font-variant-numeric: tabular-nums;
      }
      .all {
        margin-top: 8px;
      }
      .more {
        flex: none;
        padding: 12px 10px;
        font-size: 0.9rem;
      }
    `,
  ];

  @property() heading = "";
  /** The text for an empty list. */
  @property() none = "";
  /** Null while loading. */
  @property({ attribute: false }) rows: readonly GameRow[] | null = null;
  /** The most rows to show. */
  @property({ type: Number }) room = Infinity;

  override render(): TemplateResult {
    const { rows } = this;
    return html`
      <h2>
        ${this.heading} <span class="count">${rows === null || rows.length === 0 ? "" : rows.length}</span>
      </h2>
      ${
        rows === null || rows.length === 0
          ? html`<p class="none">${rows === null ? common.loading : this.none}</p>`
          : html`<ul>
              ${repeat(rows.slice(0, this.room), ({ id }) => id, row)}
            </ul>`
      }
      ${
        rows !== null && rows.length > this.room
          ? html`<button class="all" @click=${this.showAll}>${texts.showAll(rows.length)}</button>`
          : null
      }
      <slot></slot>
    `;
  }

  private readonly showAll = (): void => {
    this.room = Infinity;
  };
}

function row({ href, players, about, note, isOwn = false, more }: GameRow): TemplateResult {
  return html`
    <li>
      <a class="row" href=${href}>
        <span class="players">
          ${players.map((name, seat) => (seat === 0 ? name : html` <span class="versus">${common.versus}</span> ${name}`))}
        </span>
        <span class="about"
          >${isOwn ? html`<span class="own">${texts.yourGame}</span> · ` : null}${about}</span
        >
        <span class="note">${note}</span>
      </a>
      ${more === undefined ? null : html`<a class="more" href=${more.href}>${more.label}</a>`}
    </li>
  `;
}
