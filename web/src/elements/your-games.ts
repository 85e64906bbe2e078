// <your-games>: the games whose seats this browser keeps, and how to take them to another browser.
import { LitElement, html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import * as texts from "#texts/your-games";
import { sentence } from "../api/http";
import type { Game, GameRules } from "../api/shapes";
import { lowBelow } from "../state/clock";
import { gameLine, outcomeText, playerName, statusText, withNames } from "../state/labels";
import { dateText } from "../state/game-rows";
import { OwnGames, PAGE, isToMove, type OwnGame } from "../state/own-games";
import { gamePath } from "../state/route";
import { exportedSeats, importSeats, takenSeats } from "../state/seats";
import { controls } from "./controls";
import { yourGamesStyles } from "./your-games-styles";
import "./game-clock";
import "./small-board";

@customElement("your-games")
export class YourGames extends LitElement {
  static override styles = [controls, yourGamesStyles];

  @property({ attribute: false }) rules: ReadonlyMap<string, GameRules> = new Map();
  /** What an import has done. */
  @state() private notice = "";
  private readonly own = new OwnGames(() => {
    this.requestUpdate();
  });

  override connectedCallback(): void {
    super.connectedCallback();
    this.own.open();
  }

  override disconnectedCallback(): void {
    this.own.close();
    super.disconnectedCallback();
  }

  override render(): TemplateResult {
    const { games, gone, problem, hasMore } = this.own;
    const count = takenSeats().length;
    const isEmpty = count === 0;
    return html`
      <section aria-labelledby="heading">
        <h2 id="heading">${texts.heading}</h2>
        ${isEmpty ? html`<p class="note">${texts.none}</p>` : null}
        <p class="problem" role="alert" ?hidden=${problem === ""}>${problem}</p>
        <ul aria-busy=${games === null}>
          ${
            games === null
              ? Array.from({ length: Math.min(PAGE, count) }, () => html`<li class="due"></li>`)
              : repeat(
                  games,
                  ({ game }) => game.gameId,
                  (own) => this.row(own),
                )
          }
        </ul>
        ${
          gone.length === 0
            ? null
            : html`<ul class="gone">
                ${gone.map((gameId) => this.goneRow(gameId))}
              </ul>`
        }
        ${hasMore && games !== null ? html`<button @click=${this.showMore}>${texts.showMore}</button>` : null}
        ${this.transfer(isEmpty)}
      </section>
    `;
  }

  private row(own: OwnGame): TemplateResult {
    const { game, seat, clocks } = own;
    const about = this.rules.get(game.game)?.about ?? {};
    const { seats: names, reasons = {} } = about;
    const seats = withNames(game.seats, names);
    const others = seats.filter((one) => one.seat !== seat).map((one) => playerName(one, null));
    const { result } = game.position;
    const standing =
      result === undefined
        ? statusText({ ...game, seats }, seat, reasons)
        : outcomeText(result, seats, seat, reasons);
    return html`
      <li>
        <a href=${gamePath(game.gameId, null)}>
          <small-board .game=${game} .about=${this.rules.get(game.game)?.about}></small-board>
          <span class="who">${others.join(", ")}</span>
          <span class="standing ${isToMove(own) ? "mine" : ""}">${standing}</span>
          <span class="about">${gameLine(about, game)}${dateOf(game)}</span>
          ${
            game.position.status === "playing"
              ? html`<game-clock
                  .clocks=${clocks}
                  .seat=${seat}
                  .lowMs=${lowBelow(game.matchStatus?.config?.timeControl)}
                ></game-clock>`
              : null
          }
        </a>
      </li>
    `;
  }

  private goneRow(gameId: string): TemplateResult {
    return html`<li>
      <p class="note">${texts.gone(gameId)}</p>
      <button
        aria-label=${texts.removeGame(gameId)}
        @click=${() => {
          this.own.forget(gameId);
        }}
      >
        ${texts.remove}
      </button>
    </li>`;
  }

  /** There are no accounts, so the tokens are what makes these games the player's. */
  private transfer(isEmpty: boolean): TemplateResult {
    return html`
      <details>
        <summary>${texts.transfer}</summary>
        <p class="note">${texts.aboutTransfer}</p>
        <div class="row">
          <button ?disabled=${isEmpty} @click=${this.save}>${texts.save}</button>
          <label class="button">
            ${texts.open}
            <input class="unseen" type="file" accept="application/json,.json" @change=${this.load} />
          </label>
        </div>
        <p class="note" role="status" ?hidden=${this.notice === ""}>${this.notice}</p>
      </details>
    `;
  }

  private readonly showMore = (): void => {
    void this.own.showMore();
  };

  private readonly save = (): void => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([exportedSeats()], { type: "application/json" }));
    link.download = "plyhouse-seats.json";
    link.click();
    URL.revokeObjectURL(link.href);
  };

  private readonly load = async (event: Event): Promise<void> => {
    const field = event.target as HTMLInputElement;
    const text = (await field.files?.[0]?.text()) ?? "";
    field.value = "";
    try {
      const count = importSeats(text);
      this.notice = texts.added(count);
      await this.own.reload();
    } catch (error) {
      this.notice = sentence(error);
    }
  };
}

/** When something last happened in a game: ` · 4 May`. */
function dateOf({ matchStatus }: Game): string {
  const at = matchStatus?.updatedAt;
  return at === undefined ? "" : ` · ${dateText(at, Date.now())}`;
}
