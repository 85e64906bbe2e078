// <game-status>: the status of the game and of the connection, and how to take an open seat.
import { LitElement, css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import * as common from "#texts/common";
import * as texts from "#texts/game";
import { joinGame } from "../api/client";
import type { Game } from "../api/shapes";
import { ownName } from "../state/me";
import { gamePath, goTo } from "../state/route";
import { seatPath } from "../state/seats";
import type { GameSession, SessionState } from "../state/session";
import { assistanceText, awaySeats, gameLine, statusText } from "../state/labels";
import { controls } from "./controls";
import { nameField } from "./fields";
import "./invitation";

@customElement("game-status")
export class GameStatus extends LitElement {
  static override styles = [
    controls,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 2px;
      }
      p {
        margin: 0;
      }
      form {
        display: grid;
        gap: 8px;
        margin-top: 8px;
      }
      .field {
        display: grid;
        gap: 3px;
        color: var(--ink-soft);
        font-size: 0.9rem;
      }
      game-invitation {
        margin-top: 8px;
      }
      .now {
        font-size: 1.1rem;
        font-weight: 650;
      }
      .note {
        color: var(--ink-soft);
        font-size: 0.9rem;
      }
      /* Replaces the line above, so that nothing moves. Most connections are restored before it is visible. */
      .calm {
        animation: appear 0.2s 0.3s backwards;
      }
      @keyframes appear {
        from {
          opacity: 0;
        }
      }
    `,
  ];

  @property({ attribute: false }) session!: GameSession;
  @property({ attribute: false }) state!: SessionState;

  override render(): TemplateResult | null {
    const { game, problem, link, reasons, about } = this.state;
    if (game === null) return null;
    const isAway = link === "waiting" || link === "connecting";
    return html`
      <p class="now" role="status">${statusText(game, this.session.seat, reasons)}</p>
      <p class="note" ?hidden=${isAway}>
        ${gameLine(about, game)}${assistanceText(game, this.state.snapshot, this.session.seat)}
      </p>
      <p class="note calm" role="status" ?hidden=${!isAway}>${common.reconnecting}</p>
      <p class="note" role="status" ?hidden=${!this.isBotAway(game)}>${texts.botIsAway}</p>
      <p class="problem" role="alert" ?hidden=${problem === ""}>${problem}</p>
      <p class="note" ?hidden=${link !== "refused"}>${texts.closed}</p>
      ${this.session.seat === null ? this.visitor(game) : this.host(game)}
    `;
  }

  private isBotAway(game: Game): boolean {
    const away = awaySeats(game, this.state.snapshot, this.session.seat);
    return game.seats.some(({ seat, kind }) => kind === "bot" && away.includes(seat));
  }

  /** For visitors without a seat: watch, or take an open seat. */
  private visitor({ position, hostKnowsOrder = false }: Game): TemplateResult | null {
    if (position.status === "playing") return html`<p class="note">${texts.watching}</p>`;
    if (position.status !== "open") return null;
    return html`
      <form @submit=${this.join}>
        <p class="note" ?hidden=${!hostKnowsOrder}>${texts.hostKnowsOrder}</p>
        ${nameField()}
        <button class="primary">${texts.join}</button>
      </form>
    `;
  }

  private host({ gameId, position }: Game): TemplateResult | null {
    if (position.status !== "open") return null;
    return html`<game-invitation .link=${location.origin + gamePath(gameId, null)}></game-invitation>`;
  }

  private readonly join = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      const { gameId, token } = await joinGame(this.session.gameId, ownName());
      goTo(seatPath(gameId, token));
    } catch (error) {
      this.session.report(error);
    }
  };
}
