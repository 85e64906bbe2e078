// <next-game>: below a finished game of a tournament, tells its player that the next one has begun, with a link to it.
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import * as texts from "#texts/game";
import { getTournament, hasGamesToCome, type Tournament } from "../api/tournaments";
import { tabTitle } from "../state/labels";
import { Polling } from "../state/polling";
import { seatPath } from "../state/seats";
import { controls } from "./controls";

@customElement("next-game")
export class NextGame extends LitElement {
  static override styles = [
    controls,
    css`
      p {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 8px;
        margin: 0;
        padding: 10px 12px;
        border: 1px solid var(--accent);
        border-radius: var(--radius);
      }
      span {
        flex: 1;
      }
    `,
  ];

  @property({ attribute: false }) tournamentId = "";
  /** The game that is over. */
  @property({ attribute: false }) gameId = "";
  /** The player's, which is that of the entry. */
  @property({ attribute: false }) token = "";
  private readonly polling = new Polling<Tournament>(
    () => getTournament(this.tournamentId, this.token),
    () => {
      this.follow();
    },
    hasGamesToCome,
  );

  override connectedCallback(): void {
    super.connectedCallback();
    this.polling.open();
  }

  override disconnectedCallback(): void {
    this.polling.close();
    super.disconnectedCallback();
  }

  private follow(): void {
    const { answer } = this.polling;
    if (answer === null) return;
    if (!hasGamesToCome(answer)) this.polling.close();
    if (this.next !== null) document.title = tabTitle(texts.yourGameIn(answer.name), true);
    this.requestUpdate();
  }

  /** The id of the game that the player is playing now. */
  private get next(): string | null {
    const { gameId } = this.polling.answer?.you ?? {};
    return gameId === undefined || gameId === this.gameId ? null : gameId;
  }

  override render(): TemplateResult {
    const { next } = this;
    return html`<div role="status">
      ${
        next === null
          ? null
          : html`<p>
              <span>${texts.nextGameOf(this.polling.answer?.name ?? "")}</span>
              <a class="button primary" href=${seatPath(next, this.token)}>${texts.playNext}</a>
            </p>`
      }
    </div>`;
  }
}
