// <new-game>: choose a game, an opponent, a board and a side, and start.
import { LitElement, html, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { createGame, getBots, getRules, sentence } from "../api/client";
import type { Board, Bot, GameRules, Limits } from "../api/shapes";
import * as choices from "../state/choice";
import { gamePath, goTo } from "../state/route";
import { controls } from "./controls";
import { newGameStyles } from "./new-game-styles";

const OPPONENTS: readonly [choices.Opponent, string][] = [
  ["engine", "Engine"],
  ["bot", "Attached bot"],
  ["friend", "Friend"],
];
const SIDES: readonly [number, string][] = [
  [0, "First"],
  [1, "Second"],
];

@customElement("new-game")
export class NewGameForm extends LitElement {
  static override styles = [controls, newGameStyles];

  @state() private games: readonly GameRules[] = [];
  @state() private rules: GameRules | null = null;
  @state() private choice: choices.Choice | null = null;
  @state() private bots: readonly Bot[] = [];
  @state() private problem = "";
  @state() private isBusy = false;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.guard(async () => {
      this.games = await getRules();
      const [first] = this.games;
      if (first === undefined) throw new Error("The server offers no game.");
      await this.turnTo(first);
    });
  }

  /** Offers another game, with its own choices. */
  private async turnTo(rules: GameRules): Promise<void> {
    this.rules = rules;
    this.choice = choices.firstChoice(rules);
    this.bots = [];
    await this.loadBots(rules, this.choice);
  }

  private async loadBots(rules: GameRules, choice: choices.Choice): Promise<void> {
    if (choices.boardProblem(rules, choice) !== null) return;
    const bots = await getBots(rules.game, choice.variant, choices.boardOf(rules, choice));
    if (this.rules !== rules || this.choice === null) return;
    if (choices.isSameBoard(this.choice, choice)) this.bots = bots;
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
      const game = await createGame(choices.wishFor(rules, choice, this.chosenBot(choice)));
      const token = game.seats.find((seat) => seat.token !== undefined)?.token ?? null;
      goTo(gamePath(game.gameId, token));
    });
    this.isBusy = false;
  };

  /** The chosen bot if it plays this board, else the first that does; empty when there is none. */
  private chosenBot(choice: choices.Choice): string {
    const offered = choices.botsFor(choice.opponent, this.bots);
    return (offered.find(({ id }) => id === choice.botId) ?? offered[0])?.id ?? "";
  }

  override render(): TemplateResult {
    const { rules, choice } = this;
    if (rules === null || choice === null) {
      return html`<p class="problem" role="alert">${this.problem}</p>`;
    }
    const boardProblem = choices.boardProblem(rules, choice) ?? "";
    const isBotMissing = choice.opponent !== "friend" && this.chosenBot(choice) === "";
    return html`
      <form class="card" @submit=${this.start}>
        <h1>New game of ${titleOf(rules)}</h1>
        ${this.gameField(rules)} ${this.radios("Opponent", "opponent", OPPONENTS, choice.opponent)}
        ${this.botField(choice)} ${this.variantField(rules, choice)} ${this.boardField(rules, choice)}
        <p class="problem" role="alert" ?hidden=${boardProblem === ""}>${boardProblem}</p>
        ${this.radios("You move", "seat", SIDES, choice.seat)}
        <p class="problem" role="alert" ?hidden=${this.problem === ""}>${this.problem}</p>
        <button class="primary" ?disabled=${this.isBusy || boardProblem !== "" || isBotMissing}>
          ${choice.opponent === "friend" ? "Create the game" : "Play"}
        </button>
      </form>
    `;
  }

  private gameField(chosen: GameRules): TemplateResult | null {
    if (this.games.length < 2) return null;
    return html`
      <label class="field">
        <span>Game</span>
        <select name="game" @change=${this.onGame}>
          ${this.games.map(
            (rules) =>
              html`<option value=${rules.game} ?selected=${rules === chosen}>${titleOf(rules)}</option>`,
          )}
        </select>
      </label>
    `;
  }

  private readonly onGame = (event: Event): void => {
    const chosen = this.games.find(({ game }) => game === (event.target as HTMLSelectElement).value);
    if (chosen !== undefined) void this.guard(() => this.turnTo(chosen));
  };

  private radios<Value extends string | number>(
    legend: string,
    member: "opponent" | "seat",
    options: readonly [Value, string][],
    chosen: Value,
  ): TemplateResult {
    return html`
      <fieldset>
        <legend>${legend}</legend>
        <div class="radios">
          ${options.map(
            ([value, label]) => html`
              <label>
                <input
                  type="radio"
                  name=${member}
                  .checked=${value === chosen}
                  @change=${() => {
                    this.choose({ [member]: value });
                  }}
                />
                <span>${label}</span>
              </label>
            `,
          )}
        </div>
      </fieldset>
    `;
  }

  private botField(choice: choices.Choice): TemplateResult | null {
    if (choice.opponent === "friend") return null;
    const offered = choices.botsFor(choice.opponent, this.bots);
    if (offered.length === 0) return html`<p class="note">No bot that plays this board is attached.</p>`;
    const chosen = this.chosenBot(choice);
    return html`
      <label class="field">
        <span>${choice.opponent === "engine" ? "Level" : "Bot"}</span>
        <select name="bot" @change=${this.onBot}>
          ${offered.map(({ id, name }) => html`<option value=${id} ?selected=${id === chosen}>${name}</option>`)}
        </select>
      </label>
    `;
  }

  private readonly onBot = (event: Event): void => {
    this.choose({ botId: (event.target as HTMLSelectElement).value });
  };

  private variantField({ variants, about }: GameRules, { variant }: choices.Choice): TemplateResult {
    const sentence = about.variants?.[variant] ?? "";
    return html`
      <label class="field">
        <span>Variant</span>
        <select name="variant" @change=${this.onVariant}>
          ${variants.map(
            (name) => html`<option value=${name} ?selected=${name === variant}>${capitalised(name)}</option>`,
          )}
        </select>
      </label>
      <p class="note" ?hidden=${sentence === ""}>${sentence}</p>
    `;
  }

  private readonly onVariant = (event: Event): void => {
    this.choose({ variant: (event.target as HTMLSelectElement).value });
  };

  private boardField(rules: GameRules, choice: choices.Choice): TemplateResult | null {
    const { boardWidth, boardHeight } = rules.about;
    const board = choices.boardOf(rules, choice);
    if (!boardWidth || !boardHeight || board === null) return null;
    const isFixed = board !== choice.board;
    return html`
      <div class="sizes">
        ${this.sizeField("Columns", "boardWidth", boardWidth, board, isFixed)}
        ${this.sizeField("Rows", "boardHeight", boardHeight, board, isFixed)}
      </div>
    `;
  }

  private sizeField(
    label: string,
    member: keyof Board,
    { min, max }: Limits,
    board: Board,
    isFixed: boolean,
  ): TemplateResult {
    return html`
      <label class="field">
        <span>${label}</span>
        <input
          type="number"
          name=${member}
          min=${min}
          max=${max}
          .value=${String(board[member])}
          ?disabled=${isFixed}
          @input=${(event: Event) => {
            this.choose({ board: { ...board, [member]: (event.target as HTMLInputElement).valueAsNumber } });
          }}
        />
      </label>
    `;
  }
}

function titleOf({ game, about }: GameRules): string {
  return about.title ?? capitalised(game);
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
