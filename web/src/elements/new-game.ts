// <new-game>: choose an opponent, a board and a side, and start.
import { LitElement, html, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { createGame, getBots, getRules, sentence } from "../api/client";
import type { Bot, GameRules } from "../api/shapes";
import * as choices from "../state/choice";
import { gamePath, goTo } from "../state/route";
import { controls } from "./controls";
import { newGameStyles } from "./new-game-styles";

const GAME = "wallwars";

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

  @state() private rules: GameRules | null = null;
  @state() private choice: choices.Choice | null = null;
  @state() private bots: readonly Bot[] = [];
  @state() private problem = "";
  @state() private isBusy = false;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.guard(async () => {
      const rules = (await getRules()).find(({ game }) => game === GAME);
      if (rules === undefined) throw new Error("The server does not offer this game.");
      this.rules = rules;
      this.choice = choices.firstChoice(rules);
      await this.loadBots(rules, this.choice);
    });
  }

  private async loadBots(rules: GameRules, choice: choices.Choice): Promise<void> {
    if (choices.boardProblem(rules, choice) !== null) return;
    const { boardWidth, boardHeight } = choices.boardOf(rules, choice);
    const bots = await getBots(GAME, choice.variant, boardWidth, boardHeight);
    if (this.choice !== null && choices.isSameBoard(this.choice, choice)) this.bots = bots;
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
        <h1>New game of ${rules.about.title}</h1>
        ${this.radios("Opponent", "opponent", OPPONENTS, choice.opponent)} ${this.botField(choice)}
        ${this.variantField(rules, choice)} ${this.boardField(rules, choice)}
        <p class="problem" role="alert" ?hidden=${boardProblem === ""}>${boardProblem}</p>
        ${this.radios("You move", "seat", SIDES, choice.seat)}
        <p class="problem" role="alert" ?hidden=${this.problem === ""}>${this.problem}</p>
        <button class="primary" ?disabled=${this.isBusy || boardProblem !== "" || isBotMissing}>
          ${choice.opponent === "friend" ? "Create the game" : "Play"}
        </button>
      </form>
    `;
  }

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
    return html`
      <label class="field">
        <span>Variant</span>
        <select name="variant" @change=${this.onVariant}>
          ${variants.map(
            (name) => html`<option value=${name} ?selected=${name === variant}>${capitalised(name)}</option>`,
          )}
        </select>
      </label>
      <p class="note">${about.variants[variant]}</p>
    `;
  }

  private readonly onVariant = (event: Event): void => {
    this.choose({ variant: (event.target as HTMLSelectElement).value });
  };

  private boardField(rules: GameRules, choice: choices.Choice): TemplateResult {
    return html`
      <div class="sizes">
        ${this.sizeField("Columns", "boardWidth", rules, choice)}
        ${this.sizeField("Rows", "boardHeight", rules, choice)}
      </div>
    `;
  }

  private sizeField(
    label: string,
    member: "boardWidth" | "boardHeight",
    rules: GameRules,
    choice: choices.Choice,
  ): TemplateResult {
    const isFixed = choice.variant in rules.about.fixedBoards;
    return html`
      <label class="field">
        <span>${label}</span>
        <input
          type="number"
          name=${member}
          min=${rules.about[member].min}
          max=${rules.about[member].max}
          .value=${String(choices.boardOf(rules, choice)[member])}
          ?disabled=${isFixed}
          @input=${(event: Event) => {
            this.choose({ [member]: (event.target as HTMLInputElement).valueAsNumber });
          }}
        />
      </label>
    `;
  }
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
