// <game-page>: one game to play or to watch. Puts the parts together; what happens is said in state/session.ts.
import { LitElement, html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { joinGame, sentence } from "../api/client";
import type { Game } from "../api/shapes";
import { createBoard, type BoardElement } from "../boards";
import { EvalFeed, valueAt } from "../state/evaluation";
import { gamePath, goTo } from "../state/route";
import { GameSession } from "../state/session";
import { playerName, statusText } from "../state/words";
import { controls } from "./controls";
import { gamePageStyles } from "./game-page-styles";
import "./confirm-button";
import "./eval-bar";
import "./invitation";
import "./move-list";

@customElement("game-page")
export class GamePage extends LitElement {
  static override styles = [controls, gamePageStyles];

  @property({ attribute: false }) gameId = "";
  @property({ attribute: false }) token: string | null = null;

  @state() private board: BoardElement | null = null;
  @state() private boardProblem = "";
  private session!: GameSession;
  private readonly evaluation = new EvalFeed(() => {
    this.requestUpdate();
  });

  override connectedCallback(): void {
    super.connectedCallback();
    this.session = new GameSession(this.gameId, this.token, () => {
      this.requestUpdate();
    });
    void this.session.open().then(() => this.makeBoard());
  }

  override disconnectedCallback(): void {
    this.session.close();
    this.evaluation.switchOff();
    super.disconnectedCallback();
  }

  private async makeBoard(): Promise<void> {
    const { game } = this.session.state;
    if (game === null) return;
    try {
      this.board = await createBoard(game.game);
      this.board.addEventListener("action", this.onAction);
    } catch (error) {
      this.boardProblem = sentence(error);
    }
  }

  private readonly onAction = (event: Event): void => {
    if (this.board !== null) void this.session.stage((event as CustomEvent<string>).detail, this.board);
  };

  protected override willUpdate(): void {
    const { game, legal, staged, isBusy } = this.session.state;
    if (this.board === null || game === null) return;
    this.board.view = game.position.view;
    this.board.legal = isBusy ? [] : legal;
    this.board.staged = staged;
    this.board.lastMove = game.position.history.at(-1) ?? null;
  }

  override render(): TemplateResult {
    const { game, problem } = this.session.state;
    if (game === null) return html`<p class="problem" role="alert">${problem}</p>`;
    const own = this.session.seat;
    const below = own ?? 0;
    const above = game.seats.filter(({ seat }) => seat !== below);
    const { status, byPly } = this.evaluation.state;
    return html`
      <section class="table">
        ${above.map(({ seat }) => this.player(game, seat))}
        <div class="field">
          <eval-bar .status=${status} .value=${valueAt(byPly, game.position.ply)} .below=${below}></eval-bar>
          <div class="board">${this.board ?? this.boardProblem}</div>
        </div>
        ${this.player(game, below)} ${this.moveControls(game)}
      </section>
      <aside class="card">
        ${this.statusLine(game)}
        <move-list .history=${game.position.history} .seats=${game.seats.length}></move-list>
        ${this.evalControls(game)} ${this.gameControls(game)}
      </aside>
    `;
  }

  private player({ seats, position }: Game, index: number): TemplateResult | null {
    const seat = seats[index];
    if (seat === undefined) return null;
    const isToMove = position.toAct.includes(index);
    return html`
      <p class="player ${isToMove ? "to-move" : ""}">
        <span class="swatch seat-${index}"></span>
        <span>${playerName(seat, this.session.seat)}</span>
        <span class="turn" ?hidden=${!isToMove}>to move</span>
      </p>
    `;
  }

  private statusLine(game: Game): TemplateResult {
    const { problem, link, reasons } = this.session.state;
    const isAway = link === "waiting" || link === "connecting";
    return html`
      <div class="status">
        <p class="now" role="status">${statusText(game, this.session.seat, reasons)}</p>
        <p class="note" role="status" ?hidden=${!this.session.isBotAway}>Waiting for the bot to come back.</p>
        <p class="problem" role="alert" ?hidden=${problem === ""}>${problem}</p>
        <p class="note" ?hidden=${!isAway || problem !== ""}>Reconnecting…</p>
        <p class="note" ?hidden=${link !== "refused"}>
          The server has closed the connection: reload the page.
        </p>
        ${this.session.seat === null ? this.visitor(game) : this.host(game)}
      </div>
    `;
  }

  /** For those without a seat: watch, or take a seat that is open. */
  private visitor({ position }: Game): TemplateResult {
    if (position.status !== "open") return html`<p class="note">You are watching.</p>`;
    return html`<button class="primary" @click=${this.join}>Join this game</button>`;
  }

  private host({ position }: Game): TemplateResult | null {
    if (position.status !== "open") return null;
    return html`<game-invitation .link=${location.origin + gamePath(this.gameId, null)}></game-invitation>`;
  }

  private readonly join = async (): Promise<void> => {
    try {
      const { token } = await joinGame(this.gameId);
      goTo(gamePath(this.gameId, token));
    } catch (error) {
      this.session.report(error);
    }
  };

  /** The row keeps its place, so that nothing jumps when the turn changes. */
  private moveControls({ position }: Game): TemplateResult {
    const { seat } = this.session;
    const { staged, canFinish, isBusy } = this.session.state;
    const isNeeded = position.canFinish || staged.length > 0;
    if (seat === null || position.status !== "playing" || !isNeeded) return html`<div class="moves"></div>`;
    const isIdle = isBusy || !position.toAct.includes(seat);
    return html`
      <div class="moves">
        <button ?disabled=${isIdle || staged.length === 0} @click=${this.unstage}>Undo action</button>
        <button
          class=${staged.length > 0 ? "primary" : ""}
          ?disabled=${isIdle || !canFinish}
          @click=${this.finish}
        >
          ${staged.length > 0 ? "Finish turn" : "Pass"}
        </button>
      </div>
    `;
  }

  private readonly unstage = (): void => {
    this.session.unstage();
  };

  private readonly finish = (): void => {
    if (this.board !== null) void this.session.finish(this.board);
  };

  private evalControls(game: Game): TemplateResult {
    const { status, problem } = this.evaluation.state;
    return html`
      <div class="evaluation">
        <label>
          <input
            type="checkbox"
            role="switch"
            .checked=${status !== "off"}
            @change=${(event: Event) => {
              this.switchEvaluation((event.target as HTMLInputElement).checked, game);
            }}
          />
          Evaluation
        </label>
        <span class="note" ?hidden=${status !== "connecting" && status !== "pending"}>thinking…</span>
        <span class="problem" role="alert" ?hidden=${status !== "error"}>${problem}</span>
      </div>
    `;
  }

  private switchEvaluation(isWanted: boolean, game: Game): void {
    if (isWanted) this.evaluation.switchOn(game, this.token);
    else this.evaluation.switchOff();
  }

  private gameControls({ position }: Game): TemplateResult | null {
    if (this.session.seat === null || position.status !== "playing") return null;
    const { isBusy } = this.session.state;
    return html`
      ${this.takebackRequest()}
      <div class="game">
        <button
          ?disabled=${isBusy || position.history.length === 0}
          @click=${() => void this.session.takeBack()}
        >
          Take back
        </button>
        <confirm-button
          label="Resign"
          question="Resign the game?"
          ?disabled=${isBusy}
          @confirm=${() => void this.session.resign()}
        ></confirm-button>
      </div>
    `;
  }

  private readonly allow = (): void => {
    this.session.allowTakeBack();
  };

  private takebackRequest(): TemplateResult | null {
    const { takebackBy, isBusy } = this.session.state;
    if (takebackBy === null) return null;
    if (takebackBy === this.session.seat)
      return html`<p class="note">You have asked to take back a move.</p>`;
    return html`
      <div class="request">
        <p>The other player asks to take back a move.</p>
        <button class="primary" ?disabled=${isBusy} @click=${this.allow}>Allow</button>
        <button ?disabled=${isBusy} @click=${() => void this.session.refuseTakeBack()}>Refuse</button>
      </div>
    `;
  }
}
