// <turn-controls>: the buttons below the board that finish, take back or pass a turn, or confirm what was aimed at.
import { LitElement, css, html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import * as common from "#texts/common";
import * as texts from "#texts/turn";
import type { BoardElement } from "../boards";
import type { GameSession, SessionState } from "../state/session";
import type { Turn } from "../state/turn";
import { controls } from "./controls";

@customElement("turn-controls")
export class TurnControls extends LitElement {
  static override styles = [
    controls,
    css`
      :host {
        display: grid;
        flex: 1;
        grid-template-columns: repeat(3, minmax(0, 1fr));
        gap: 8px;
        align-items: center;
        max-width: 480px;
      }
      button {
        padding: 6px 4px;
      }
      .last {
        grid-column: 3;
      }
      .note {
        grid-column: span 2;
        margin: 0;
        color: var(--ink-soft);
        font-size: 0.9rem;
        line-height: 1.2;
      }
      .note:first-child {
        color: var(--premove);
      }
    `,
  ];

  @property({ attribute: false }) session!: GameSession;
  @property({ attribute: false }) state!: SessionState;
  @property({ attribute: false }) turn!: Turn;
  @property({ attribute: false }) board: BoardElement | null = null;
  /** The action that is aimed at, so that a change of it is drawn. */
  @property({ attribute: false }) aimed: string | null = null;
  @property({ attribute: false }) staged: readonly string[] = [];

  /** Whether the player is asked if the turn shall be passed. */
  @state() private isPassing = false;

  protected override willUpdate(): void {
    if (this.staged.length > 0 || this.state.isBusy || !this.isToMove) this.isPassing = false;
  }

  private get isToMove(): boolean {
    const { seat } = this.session;
    return seat !== null && this.state.game?.position.toAct.includes(seat) === true;
  }

  override render(): TemplateResult | typeof nothing {
    const { position } = this.state.game ?? {};
    if (position?.status !== "playing" || this.session.seat === null) return nothing;
    if (this.board !== null && this.aimed !== null) return this.aiming(this.board, this.aimed);
    if (this.turn.isAhead) return this.staged.length > 0 ? this.ahead() : nothing;
    if (this.staged.length > 0) return this.staging();
    return position.canFinish && this.isToMove ? this.passing() : nothing;
  }

  /** Buttons that replace a second tap on the action that is aimed at. */
  private aiming(board: BoardElement, aimed: string): TemplateResult {
    return html`
      <button @click=${this.dropAim}>${common.cancel}</button>
      <button
        class="primary last"
        aria-label=${common.confirmMove(board.spell(aimed))}
        @click=${this.confirm}
      >
        ${texts.confirm}
      </button>
    `;
  }

  private staging(): TemplateResult {
    const { isBusy, legal } = this.state;
    return html`
      <button ?disabled=${isBusy} @click=${this.undo}>${texts.undoAction}</button>
      <button class="primary last" ?disabled=${isBusy || !this.turn.canFinish} @click=${this.finish}>
        ${legal.length > 0 || isBusy ? common.finishTurn : texts.playMove}
      </button>
    `;
  }

  private ahead(): TemplateResult {
    const finish = html`<button class="last" @click=${this.finish}>${common.finishTurn}</button>`;
    return this.turn.canFinish
      ? html`<button @click=${this.undo}>${texts.undoAction}</button>${finish}`
      : html`<p class="note" role="status">${texts.premove}</p>
          <button class="last" @click=${this.drop}>${common.cancel}</button>`;
  }

  /** The question and its answers stand in places of their own: nothing else is under a second press. */
  private passing(): TemplateResult {
    const { isBusy } = this.state;
    if (!this.isPassing) return html`<button ?disabled=${isBusy} @click=${this.ask}>${common.pass}</button>`;
    return html`
      <button @click=${this.ask}>${texts.doNotPass}</button>
      <button class="danger" @click=${this.finish}>${texts.passTurn}</button>
    `;
  }

  private readonly ask = (): void => {
    this.isPassing = !this.isPassing;
  };

  private readonly dropAim = (): void => {
    this.dispatchEvent(new CustomEvent("drop-aim"));
  };

  private readonly confirm = (): void => {
    if (this.aimed !== null) this.turn.act(this.aimed);
  };

  private readonly undo = (): void => {
    this.turn.takeBack(this.staged.length - 1);
  };

  private readonly drop = (): void => {
    this.turn.takeBack(0);
  };

  private readonly finish = (): void => {
    this.turn.finish();
  };
}
