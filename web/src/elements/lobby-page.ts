// <lobby-page>: a form for a new game, and lists of games: to join, to watch, to look at.
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { Lobby, type Lists } from "../state/lobby";
import { liveRow, pastRow, waitingRow, withSeats, type GameRow } from "../state/game-rows";
import { ownSeat } from "../state/seats";
import { controls } from "./controls";
import { selectField, type Option } from "./fields";
import "./game-list";
import "./new-game";
import "./your-games";

/** How many games each list shows at first. */
const ROOM = 10;

@customElement("lobby-page")
export class LobbyPage extends LitElement {
  static override styles = [
    controls,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 420px) minmax(0, 1fr);
        gap: 20px;
        align-items: start;
      }
      .lists {
        display: grid;
        gap: 16px;
      }
      .note {
        margin: 0;
        color: var(--ink-soft);
        font-size: 0.9rem;
      }
      .field {
        display: flex;
        align-items: center;
        gap: 10px;
        color: var(--ink-soft);
      }
      .older {
        margin-top: 8px;
      }
      @media (max-width: 820px) {
        :host {
          grid-template-columns: minmax(0, 1fr);
          gap: 14px;
        }
      }
    `,
  ];

  private readonly lobby = new Lobby(() => {
    this.requestUpdate();
  });

  override connectedCallback(): void {
    super.connectedCallback();
    this.lobby.open();
  }

  override disconnectedCallback(): void {
    this.lobby.close();
    super.disconnectedCallback();
  }

  override render(): TemplateResult {
    const { problem } = this.lobby.lists;
    return html`
      <new-game></new-game>
      <div class="lists">
        <your-games class="card" .rules=${this.lobby.lists.rules}></your-games>
        <p class="note" role="status" ?hidden=${problem === ""}>${problem} Trying again…</p>
        ${isComplete(this.lobby.lists) || problem !== "" ? this.games() : html`<p class="note">Loading…</p>`}
      </div>
    `;
  }

  private games(): TemplateResult {
    const { live, waiting, past, hasMorePast, rules, kind } = this.lobby.chosen;
    const kinds = [...rules].map(([game, { about }]): Option<string> => [game, about.title ?? game]);
    return html`
      ${selectField("Show", "kind", [["", "All games"], ...kinds], kind, (chosen) => void this.lobby.choose(chosen))}
      <game-list
        class="card"
        heading="Open games"
        room=${ROOM}
        none="No open games. Create one for anyone, and it appears here."
        .rows=${ownFirst(waiting?.map((game) => waitingRow(game, rules)))}
      ></game-list>
      <game-list
        class="card"
        heading="Live games"
        room=${ROOM}
        none="No live games."
        .rows=${ownFirst(live?.map((game) => liveRow(game, rules)))}
      ></game-list>
      <game-list
        class="card"
        heading="Finished games"
        none="No finished games yet."
        .rows=${past?.map((game) => pastRow(game, rules)) ?? null}
      >
        ${hasMorePast ? html`<button class="older" @click=${this.loadPast}>Older games</button>` : null}
      </game-list>
    `;
  }

  private readonly loadPast = (): void => {
    void this.lobby.loadPast();
  };
}

/** Whether to show the lists. They appear together, as a later one would push the others down. */
function isComplete({ live, waiting, past, link }: Lists): boolean {
  const isLiveDue = link === "closed" || link === "connecting" || link === "open";
  return waiting !== null && past !== null && (live !== null || !isLiveDue);
}

function ownFirst(rows: readonly GameRow[] | undefined): readonly GameRow[] | null {
  return rows === undefined ? null : withSeats(rows, ownSeat);
}
