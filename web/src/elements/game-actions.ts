// <game-actions>: what a player may do about the game besides moving, and what to answer the other player.
// What each button does is said in state/session.ts.
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { recordPath } from "../api/client";
import type { Game } from "../api/shapes";
import type { OfferKind } from "../state/around";
import { analysisPath, gamePath, goTo } from "../state/route";
import type { GameSession, SessionState } from "../state/session";
import { controls } from "./controls";
import "./confirm-button";

const QUESTIONS: Readonly<Record<OfferKind, string>> = {
  takeback: "The other player asks for a takeback.",
  draw: "The other player offers a draw.",
  rematch: "The other player offers a rematch.",
};
const ASKED: Readonly<Record<OfferKind, string>> = {
  takeback: "You have asked for a takeback.",
  draw: "You have offered a draw.",
  rematch: "You have offered a rematch.",
};
const KINDS: readonly OfferKind[] = ["takeback", "draw", "rematch"];

@customElement("game-actions")
export class GameActions extends LitElement {
  static override styles = [
    controls,
    css`
      :host {
        display: grid;
        gap: 10px;
      }
      .row,
      .request {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 8px;
      }
      .row > * {
        flex: 1 1 auto;
      }
      .row > [asking] {
        flex-basis: 100%;
      }
      .row > button,
      .row > a {
        padding-left: 10px;
        padding-right: 10px;
      }
      .request {
        padding: 10px 12px;
        border: 1px solid var(--accent);
        border-radius: var(--radius);
      }
      p {
        flex: 1 1 100%;
        margin: 0;
      }
      .note {
        flex: 1;
        color: var(--ink-soft);
        font-size: 0.9rem;
      }
      .asked {
        border-color: var(--line);
        padding: 6px 6px 6px 12px;
      }
    `,
  ];

  @property({ attribute: false }) session!: GameSession;
  @property({ attribute: false }) state!: SessionState;

  override render(): TemplateResult | null {
    const { game, rematch } = this.state;
    if (game === null) return null;
    const isPlayer = this.session.seat !== null;
    const { status } = game.position;
    return html`
      ${isPlayer ? KINDS.map((kind) => this.offer(kind)) : null}
      <p class="note" role="status" ?hidden=${this.state.notice === ""}>${this.state.notice}</p>
      ${
        rematch === null
          ? null
          : html`<button class="primary" @click=${this.toRematch}>
              ${isPlayer ? "To the rematch" : "Watch the rematch"}
            </button>`
      }
      ${isPlayer && (status === "playing" || status === "open") ? this.during(game) : null}
      ${status === "finished" || status === "aborted" ? this.afterwards(game, isPlayer) : null}
    `;
  }

  private readonly toRematch = (): void => {
    const { rematch } = this.state;
    if (rematch !== null) goTo(gamePath(rematch.gameId, rematch.token));
  };

  private offer(kind: OfferKind): TemplateResult | null {
    const by = this.state.offers[kind];
    if (by === null) return null;
    const { isBusy } = this.state;
    if (by === this.session.seat)
      return html`
        <div class="request asked">
          <p class="note" role="status">${ASKED[kind]}</p>
          <button ?disabled=${isBusy} @click=${() => void this.session.reject(kind)}>Cancel</button>
        </div>
      `;
    return html`
      <div class="request" role="group" aria-label="Offer of the other player">
        <p role="status">${QUESTIONS[kind]}</p>
        <button class="primary" ?disabled=${isBusy} @click=${() => void this.session.propose(kind)}>
          Accept
        </button>
        <button ?disabled=${isBusy} @click=${() => void this.session.reject(kind)}>Decline</button>
      </div>
    `;
  }

  /** Bots refuse every draw: it is not offered to them. Who has not moved yet leaves without a loss. */
  private during({ position, seats }: Game): TemplateResult {
    const { isBusy, offers } = this.state;
    const isWithPeople = seats.some(({ seat, kind }) => seat !== this.session.seat && kind === "human");
    const isBegun = position.status === "playing" && position.ply > 0;
    return html`
      <div class="row">
        <button
          ?disabled=${isBusy || position.ply === 0 || offers.takeback !== null}
          @click=${() => void this.session.propose("takeback")}
        >
          Takeback
        </button>
        ${
          isWithPeople
            ? html`<button
                ?disabled=${isBusy || !isBegun || offers.draw !== null}
                @click=${() => void this.session.propose("draw")}
              >
                Offer draw
              </button>`
            : null
        }
        ${
          isBegun
            ? html`<confirm-button
                label="Resign"
                question="Resign the game?"
                refusal="Keep playing"
                ?disabled=${isBusy}
                @confirm=${() => void this.session.resign()}
              ></confirm-button>`
            : html`<confirm-button
                label="Abort"
                question="Abort the game?"
                refusal="Keep playing"
                ?disabled=${isBusy}
                @confirm=${() => void this.session.abort()}
              ></confirm-button>`
        }
      </div>
    `;
  }

  private afterwards({ gameId, position }: Game, isPlayer: boolean): TemplateResult {
    const { isBusy, offers, rematch } = this.state;
    const isFinished = position.status === "finished";
    return html`
      <div class="row">
        ${
          isPlayer && isFinished && offers.rematch === null && rematch === null
            ? html`<button
                class="primary"
                ?disabled=${isBusy}
                @click=${() => void this.session.propose("rematch")}
              >
                Rematch
              </button>`
            : null
        }
        ${
          isFinished
            ? html`<a class="button" href=${analysisPath(gameId)}>Analysis</a>
                <a class="button" href=${recordPath(gameId, "json")} download="${gameId}.json">Record</a>`
            : null
        }
        ${isFinished ? null : html`<a class="button" href="/">New game</a>`}
      </div>
    `;
  }
}
