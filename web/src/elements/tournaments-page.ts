// <tournaments-page>: the tournaments of the server, and a form for a new one.
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import * as common from "#texts/common";
import * as texts from "#texts/tournaments";
import { getRules, sentence } from "../api/client";
import type { GameRules } from "../api/shapes";
import { createTournament, type ListedTournament, type System } from "../api/tournaments";
import { CLOCKS } from "../state/choice";
import { gameTitle, tabTitle, variantTitle } from "../state/labels";
import { Polling } from "../state/polling";
import { goTo, tournamentPath } from "../state/route";
import { SYSTEMS, progressText } from "../state/tournament-labels";
import { liveFirst, readTournaments, type TournamentList } from "../state/tournament-list";
import { keepTokens } from "../state/tournament-tokens";
import { controls } from "./controls";
import { numberField, radioField, selectField, type NumberLimits, type Option } from "./fields";
import { ladderStyles } from "./ladder-styles";
import { newGameStyles } from "./new-game-styles";

interface Shown {
  readonly list: TournamentList;
  readonly rules: readonly GameRules[];
}

const GAMES = { min: 1, max: 16 };
const ROUNDS = { min: 1, max: 32 };
const MAX_NAME = 64;
const CLOCK_OPTIONS = CLOCKS.flatMap(({ key, label, control }): Option<string>[] =>
  control === null ? [] : [[key, label]],
);
const WHO: readonly Option<string>[] = [
  ["anyone", texts.whoEnters.anyone],
  ["owner", texts.whoEnters.owner],
];

@customElement("tournaments-page")
export class TournamentsPage extends LitElement {
  static override styles = [
    controls,
    newGameStyles,
    ladderStyles,
    css`
      form {
        max-width: 560px;
      }
      .card + .card {
        margin-top: 16px;
      }
      h2 {
        margin-top: 0;
      }
      .more {
        margin-top: 12px;
      }
    `,
  ];

  @state() private name = "";
  /** Empty for the first game, or variant, of the server's. */
  @state() private game = "";
  @state() private variant = "";
  @state() private system: System = "round-robin";
  /** Of each game, as far as the game allows it. */
  @state() private seats = 2;
  /** Of a Swiss tournament; with fewer players, there are as many as can be paired. Or of tables in a round robin.
   * NaN: the usual ones. */
  @state() private rounds = 5;
  @state() private games = 2;
  @state() private clock = CLOCK_OPTIONS[0]?.[0] ?? "";
  @state() private who = "anyone";
  /** As the field has it, in local time; empty: when its owner starts it. */
  @state() private startsAt = "";
  @state() private problem = "";
  @state() private isBusy = false;
  /** How many pages of the list to read. */
  private pages = 1;
  private readonly polling = new Polling<Shown>(
    () => read(this.pages),
    () => {
      this.requestUpdate();
    },
  );

  override connectedCallback(): void {
    super.connectedCallback();
    document.title = tabTitle(texts.heading);
    this.polling.open();
  }

  override disconnectedCallback(): void {
    this.polling.close();
    document.title = "Plyhouse";
    super.disconnectedCallback();
  }

  override render(): TemplateResult {
    const { answer, problem } = this.polling;
    if (answer === null) return html`<p role="status">${problem === "" ? common.loading : problem}</p>`;
    const { list, rules } = answer;
    return html`
      <div class="card">
        <h1>${texts.heading}</h1>
        <p class="note">${texts.introduction}</p>
        <p class="problem" role="alert" ?hidden=${problem === ""}>${problem}</p>
        ${
          list.tournaments.length === 0
            ? html`<p class="note">${texts.noneYet}</p>`
            : html`<table>
                <thead>
                  <tr>
                    <th scope="col">${texts.tournament}</th>
                    <th class="wide" scope="col">${common.game}</th>
                    <th class="number" scope="col">${texts.players}</th>
                    <th scope="col">${texts.now}</th>
                  </tr>
                </thead>
                <tbody>
                  ${liveFirst(list.tournaments).map((one) => row(one, rules))}
                </tbody>
              </table>`
        }
        ${list.hasMore ? html`<button class="more" @click=${this.showMore}>${texts.more}</button>` : null}
      </div>
      ${this.form(rules.filter((one) => seatLimits(one).max >= 2))}
    `;
  }

  private readonly showMore = (): void => {
    this.pages = (this.polling.answer?.list.pages ?? 0) + 1;
    this.polling.again();
  };

  private form(rules: readonly GameRules[]): TemplateResult | null {
    const chosen = rules.find(({ game }) => game === this.game) ?? rules[0];
    if (chosen === undefined) return null;
    const titles = rules.map((one): Option<string> => [one.game, gameTitle(one)]);
    const systems = Object.entries(SYSTEMS) as [System, string][];
    const limits = seatLimits(chosen);
    const seats = this.seatsOf(chosen);
    return html`<form
      class="card"
      @submit=${(event: Event) => {
        event.preventDefault();
        void this.create(chosen);
      }}
    >
      <h2>${texts.newTournament}</h2>
      <label class="field">
        <span>${texts.name}</span>
        <input
          type="text"
          name="title"
          required
          maxlength=${MAX_NAME}
          .value=${this.name}
          @input=${(event: Event) => {
            this.name = (event.target as HTMLInputElement).value;
          }}
        />
      </label>
      <div class="pair">
        ${selectField(common.game, "game", titles, chosen.game, (game) => {
          this.game = game;
          this.variant = "";
        })}
        ${selectField(
          common.variant,
          "variant",
          variantOptions(chosen),
          this.variantOf(chosen),
          (variant) => {
            this.variant = variant;
          },
        )}
      </div>
      ${radioField(texts.system, "system", systems, this.system, (system) => {
        this.system = system;
      })}
      ${
        hasChoice(limits)
          ? numberField(texts.seats, "seats", limits, seats, (seats) => {
              this.seats = seats;
            })
          : null
      }
      ${
        this.hasRounds(seats)
          ? numberField(texts.rounds, "rounds", ROUNDS, this.rounds, (rounds) => {
              this.rounds = rounds;
            })
          : null
      }
      <div class="pair">
        ${numberField(
          seats > 2 ? texts.gamesOfTable : texts.gamesOfPair,
          "games",
          GAMES,
          this.games,
          (games) => {
            this.games = games;
          },
        )}
        ${selectField(texts.time, "clock", CLOCK_OPTIONS, this.clock, (clock) => {
          this.clock = clock;
        })}
      </div>
      ${radioField(texts.entering, "who", WHO, this.who, (who) => {
        this.who = who;
      })}
      <label class="field">
        <span>${texts.startsAt}</span>
        <input
          type="datetime-local"
          name="startsAt"
          .value=${this.startsAt}
          @input=${(event: Event) => {
            this.startsAt = (event.target as HTMLInputElement).value;
          }}
        />
      </label>
      <p class="problem" role="alert" ?hidden=${this.problem === ""}>${this.problem}</p>
      <button class="primary" ?disabled=${this.isBusy}>${texts.create}</button>
    </form>`;
  }

  private seatsOf(rules: GameRules): number {
    const { min, max } = seatLimits(rules);
    return Math.min(Math.max(this.seats, min), max);
  }

  /** Whether the number of rounds can be chosen. */
  private hasRounds(seats: number): boolean {
    return this.system === "swiss" || (this.system === "round-robin" && seats > 2);
  }

  private variantOf({ variants }: GameRules): string {
    return variants.includes(this.variant) ? this.variant : (variants[0] ?? "");
  }

  private async create(rules: GameRules): Promise<void> {
    this.isBusy = true;
    this.problem = "";
    const seats = this.seatsOf(rules);
    try {
      const made = await createTournament({
        name: this.name.trim(),
        game: rules.game,
        variant: this.variantOf(rules),
        system: this.system,
        seats,
        gamesPerPair: this.games,
        ...(this.hasRounds(seats) && !Number.isNaN(this.rounds) ? { rounds: this.rounds } : {}),
        timeControl: CLOCKS.find(({ key }) => key === this.clock)?.control ?? {
          initialSeconds: 60,
          incrementSeconds: 1,
        },
        open: this.who === "anyone",
        ...(this.startsAt === "" ? {} : { startsAt: new Date(this.startsAt).getTime() }),
      });
      keepTokens(made.id, { owner: made.token });
      goTo(tournamentPath(made.id));
    } catch (error) {
      this.problem = sentence(error);
    }
    this.isBusy = false;
  }
}

async function read(pages: number): Promise<Shown> {
  const [list, rules] = await Promise.all([readTournaments(pages), getRules()]);
  return { list, rules };
}

function seatLimits({ seats: [fewest, most] = [2, 2] }: GameRules): NumberLimits {
  return { min: Math.max(2, fewest), max: most };
}

function hasChoice({ min, max }: NumberLimits): boolean {
  return min < max;
}

function variantOptions({ variants, about }: GameRules): Option<string>[] {
  return variants.map((variant) => [variant, variantTitle(about, variant)]);
}

function row(one: ListedTournament, rules: readonly GameRules[]): TemplateResult {
  const known = rules.find(({ game }) => game === one.game);
  const title = known === undefined ? one.game : gameTitle(known);
  return html`<tr>
    <td class="name">
      <a href=${tournamentPath(one.id)}>${one.name}</a> <span class="soft">${SYSTEMS[one.system]}</span>
    </td>
    <td class="wide">${title}, ${variantTitle(known?.about, one.variant)}</td>
    <td class="number">${one.entrants}</td>
    <td>${progressText(one)}</td>
  </tr>`;
}
