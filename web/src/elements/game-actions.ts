// <game-actions>: a player's actions besides moving, and answers to offers of others.
// state/session.ts defines what each button does.
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import * as common from "#texts/common";
import * as texts from "#texts/game";
import * as offerTexts from "#texts/offers";
import { recordPath } from "../api/client";
import type { Game } from "../api/shapes";
import { playerName } from "../state/labels";
import { leaversIn } from "../state/moves";
import type { OfferKind } from "../state/match";
import { analysisPath, goTo, tournamentPath } from "../state/route";
import { ownSeat, seatPath } from "../state/seats";
import type { GameSession, SessionState } from "../state/session";
import { tournamentOf } from "../state/tournament-tokens";
import { movedSeats } from "../state/turns";
import { controls } from "./controls";
import "./confirm-button";
import "./next-game";

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
    const { seat } = this.session;
    const isPlayer = seat !== null;
    const { status, history } = game.position;
    const isLive = status === "playing" || status === "open";
    const isIn = isPlayer && !(isLive && leaversIn(history).includes(seat));
    return html`
      ${isIn ? KINDS.map((kind) => this.offer(kind)) : null}
      ${isIn && isLive && this.state.canClaim ? this.claims(game) : null}
      <p class="note" role="status" ?hidden=${this.state.notice === ""}>${this.state.notice}</p>
      ${
        rematch === null
          ? null
          : html`<button class="primary" @click=${this.toRematch}>
              ${isPlayer ? texts.goToRematch : texts.watchRematch}
            </button>`
      }
      ${isIn && isLive ? this.during(game) : null} ${!isPlayer && isLive ? toTournament(game) : null}
      ${status === "finished" || status === "aborted" ? this.afterwards(game, isPlayer) : null}
    `;
  }

  private readonly toRematch = (): void => {
    const { rematch } = this.state;
    if (rematch !== null) goTo(seatPath(rematch.gameId, rematch.token));
  };

  private offer(kind: OfferKind): TemplateResult | null {
    const by = this.state.offers[kind];
    if (by === null) return null;
    const { isBusy } = this.state;
    if (by === this.session.seat)
      return html`
        <div class="request asked">
          <p class="note" role="status">${offerTexts.asked[kind]}</p>
          <button ?disabled=${isBusy} @click=${() => void this.session.reject(kind)}>${common.cancel}</button>
        </div>
      `;
    const seat = this.state.game?.seats[by];
    const name = seat === undefined ? "" : playerName(seat, null);
    return html`
      <div class="request" role="group" aria-label=${texts.offerFrom(name)}>
        <p role="status">${offerTexts.asks[kind](name)}</p>
        <button class="primary" ?disabled=${isBusy} @click=${() => void this.session.propose(kind)}>
          ${texts.accept}
        </button>
        <button ?disabled=${isBusy} @click=${() => void this.session.reject(kind)}>${texts.decline}</button>
      </div>
    `;
  }

  /** What to do about an absent player; with more than two players, the others go on. */
  private claims({ position, seats }: Game): TemplateResult {
    const { isBusy } = this.state;
    const isForTwo = seats.length - leaversIn(position.history).length === 2;
    return html`
      <div class="request" role="group" aria-label=${texts.absentPlayer}>
        <p role="status">${texts.playerHasLeft}</p>
        <button ?disabled=${isBusy} @click=${() => void this.session.claim("win")}>
          ${isForTwo ? texts.claimWin : texts.goOnWithout}
        </button>
        ${
          isForTwo
            ? html`<button ?disabled=${isBusy} @click=${() => void this.session.claim("draw")}>
                ${texts.callDraw}
              </button>`
            : null
        }
      </div>
    `;
  }

  /**
   * Actions during the game. Bots never accept a draw, so none is offered. Without moves, the game is aborted. In games
   * of tournaments there are no takebacks, and none is aborted.
   */
  private during(game: Game): TemplateResult {
    const { position, seats } = game;
    const { isBusy, offers } = this.state;
    const left = leaversIn(position.history);
    const others = seats.filter(({ seat }) => seat !== this.session.seat && !left.includes(seat));
    const isWithPeople = others.some(({ kind }) => kind === "human");
    const hasMoves = position.ply > 0 || left.length > 0 || movedSeats(game).length > 0;
    const isBegun = position.status === "playing" && hasMoves;
    return html`
      <div class="row">
        ${
          isOfTournament(game)
            ? null
            : html`<button
                ?disabled=${isBusy || position.ply === 0 || offers.takeback !== null}
                @click=${() => void this.session.propose("takeback")}
              >
                ${texts.takeback}
              </button>`
        }
        ${
          isWithPeople
            ? html`<button
                ?disabled=${isBusy || !isBegun || offers.draw !== null}
                @click=${() => void this.session.propose("draw")}
              >
                ${texts.offerDraw}
              </button>`
            : null
        }
        ${
          isBegun || isOfTournament(game)
            ? html`<confirm-button
                label=${texts.resign}
                question=${texts.resignNow}
                refusal=${texts.keepPlaying}
                ?disabled=${isBusy}
                @confirm=${() => void this.session.resign()}
              ></confirm-button>`
            : html`<confirm-button
                label=${texts.abort}
                question=${texts.abortNow}
                refusal=${texts.keepPlaying}
                ?disabled=${isBusy}
                @confirm=${() => void this.session.abort()}
              ></confirm-button>`
        }
      </div>
    `;
  }

  private afterwards(game: Game, isPlayer: boolean): TemplateResult {
    const { gameId, position } = game;
    const { isBusy, offers, rematch } = this.state;
    const isFinished = position.status === "finished";
    return html`
      ${isPlayer ? this.nextGame(game) : null}
      <div class="row">
        ${toTournament(game)}
        ${
          isPlayer && isFinished && offers.rematch === null && rematch === null && !isOfTournament(game)
            ? html`<button
                class="primary"
                ?disabled=${isBusy}
                @click=${() => void this.session.propose("rematch")}
              >
                ${texts.rematch}
              </button>`
            : null
        }
        ${
          isFinished
            ? html`<a class="button" href=${analysisPath(gameId)}>${texts.analysis}</a>
                <a class="button" href=${recordPath(gameId, "json")} download="${gameId}.json"
                  >${texts.record}</a
                >`
            : null
        }
        ${isFinished ? null : html`<a class="button" href="/">${texts.newGame}</a>`}
      </div>
    `;
  }

  private nextGame(game: Game): TemplateResult | null {
    const [id, token] = [tournamentIdOf(game), ownSeat(game.gameId)];
    if (id === null || token === null) return null;
    return html`<next-game .tournamentId=${id} .gameId=${game.gameId} .token=${token}></next-game>`;
  }
}

/** A link to the tournament that the game belongs to, if it belongs to one. */
function toTournament(game: Game): TemplateResult | null {
  const id = tournamentIdOf(game);
  return id === null ? null : html`<a class="button" href=${tournamentPath(id)}>${texts.goToTournament}</a>`;
}

function tournamentIdOf({ gameId, matchStatus }: Game): string | null {
  return matchStatus?.tournamentId ?? tournamentOf(ownSeat(gameId));
}

function isOfTournament({ matchStatus }: Game): boolean {
  return matchStatus?.matchType === "tournament";
}
