// <lobby-page>: what this place is, the games to play, and lists of games: to join, to watch, to look at.
import { LitElement, html, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import type { Here } from "../api/lists";
import type { GameRules, LiveGame } from "../api/shapes";
import { Lobby, type Lists } from "../state/lobby";
import { liveRow, pastRow, waitingRow, withSeats, type GameRow } from "../state/game-rows";
import { ownSeat, takenSeats } from "../state/seats";
import { controls } from "./controls";
import { selectField, type Option } from "./fields";
import { lobbyPageStyles } from "./lobby-page-styles";
import "./game-card";
import "./game-list";
import "./live-preview";
import "./your-games";

/** How many games each list shows at first. */
const ROOM = 10;

@customElement("lobby-page")
export class LobbyPage extends LitElement {
  static override styles = [controls, lobbyPageStyles];

  /** The id of the game to watch. */
  private watched = "";
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
    const { problem, rules, here } = this.lobby.lists;
    return html`
      <div class="intro">
        <h1>Board games against people and engines</h1>
        <p>No account needed. After a game, our engine shows where it was won and lost.</p>
        <p class="note here" role="status">${here === null ? "" : hereText(here)}</p>
      </div>
      <p class="note" role="status" ?hidden=${problem === ""}>${problem} Trying again…</p>
      ${takenSeats().length > 0 ? this.own(rules) : null}
      <div class="games">${[...rules.values()].map((each) => this.card(each))}</div>
      ${isComplete(this.lobby.lists) || problem !== "" ? [this.games(), this.below()] : html`<p class="note">Loading…</p>`}
    `;
  }

  /** The viewer's games: first, once there are any. */
  private own(rules: Lists["rules"]): TemplateResult {
    return html`<your-games class="card" .rules=${rules}></your-games>`;
  }

  /** What follows the lists, which would push it down. */
  private below(): TemplateResult {
    return html`
      ${takenSeats().length > 0 ? null : this.own(this.lobby.lists.rules)}
      <p class="note links">
        See the <a href="/bots">bots and their ratings</a>. Look at a game played elsewhere:
        <a href="/analysis">analyse a record</a>. <a href="/docs/playing">How to play here</a>. Write a
        <a href="/docs/bots">bot</a> or a <a href="/docs/api">client</a>; all operations of
        <a href="/docs">the API</a>.
      </p>
    `;
  }

  private card(rules: GameRules): TemplateResult {
    return html`<game-card class="card" .rules=${rules}></game-card>`;
  }

  private games(): TemplateResult {
    const { live, waiting, past, hasMorePast, rules, kind } = this.lobby.chosen;
    const kinds = [...rules].map(([game, { about }]): Option<string> => [game, about.title ?? game]);
    const watched = this.watchedIn(live ?? []);
    return html`
      ${selectField("Show", "kind", [["", "All games"], ...kinds], kind, (chosen) => void this.lobby.choose(chosen))}
      <div class="lists">
        ${
          watched === undefined
            ? null
            : html`<live-preview
                class="card"
                .game=${watched}
                .row=${liveRow(watched, rules)}
              ></live-preview>`
        }
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
      </div>
    `;
  }

  /** A game of others to watch: the same one as long as it is live. */
  private watchedIn(live: readonly LiveGame[]): LiveGame | undefined {
    const others = live.filter(({ id }) => ownSeat(id) === null);
    const watched = others.find(({ id }) => id === this.watched) ?? others[0];
    this.watched = watched?.id ?? "";
    return watched;
  }

  private readonly loadPast = (): void => {
    void this.lobby.loadPast();
  };
}

/** Who is here, in a sentence; empty if there is nobody. */
function hereText({ people, bots, games }: Here): string {
  const parts = [
    counted(people, "playing or watching", "playing or watching"),
    counted(bots, "attached bot", "attached bots"),
    counted(games, "live game", "live games"),
  ].filter((part) => part !== "");
  return parts.length === 0 ? "" : `Now: ${parts.join(", ")}.`;
}

function counted(number: number, one: string, many: string): string {
  return number === 0 ? "" : `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/** Whether to show the lists. They appear together, as a later one would push the others down. */
function isComplete({ live, waiting, past, link }: Lists): boolean {
  const isLiveDue = link === "closed" || link === "connecting" || link === "open";
  return waiting !== null && past !== null && (live !== null || !isLiveDue);
}

function ownFirst(rows: readonly GameRow[] | undefined): readonly GameRow[] | null {
  return rows === undefined ? null : withSeats(rows, ownSeat);
}
