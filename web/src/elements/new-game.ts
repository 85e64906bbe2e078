// <new-game>: a form with the game, opponent, board, clock and side, and a button to start.
import { LitElement, html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import * as common from "#texts/common";
import * as labels from "#texts/labels";
import * as texts from "#texts/new-game";
import * as server from "#texts/server";
import { createGame, getBots, getRules, sentence } from "../api/client";
import type { Assistance, Board, Bot, GameRules } from "../api/shapes";
import { retryWhileWanted } from "../net/retry";
import * as choices from "../state/choice";
import { gameTitle, variantTitle } from "../state/labels";
import { ownName } from "../state/me";
import { goTo } from "../state/route";
import { seatPath } from "../state/seats";
import { controls } from "./controls";
import { nameField, numberField, radioField, selectField, type Option } from "./fields";
import { newGameStyles } from "./new-game-styles";

const OPPONENTS: readonly Option<choices.Opponent>[] = [
  ["engine", texts.opponents.engine],
  ["bot", texts.opponents.bot],
  ["friend", texts.opponents.friend],
  ["anybody", texts.opponents.anybody],
];
const EVALUATION: readonly Option<Assistance>[] = [
  ["open", texts.evaluation.open],
  ["none", texts.evaluation.none],
];
/** Who can take the open seats of a game for more than two. */
const GUESTS: readonly Option<choices.Opponent>[] = [
  ["friend", texts.whoCanJoin.friend],
  ["anybody", texts.whoCanJoin.anybody],
];
/** Up to this many games are shown side by side. */
const GAMES_IN_A_ROW = 4;

@customElement("new-game")
export class NewGameForm extends LitElement {
  static override styles = [controls, newGameStyles];

  /** The game that is shown first; null for the first of the server's. */
  @property({ attribute: false }) game: string | null = null;
  @state() private games: readonly GameRules[] = [];
  @state() private rules: GameRules | null = null;
  @state() private choice: choices.Choice | null = null;
  /** Null until the server has answered. */
  @state() private bots: readonly Bot[] | null = null;
  @state() private problem = "";
  @state() private isBusy = false;

  override connectedCallback(): void {
    super.connectedCallback();
    void retryWhileWanted(() => this.load(), {
      isWanted: () => this.isConnected,
      onFailure: (error) => {
        this.problem = sentence(error);
      },
    });
  }

  private async load(): Promise<void> {
    this.games = await getRules();
    const wanted = this.games.find(({ game }) => game === this.game) ?? this.games[0];
    if (wanted === undefined) throw new Error(texts.noGames);
    await this.turnTo(wanted);
    this.problem = this.game === null || this.game === wanted.game ? "" : server.noGame(this.game);
  }

  /** Shows another game, with its own choices. */
  private async turnTo(rules: GameRules): Promise<void> {
    this.rules = rules;
    this.choice = choices.firstChoice(rules);
    this.bots = null;
    await this.loadBots(rules, this.choice);
  }

  private async loadBots(rules: GameRules, choice: choices.Choice): Promise<void> {
    if (choices.boardProblem(rules, choice) !== null) return;
    const bots = await getBots(rules.game, choice.variant, choices.boardOf(rules, choice));
    if (this.rules !== rules || this.choice === null) return;
    if (!choices.isSameBoard(this.choice, choice)) return;
    this.bots = choices.inOrder(bots);
    this.choice = choices.withOffered(this.choice, bots);
  }

  /** The bots that play the chosen board. */
  private get offered(): readonly Bot[] {
    return this.bots ?? [];
  }

  private choose(part: Partial<choices.Choice>): void {
    if (this.rules === null || this.choice === null) return;
    const { rules, choice: before } = this;
    const choice = { ...before, ...part };
    this.choice = choice;
    if (!choices.isSameBoard(before, choice)) void this.guard(() => this.loadBots(rules, choice));
  }

  private async guard(work: () => Promise<void>): Promise<void> {
    this.problem = "";
    try {
      await work();
    } catch (error) {
      this.problem = sentence(error);
    }
  }

  private readonly start = async (event: Event): Promise<void> => {
    event.preventDefault();
    const { rules, choice } = this;
    if (rules === null || choice === null) return;
    this.isBusy = true;
    await this.guard(async () => {
      const game = await createGame(choices.requestFor(rules, choice, this.offered, ownName()));
      const token = game.seats.find((seat) => seat.token !== undefined)?.token ?? null;
      goTo(seatPath(game.gameId, token));
    });
    this.isBusy = false;
  };

  override render(): TemplateResult {
    const { rules, choice } = this;
    if (rules === null || choice === null) {
      return html`<div class="card opening"><p class="problem" role="alert">${this.problem}</p></div>`;
    }
    const problem = choices.boardProblem(rules, choice) ?? choices.clockProblem(choice, this.offered) ?? "";
    const isBotMissing = this.isBotMissing(choice);
    return html`
      <form class="card" @submit=${this.start}>
        <h1>${texts.newGameOf(gameTitle(rules))}</h1>
        ${this.gameField(rules)}
        ${choice.others === null ? this.opponentFields(choice) : this.othersFields(rules, choice, choice.others)}
        ${this.variantField(rules, choice)} ${this.boardField(rules, choice)}
        ${this.clockField(rules, choice)}
        <p class="problem" role="alert" ?hidden=${problem === ""}>${problem}</p>
        ${radioField(
          texts.engineEvaluation,
          "assistance",
          EVALUATION,
          choices.assistanceOf(choice),
          (assistance) => {
            this.choose({ assistance });
          },
        )}
        ${this.sideField(rules, choice)}
        <p class="problem" role="alert" ?hidden=${this.problem === ""}>${this.problem}</p>
        <button class="primary" ?disabled=${this.isBusy || problem !== "" || isBotMissing}>
          ${choices.isAwaited(choice) ? texts.create : texts.play}
        </button>
      </form>
    `;
  }

  private gameField({ game }: GameRules): TemplateResult | null {
    if (this.games.length < 2) return null;
    const options = this.games.map((rules): Option<string> => [rules.game, gameTitle(rules)]);
    const field = options.length > GAMES_IN_A_ROW ? selectField : radioField;
    return field(common.game, "game", options, game, (wanted) => {
      const chosen = this.games.find((rules) => rules.game === wanted);
      if (chosen !== undefined) void this.guard(() => this.turnTo(chosen));
    });
  }

  private sideField({ about: { seats } }: GameRules, { seat, others }: choices.Choice): TemplateResult {
    const names = seats ?? texts.sides.slice(0, 1 + (others?.length ?? 1));
    const sides = names.map((name, index): Option<number> => [index, name]);
    return radioField(seats === undefined ? texts.youMove : texts.youPlay, "seat", sides, seat, (chosen) => {
      this.choose({ seat: chosen });
    });
  }

  private isBotMissing(choice: choices.Choice): boolean {
    if (choice.others?.every((other) => other === choices.OPEN_SEAT) === true) return false;
    return (
      (choice.others !== null || !choices.isPerson(choice.opponent)) &&
      choices.chosenBot(choice, this.offered) === ""
    );
  }

  private opponentFields(choice: choices.Choice): TemplateResult {
    return html`${radioField(texts.opponent, "opponent", OPPONENTS, choice.opponent, (opponent) => {
      this.choose({ opponent });
    })}
    ${this.opponentField(choice)}`;
  }

  /** How many play, and who has each of the other seats. */
  private othersFields(
    { seats: [fewest, most] = [2, 2] }: GameRules,
    choice: choices.Choice,
    others: readonly string[],
  ): TemplateResult {
    const counts = Array.from({ length: most - fewest + 1 }, (_, index) => fewest + index);
    const options = counts.map((count): Option<number> => [count, String(count)]);
    const guests = choice.opponent === "anybody" ? "anybody" : "friend";
    return html`
      ${radioField(texts.players, "players", options, others.length + 1, (count) => {
        this.choose(choices.withSeats(choice, count));
      })}
      <div class="pair">${others.map((other, index) => this.otherField(choice, others, other, index))}</div>
      ${
        choices.isAwaited(choice)
          ? html`${radioField(texts.guests, "guests", GUESTS, guests, (opponent) => {
              this.choose({ opponent });
            })}
            ${nameField()}`
          : null
      }
    `;
  }

  private otherField(
    choice: choices.Choice,
    others: readonly string[],
    other: string,
    index: number,
  ): TemplateResult {
    const bots = this.offered.map(({ id, name }): Option<string> => [id, name]);
    const seat = index < choice.seat ? index : index + 1;
    const chosen = other === "" ? choices.chosenBot(choice, this.offered) : other;
    const options: Option<string>[] = [...bots, [choices.OPEN_SEAT, labels.openSeat]];
    return selectField(labels.player(seat + 1), `player-${seat + 1}`, options, chosen, (wanted) => {
      this.choose({ others: others.with(index, wanted) });
    });
  }

  /** The choice of the bot, or the player's name if the opponent is a person. */
  private opponentField(choice: choices.Choice): TemplateResult {
    if (choices.isPerson(choice.opponent)) return nameField();
    const offered = choices.botsFor(choice.opponent, this.offered);
    if (this.bots !== null && offered.length === 0)
      return html`<p class="note">${choice.board === null ? texts.noBotForVariant : texts.noBotForBoard}</p>`;
    const label = choice.opponent === "engine" ? texts.level : texts.bot;
    const options = offered.map(({ id, name }): Option<string> => [id, name]);
    const chosen = choices.chosenBot(choice, this.offered);
    const sentence = offered.find(({ id }) => id === chosen)?.about ?? "";
    return html`
      ${selectField(label, "bot", options, chosen, (botId) => {
        this.choose({ botId });
      })}
      ${choice.opponent === "engine" ? html`<p class="level">${sentence}</p>` : null}
    `;
  }

  private variantField({ variants, about }: GameRules, { variant }: choices.Choice): TemplateResult {
    const sentence = about.variants?.[variant] ?? "";
    const options = variants.map((name): Option<string> => [name, variantTitle(about, name)]);
    return html`
      ${selectField(common.variant, "variant", options, variant, (chosen) => {
        this.choose({ variant: chosen });
      })}
      <p class="note" ?hidden=${sentence === ""}>${sentence}</p>
    `;
  }

  private boardField(rules: GameRules, choice: choices.Choice): TemplateResult | null {
    const { boardWidth, boardHeight } = rules.about;
    const board = choices.boardOf(rules, choice);
    if (!boardWidth || !boardHeight || board === null) return null;
    const isFixed = board !== choice.board;
    const size = (member: keyof Board) => (value: number) => {
      this.choose({ board: { ...board, [member]: value } });
    };
    return html`
      <div class="pair">
        ${numberField(texts.columns, "boardWidth", boardWidth, board.boardWidth, size("boardWidth"), isFixed)}
        ${numberField(texts.rows, "boardHeight", boardHeight, board.boardHeight, size("boardHeight"), isFixed)}
      </div>
    `;
  }

  private clockField({ about }: GameRules, choice: choices.Choice): TemplateResult {
    if (!choices.hasClock(choice, this.offered)) return html`<p class="note">${texts.noClock}</p>`;
    const options: Option<string>[] = choices.CLOCKS.map(({ key, label }) => [key, label]);
    if (about.lateMove !== undefined) options.push([choices.MOVE_CLOCK, texts.fixedTime]);
    options.push([choices.OWN_CLOCK, texts.otherClock]);
    return html`
      ${selectField(texts.time, "clock", options, choice.clock, (chosen) => {
        this.choose({ clock: chosen });
      })}
      ${choice.clock === choices.OWN_CLOCK ? this.ownClockFields(choice.ownClock) : null}
      ${choice.clock === choices.MOVE_CLOCK ? this.moveTimeField(choice) : null}
    `;
  }

  private moveTimeField({ moveSeconds }: choices.Choice): TemplateResult {
    const limits = { ...choices.MOVE_SECONDS, step: 0.1 };
    return html`
      ${numberField(texts.secondsPerMove, "moveSeconds", limits, moveSeconds, (seconds) => {
        this.choose({ moveSeconds: seconds });
      })}
      <p class="note">${texts.lateMove}</p>
    `;
  }

  private ownClockFields(ownClock: choices.OwnClock): TemplateResult {
    const set = (member: keyof choices.OwnClock) => (value: number) => {
      this.choose({ ownClock: { ...ownClock, [member]: value } });
    };
    const minutes = { ...choices.MINUTES, step: 0.5 };
    return html`
      <div class="pair">
        ${numberField(texts.minutes, "minutes", minutes, ownClock.minutes, set("minutes"))}
        ${numberField(texts.secondsPerMove, "increment", choices.INCREMENT, ownClock.increment, set("increment"))}
      </div>
    `;
  }
}
