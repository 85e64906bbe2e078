// <tournament-page>: one tournament: its table, its rounds with links to the games, and who has entered. Takes a person
// who has entered here to each game as it begins.
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import * as clock from "#texts/clock";
import * as common from "#texts/common";
import * as texts from "#texts/tournament";
import { ApiError, getRules, sentence } from "../api/client";
import { getAllBots, type ListedBot } from "../api/ladder";
import type { GameRules, TimeControl } from "../api/shapes";
import {
  cancelTournament,
  enterTournament,
  getTournament,
  hasGamesToCome,
  isLive,
  startTournament,
  tablePath,
  withdraw,
  type Entrant,
  type Tournament,
  type TournamentGame,
} from "../api/tournaments";
import { gameTitle, reasonsIn, tabTitle, variantTitle } from "../state/labels";
import { ownName } from "../state/me";
import { Polling } from "../state/polling";
import { gamePath, goTo } from "../state/route";
import { ownSeat, seatPath } from "../state/seats";
import { formatText, namesOf, pointsText, progressText, scoreText } from "../state/tournament-labels";
import { forgetToken, keepTokens, tokenFor, tokensOf } from "../state/tournament-tokens";
import { controls } from "./controls";
import { nameField, selectField, type Option } from "./fields";
import { ladderStyles } from "./ladder-styles";
import { newGameStyles } from "./new-game-styles";
import "./confirm-button";

interface Shown {
  readonly tournament: Tournament;
  readonly rules: GameRules | undefined;
  /** Those that can enter. */
  readonly bots: readonly ListedBot[];
}

@customElement("tournament-page")
export class TournamentPage extends LitElement {
  static override styles = [
    controls,
    newGameStyles,
    ladderStyles,
    css`
      :host {
        max-width: 1100px;
      }
      .scrolled {
        overflow-x: auto;
      }
      .actions,
      .enter {
        display: flex;
        flex-wrap: wrap;
        align-items: end;
        gap: 8px 12px;
        margin: 12px 0;
      }
      .enter .field {
        flex: 1 1 180px;
        max-width: 320px;
      }
      .tie-break {
        text-transform: capitalize;
      }
      .cross td.number,
      .cross th.number {
        min-width: 2.2em;
      }
      .cross td.name {
        min-width: 7em;
        overflow-wrap: break-word;
      }
      .own .name {
        font-weight: 600;
      }
      .note {
        margin: 0 0 10px;
      }
      .scrolled + .note {
        margin-top: 10px;
      }
      details summary {
        min-height: var(--target);
        padding: 10px 0;
        cursor: pointer;
      }
      td a {
        display: inline-block;
        padding: 3px 0;
      }
    `,
  ];

  @property({ attribute: false }) tournamentId = "";
  @state() private bot = "";
  @state() private problem = "";
  @state() private isBusy = false;
  private readonly polling = new Polling<Shown>(
    () => this.read(),
    () => {
      this.requestUpdate();
      this.entitle();
      this.turnToOwnGame();
    },
    ({ tournament }) => hasGamesToCome(tournament),
  );

  override connectedCallback(): void {
    super.connectedCallback();
    this.polling.open();
  }

  override disconnectedCallback(): void {
    this.polling.close();
    document.title = "Plyhouse";
    super.disconnectedCallback();
  }

  private async read(): Promise<Shown> {
    const tournament = await this.readTournament();
    const isWaiting = tournament.status === "waiting";
    const [catalogue, bots] = await Promise.all([getRules(), isWaiting ? getAllBots() : []]);
    return {
      tournament,
      rules: catalogue.find(({ game }) => game === tournament.game),
      bots: bots.filter((bot) => canEnter(bot, tournament)),
    };
  }

  /** Whom the owner has withdrawn before the start is a visitor again. */
  private async readTournament(): Promise<Tournament> {
    const token = tokensOf(this.tournamentId).own?.token ?? null;
    try {
      return await getTournament(this.tournamentId, token);
    } catch (error) {
      if (token === null || !isWrongToken(error)) throw error;
      if (forgetToken(this.tournamentId, token) && !this.isBusy) this.problem = texts.youAreWithdrawn;
      return getTournament(this.tournamentId, null);
    }
  }

  private entitle(): void {
    const { tournament } = this.polling.answer ?? {};
    if (tournament === undefined) return;
    const isCall = tournament.you?.gameId !== undefined;
    document.title = tabTitle(isCall ? texts.yourGameIn(tournament.name) : tournament.name, isCall);
  }

  /** Opens the game that the person here is playing, once. */
  private turnToOwnGame(): void {
    const { gameId } = this.polling.answer?.tournament.you ?? {};
    const token = tokensOf(this.tournamentId).own?.token;
    if (gameId !== undefined && token !== undefined && ownSeat(gameId) !== token)
      goTo(seatPath(gameId, token));
  }

  override render(): TemplateResult {
    const { answer, problem } = this.polling;
    if (answer === null) return missing(problem);
    const { tournament, rules } = answer;
    const variant = variantTitle(rules?.about, tournament.variant);
    return html`
      <div class="card">
        <h1>${tournament.name}</h1>
        <p class="note">
          ${rules === undefined ? tournament.game : gameTitle(rules)}, ${variant} · ${formatText(tournament)}
          · ${timeText(tournament.timeControl)} · <a href="/tournaments">${texts.allTournaments}</a>
        </p>
        <p role="status">
          <strong>${progressText(tournament)}</strong
          >${tournament.note === null ? "" : `: ${tournament.note}`}
        </p>
        ${this.ownGame(tournament)}
        <p class="problem" role="alert" ?hidden=${problem === "" && this.problem === ""}>
          ${this.problem === "" ? problem : this.problem}
        </p>
        ${tournament.status === "waiting" ? this.entering(answer) : null} ${this.actions(tournament)}
        ${tournament.games.length === 0 ? this.entrants(tournament) : this.table(tournament)}
        ${tournament.games.map((_, index, all) => this.round(answer, all.length - 1 - index))}
      </div>
    `;
  }

  private ownGame({ you, id }: Tournament): TemplateResult | null {
    const token = tokensOf(id).own?.token ?? null;
    if (you?.gameId === undefined || token === null) return null;
    return html`<p><a class="button" href=${seatPath(you.gameId, token)}>${texts.playYourGame}</a></p>`;
  }

  private entering({ tournament, bots }: Shown): TemplateResult | null {
    const { owner, own } = tokensOf(tournament.id);
    if (!tournament.open && owner === undefined) return html`<p class="note">${texts.onlyOwnerEnters}</p>`;
    const options = bots.map(({ id, name }): Option<string> => [id, `${name} (${id})`]);
    const chosen = options.some(([id]) => id === this.bot) ? this.bot : (options[0]?.[0] ?? "");
    return html`
      ${
        own == null
          ? html`<div class="enter">
              ${nameField()}
              <button ?disabled=${this.isBusy} @click=${this.enterMyself}>${texts.enter}</button>
            </div>`
          : null
      }
      ${
        options.length === 0
          ? null
          : html`<div class="enter">
              ${selectField(texts.bot, "bot", options, chosen, (bot) => {
                this.bot = bot;
              })}
              <button
                ?disabled=${this.isBusy}
                @click=${() => {
                  void this.enterBot(chosen);
                }}
              >
                ${texts.enterBot}
              </button>
            </div>`
      }
    `;
  }

  private readonly enterMyself = (): void => {
    void this.change(this.owner, async () => {
      const own = await this.enter({ name: ownName() });
      keepTokens(this.tournamentId, { own });
    });
  };

  private enterBot(bot: string): Promise<void> {
    return this.change(this.owner, async () => {
      const { entry, token } = await this.enter({ bot });
      keepTokens(this.tournamentId, { bots: [...tokensOf(this.tournamentId).bots, [entry, token]] });
    });
  }

  private enter(who: { bot: string } | { name: string }): ReturnType<typeof enterTournament> {
    return enterTournament(this.tournamentId, who, this.owner);
  }

  /** The owner's token, if the person here is the owner. */
  private get owner(): string | null {
    return tokensOf(this.tournamentId).owner ?? null;
  }

  /** What only the owner may do. */
  private actions({ id, status, startsAt }: Tournament): TemplateResult | null {
    const { owner } = this;
    if (owner === null || !isLive({ status })) return null;
    return html`<div class="actions">
      ${
        status === "waiting"
          ? html`<button
              class="primary"
              ?disabled=${this.isBusy}
              @click=${() => {
                void this.change(owner, () => startTournament(id, owner));
              }}
            >
              ${startsAt === null ? texts.start : texts.startNow}
            </button>`
          : null
      }
      <confirm-button
        label=${texts.cancel}
        question=${texts.cancelNow}
        refusal=${texts.goOn}
        @confirm=${() => {
          void this.change(owner, () => cancelTournament(id, owner));
        }}
      ></confirm-button>
    </div>`;
  }

  /** Does something with a token, which is forgotten if it is wrong, and shows the tournament afterwards. */
  private async change(token: string | null, work: () => Promise<unknown>): Promise<void> {
    this.isBusy = true;
    this.problem = "";
    try {
      await work();
    } catch (error) {
      this.problem = sentence(error);
      if (token !== null && isWrongToken(error)) forgetToken(this.tournamentId, token);
    }
    if (this.isConnected) this.polling.again();
    this.isBusy = false;
  }

  private entrants(tournament: Tournament): TemplateResult {
    const { entrants } = tournament;
    if (entrants.length === 0) return html`<p class="note">${texts.nobodyYet}</p>`;
    return html`<h2>${texts.players}</h2>
      <table>
        <tbody>
          ${entrants.map(
            (one) =>
              html`<tr class=${this.isOwn(one) ? "own" : ""}>
                <td class="name">${one.name} <span class="soft">${one.bot ?? texts.person}</span></td>
                <td class="number">${this.withdrawal(tournament, one)}</td>
              </tr>`,
          )}
        </tbody>
      </table>`;
  }

  private isOwn({ entry }: Entrant): boolean {
    return tokensOf(this.tournamentId).own?.entry === entry;
  }

  /** The button with which a player withdraws, or that the player has; null for those who may not press it. */
  private withdrawal({ id, status }: Tournament, one: Entrant): TemplateResult | string | null {
    const token = tokenFor(tokensOf(id), one.entry);
    if (one.gone) return texts.withdrawn;
    if (token === null || !isLive({ status })) return null;
    return html`<confirm-button
      label=${texts.withdraw}
      question=${texts.withdrawNow}
      refusal=${texts.stay}
      @confirm=${() => {
        void this.change(token, async () => {
          await withdraw(id, one.entry, token);
          if (status === "waiting" && this.isOwn(one)) keepTokens(id, { own: null });
        });
      }}
    ></confirm-button>`;
  }

  private table(tournament: Tournament): TemplateResult {
    const entrants = new Map(tournament.entrants.map((one) => [one.entry, one]));
    const isRunning = tournament.status === "running";
    const hasEntries =
      isRunning && tournament.entrants.some((one) => this.withdrawal(tournament, one) !== null);
    const hasByes = tournament.table.some((row) => row.byes > 0);
    return html`<h2>${texts.table}</h2>
      <div class="scrolled" tabindex="0" role="region" aria-label=${texts.table}>
        <table class="cross">
          <thead>
            <tr>
              <th class="number" scope="col">#</th>
              <th scope="col">${texts.player}</th>
              <th class="number" scope="col">${texts.points}</th>
              ${hasByes ? html`<th class="number" scope="col">${texts.byes}</th>` : null}
              ${tournament.table.map((_, index) => html`<th class="number" scope="col">${index + 1}</th>`)}
              ${tournament.tieBreaks.map((name) => html`<th class="number tie-break" scope="col">${name}</th>`)}
              ${hasEntries ? html`<th scope="col"><span class="soft">${texts.entry}</span></th>` : null}
            </tr>
          </thead>
          <tbody>
            ${tournament.table.map((row) => {
              const one = entrants.get(row.entry);
              return html`<tr class=${one !== undefined && this.isOwn(one) ? "own" : ""}>
                <td class="number">${row.place}</td>
                <td class="name">${one?.name}</td>
                <td class="number"><strong>${pointsText(row.points)}</strong></td>
                ${hasByes ? html`<td class="number">${row.byes}</td>` : null}
                ${tournament.table.map((other) => html`<td class="number">${against(row.against[other.entry])}</td>`)}
                ${tournament.tieBreaks.map(
                  (name) => html`<td class="number">${pointsText(row.tieBreaks[name] ?? 0)}</td>`,
                )}
                ${hasEntries && one !== undefined ? html`<td>${this.withdrawal(tournament, one)}</td>` : null}
              </tr>`;
            })}
          </tbody>
        </table>
      </div>
      ${tournament.seats > 2 ? html`<p class="note">${texts.resultsAtTables}</p>` : null}
      <p class="note">
        ${texts.asFiles} <a href=${tablePath(tournament.id, "csv")} download>${texts.csv}</a>,
        <a href=${tablePath(tournament.id, "txt")} download>${texts.text}</a>
      </p>`;
  }

  /** A round; the latest one is open. */
  private round({ tournament, rules }: Shown, index: number): TemplateResult | null {
    const round = tournament.games[index];
    if (round === undefined) return null;
    const names = namesOf(tournament);
    const reasons = { ...reasonsIn(rules?.about, tournament.variant), ...texts.forfeits };
    return html`<details ?open=${index === tournament.games.length - 1}>
      <summary>${texts.round(index + 1)}</summary>
      <table>
        <tbody>
          ${round.games.map((game) => gameRow(game, names, reasons))}
        </tbody>
      </table>
      ${
        round.byes.length === 0
          ? null
          : html`<p class="note">${texts.bye(round.byes.map((entry) => names.get(entry)).join(", "))}</p>`
      }
    </details>`;
  }
}

function gameRow(
  game: TournamentGame,
  names: ReadonlyMap<number, string>,
  reasons: Readonly<Record<string, string>>,
): TemplateResult {
  const players = game.players.map((entry) => names.get(entry) ?? "");
  const isTable = players.length > 2;
  const text = isTable && game.points !== null ? common.game : scoreText(game);
  return html`<tr>
    <td class="name">
      ${isTable ? players.map((name, seat) => atTable(name, game.points?.[seat])) : players.join(" – ")}
    </td>
    <td>
      ${game.gameId === null ? text : html`<a href=${gamePath(game.gameId, null)}>${text}</a>`}
      <span class="soft"
        >${game.reason === null ? "" : (reasons[game.reason] ?? game.reason)}${notPlayed(game)}</span
      >
    </td>
  </tr>`;
}

/** A player of a table, with the points if the game is over. */
function atTable(name: string, points: number | undefined): TemplateResult {
  return html`<div>${name} <strong>${against(points)}</strong></div>`;
}

/** Why a bot that was connected has lost a game by forfeit, after the reason. */
function notPlayed({ reason, note }: TournamentGame): string {
  return reason === "unavailable" && note !== null ? `: ${note}` : "";
}

function against(points: number | undefined): string {
  return points === undefined ? "" : pointsText(points);
}

/** Whether the server refuses the token that was sent. */
function isWrongToken(error: unknown): boolean {
  return error instanceof ApiError && ["no-token", "not-your-seat"].includes(error.code);
}

function canEnter({ id, game, variants, tournaments }: ListedBot, tournament: Tournament): boolean {
  const hasEntered = tournament.entrants.some(({ bot }) => bot === id);
  const plays = game === tournament.game && tournament.variant in variants && tournaments !== false;
  return plays && !hasEntered;
}

function timeText({ initialSeconds, incrementSeconds, moveMs }: TimeControl): string {
  const [start, move] = [clock.seconds(initialSeconds), clock.secondsPerMove(incrementSeconds)];
  if (moveMs !== undefined) return clock.secondsPerMove(moveMs / 1000);
  return initialSeconds === 0 ? move : `${start} + ${move}`;
}

function missing(problem: string): TemplateResult {
  if (problem === "") return html`<p>${common.loading}</p>`;
  return html`<div class="card">
    <h1>${texts.heading}</h1>
    <p role="alert">${problem}</p>
    <p class="note"><a href="/tournaments">${texts.allTournaments}</a></p>
  </div>`;
}
