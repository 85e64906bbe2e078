// <lobby-page>: what this place is, the games to play, and lists of games: to join, to watch, to look at.
import { LitElement, html, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import * as common from "#texts/common";
import * as texts from "#texts/lobby";
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
        <h1>${texts.heading}</h1>
        <p>${texts.introduction}</p>
        <p class="note here" role="status">
          ${here === null ? "" : texts.here(here.people, here.bots, here.games)}
        </p>
      </div>
      <p class="note" role="status" ?hidden=${problem === ""}>${common.retrying(problem)}</p>
      ${takenSeats().length > 0 ? this.own(rules) : null}
      <div class="games">${[...rules.values()].map((each) => this.card(each))}</div>
      ${isComplete(this.lobby.lists) || problem !== "" ? [this.games(), this.below()] : html`<p class="note">${common.loading}</p>`}
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
      <p class="note links">${texts.further((address, text) => html`<a href=${address}>${text}</a>`)}</p>
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
      ${selectField(texts.shown, "kind", [["", texts.allGames], ...kinds], kind, (chosen) => void this.lobby.choose(chosen))}
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
          heading=${texts.openGames}
          room=${ROOM}
          none=${texts.noOpenGames}
          .rows=${ownFirst(waiting?.map((game) => waitingRow(game, rules)))}
        ></game-list>
        <game-list
          class="card"
          heading=${texts.liveGames}
          room=${ROOM}
          none=${texts.noLiveGames}
          .rows=${ownFirst(live?.map((game) => liveRow(game, rules)))}
        ></game-list>
        <game-list
          class="card"
          heading=${texts.finishedGames}
          none=${texts.noFinishedGames}
          .rows=${past?.map((game) => pastRow(game, rules)) ?? null}
        >
          ${hasMorePast ? html`<button class="older" @click=${this.loadPast}>${texts.olderGames}</button>` : null}
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

/** Whether to show the lists. They appear together, as a later one would push the others down. */
function isComplete({ live, waiting, past, link }: Lists): boolean {
  const isLiveDue = link === "closed" || link === "connecting" || link === "open";
  return waiting !== null && past !== null && (live !== null || !isLiveDue);
}

function ownFirst(rows: readonly GameRow[] | undefined): readonly GameRow[] | null {
  return rows === undefined ? null : withSeats(rows, ownSeat);
}
