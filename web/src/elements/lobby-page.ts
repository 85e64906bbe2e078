// <lobby-page>: a new game, and the games there are: to join, to watch, to look at.
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { Lobby } from "../state/lobby";
import { liveRow, pastRow, waitingRow, withSeats, type GameRow } from "../state/rows";
import { ownSeat } from "../state/seats";
import { controls } from "./controls";
import "./game-list";
import "./new-game";

/** Games that each list shows at first. */
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
    const { live, waiting, past, hasMorePast, rules, problem } = this.lobby.lists;
    return html`
      <new-game></new-game>
      <div class="lists">
        <p class="note" role="status" ?hidden=${problem === ""}>${problem} Trying again…</p>
        <game-list
          class="card"
          heading="Join a game"
          room=${ROOM}
          none="Nobody is waiting. Open a game for anybody, and it stands here."
          .rows=${ownFirst(waiting?.map((game) => waitingRow(game, rules)))}
        ></game-list>
        <game-list
          class="card"
          heading="Being played"
          room=${ROOM}
          none="No game is being played."
          .rows=${ownFirst(live?.map((game) => liveRow(game, rules)))}
        ></game-list>
        <game-list
          class="card"
          heading="Finished"
          none="No game has been finished yet."
          .rows=${past?.map((game) => pastRow(game, rules)) ?? null}
        >
          ${hasMorePast ? html`<button class="older" @click=${this.loadPast}>Older games</button>` : null}
        </game-list>
      </div>
    `;
  }

  private readonly loadPast = (): void => {
    void this.lobby.loadPast();
  };
}

function ownFirst(rows: readonly GameRow[] | undefined): readonly GameRow[] | null {
  return rows === undefined ? null : withSeats(rows, ownSeat);
}
