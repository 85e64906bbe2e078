// <game-page>: one game to play or to watch. Combines the parts; the logic is in state/session.ts.
import { LitElement, html, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import * as common from "#texts/common";
import * as texts from "#texts/game";
import { getGame, sentence } from "../api/client";
import type { Game, Position } from "../api/shapes";
import { createBoard, dress, seatBelow, type Blocked, type BoardElement } from "../boards";
import type { Link } from "../net/socket";
import type { Rematch } from "../state/match";
import { announcement } from "../state/announcement";
import { Browsing } from "../state/browsing";
import { NO_CLOCKS, lowBelow } from "../state/clock";
import { Cues } from "../state/cues";
import { EvalFeed, basisAt, worthAt } from "../state/evaluation";
import { browsedPly } from "../state/browsing-keys";
import { moversOf, movesOf } from "../state/moves";
import { goTo } from "../state/route";
import { seatPath } from "../state/seats";
import { GameSession } from "../state/session";
import { Turn } from "../state/turn";
import { movedSeats } from "../state/turns";
import {
  basisText,
  gameLine,
  isUnassisted,
  playerName,
  presenceOf,
  scoreOf,
  statusText,
  tabTitle,
} from "../state/labels";
import { controls } from "./controls";
import { focusOf, refocus } from "./focus";
import { gamePageStyles } from "./game-page-styles";
import { icons } from "./icons";
import "./chat-box";
import "./eval-bar";
import "./game-actions";
import "./game-hint";
import "./game-status";
import "./move-policies";
import "./move-list";
import "./player-strip";
import "./seat-transfer";
import "./turn-controls";

/** Seconds that a press of the button gives another player. */
const GIFT = 15;

@customElement("game-page")
export class GamePage extends LitElement {
  static override styles = [controls, gamePageStyles];

  @property({ attribute: false }) gameId = "";
  @property({ attribute: false }) token: string | null = null;

  @state() private board: BoardElement | null = null;
  /** Set with the board, whose words move lists show. */
  private spell: ((move: string) => string) | null = null;
  @state() private boardProblem = "";
  @state() private isFlipped = false;
  private session!: GameSession;
  private turn!: Turn;
  private link: Link = "closed";
  /** Where the focus was before the pending request. */
  private focused: ReturnType<typeof focusOf> = null;
  /** The last known one. */
  private rematch: Rematch | null = null;
  private readonly evaluation = new EvalFeed(
    () => {
      this.requestUpdate();
    },
    () => this.browsing.askable,
  );
  private readonly cues = new Cues();
  private readonly browsing = new Browsing(
    async (ply) => (await getGame(this.gameId, { ply })).position,
    () => {
      this.requestUpdate();
    },
    (error) => {
      this.session.report(error);
    },
  );

  override connectedCallback(): void {
    super.connectedCallback();
    this.session = new GameSession(this.gameId, this.token, () => {
      this.onSession();
    });
    this.turn = new Turn(this.session, () => {
      this.requestUpdate();
    });
    void this.session.open().then(() => this.onOpened());
    window.addEventListener("keydown", this.onKey);
  }

  override disconnectedCallback(): void {
    window.removeEventListener("keydown", this.onKey);
    this.session.close();
    this.cues.close();
    this.evaluation.switchOff();
    document.title = "Plyhouse";
    super.disconnectedCallback();
  }

  private onSession(): void {
    const { game, link } = this.session.state;
    if (link === "open" && this.link !== link) this.evaluation.wake();
    this.link = link;
    if (game !== null) this.browsing.follow(game.position);
    this.cues.follow(this.session, this.board);
    this.followRematch();
    this.requestUpdate();
  }

  /** Takes a player to a rematch when it starts, once; a player who returns to this game later may stay. */
  private followRematch(): void {
    const { rematch } = this.session.state;
    if (rematch === this.rematch || !this.isConnected) return;
    this.rematch = rematch;
    if (rematch?.isNew === true && rematch.token !== null) goTo(seatPath(rematch.gameId, rematch.token));
  }

  private async onOpened(): Promise<void> {
    const { game } = this.session.state;
    if (game === null || !this.isConnected) return;
    if (this.session.seat !== null && this.token !== null)
      history.replaceState(null, "", seatPath(this.gameId, this.token));
    try {
      const board = await createBoard(game, { about: this.session.state.about });
      this.spell = (move) => board.spell(move);
      this.board = board;
      dress(this, this.board);
      this.turn.board = this.board;
      this.board.addEventListener("action", this.onAction);
      this.board.addEventListener("unstage", this.onUnstage);
      this.board.addEventListener("aim", this.onAim);
      this.board.addEventListener("blocked", this.onBlocked);
      this.cues.follow(this.session, this.board);
    } catch (error) {
      this.boardProblem = sentence(error);
    }
  }

  private readonly onAction = (event: Event): void => {
    this.turn.act((event as CustomEvent<string>).detail);
  };

  private readonly onUnstage = (event: Event): void => {
    this.turn.takeBack((event as CustomEvent<number>).detail);
  };

  private readonly onBlocked = (event: Event): void => {
    if (this.board !== null) void this.session.explain((event as CustomEvent<Blocked>).detail, this.board);
  };

  private readonly onAim = (): void => {
    this.requestUpdate();
  };

  /** Handles the page's keys; the board has already handled its own. */
  private readonly onKey = (event: KeyboardEvent): void => {
    const { game } = this.session.state;
    if (game === null) return;
    const { length } = this.turn.staged;
    if (event.key === "Escape" && length > 0) this.turn.takeBack(length - 1);
    const ply = browsedPly(event, this.browsing.ply, game.position.ply);
    if (ply === null) return;
    event.preventDefault();
    void this.browsing.show(ply);
  };

  protected override willUpdate(): void {
    this.focused ??= focusOf(this.renderRoot, this.board);
    const { game, sealed } = this.session.state;
    if (game === null) return;
    document.title = tabTitle(statusText(game, this.session.seat, this.session.state.reasons));
    if (this.board === null) return;
    const past = this.browsing.position;
    const shown = past ?? game.position;
    this.board.view = shown.view;
    this.board.isPremove = this.turn.isAhead;
    this.board.seat = game.position.status === "playing" ? this.session.seat : null;
    this.board.legal = past === null ? this.turn.legal : [];
    if (!this.board.legal.includes(this.board.aimed ?? "")) this.board.aimed = null;
    this.board.staged = past === null ? this.turn.staged : [];
    this.board.lastMove = movesOf(shown.history).at(-1) ?? null;
    this.board.isFlipped = this.isFlipped;
    this.board.below = this.below(game);
    this.board.sealed = past === null ? sealed : null;
  }

  /** Restores the focus of a button that a request has disabled or removed. The board manages its own. */
  protected override updated(): void {
    if (this.browsing.position === null) this.turn.follow();
    const { focused } = this;
    if (focused === null || this.session.state.isBusy) return;
    this.focused = null;
    requestAnimationFrame(() => {
      refocus(this.renderRoot, focused);
    });
  }

  private below({ seats }: Game): number {
    return seatBelow(seats.length, this.isFlipped, this.session.seat ?? 0);
  }

  override render(): TemplateResult {
    const { game, problem } = this.session.state;
    if (game === null) return problem === "" ? opening : failed(problem);
    if (this.board === null && this.boardProblem === "") return opening;
    const below = this.below(game);
    const above = game.seats.filter(({ seat }) => seat !== below);
    const shown = this.browsing.position ?? game.position;
    const { status, problem: why } = this.evaluation.state;
    const isOff = isUnassisted(game);
    return html`
      <h1 class="unseen">${gameLine(this.session.state.about, game)}</h1>
      <section class="table ${isOff || status === "off" ? "plain" : ""}" aria-label=${texts.boardAndPlayers}>
        <div class="above ${above.length > 1 ? "many" : ""}">
          ${above.map(({ seat }) => this.player(game, seat))}
        </div>
        <div class="field">
          <eval-bar
            .status=${isOff ? "forbidden" : status}
            .worth=${worthAt(this.evaluation.state, shown.ply)}
            .basis=${basisAt(this.evaluation.state, shown.ply)}
            .below=${below}
            .problem=${isOff ? texts.noEvaluationYet : why}
          ></eval-bar>
          <div class="board">${this.board ?? this.boardProblem}</div>
        </div>
        ${this.player(game, below)} ${this.underBoard(game)}
      </section>
      <aside>
        <div class="card">
          <game-status .session=${this.session} .state=${this.session.state}></game-status>
          ${this.hint(game)}
          <move-list
            .moves=${movesOf(game.position.history)}
            .movers=${moversOf(game.position.history, game.seats.length)}
            .names=${game.seats.map((seat) => playerName(seat, this.session.seat))}
            .spell=${this.spell}
            .seats=${game.seats.length}
            .isSimultaneous=${this.session.state.isSimultaneous}
            .ply=${this.browsing.ply}
            .last=${game.position.ply}
            @browse=${this.onBrowse}
          ></move-list>
          ${this.viewControls(game, shown)} ${this.policies(game, shown)}
          <game-actions .session=${this.session} .state=${this.session.state}></game-actions>
          ${this.session.seat === null ? null : html`<seat-transfer .gameId=${this.gameId}></seat-transfer>`}
        </div>
        ${this.chat(game)}
      </aside>
      <p class="unseen" aria-live="polite">${this.announcement(game)}</p>
    `;
  }

  private hint({ game, position }: Game): TemplateResult {
    const { goal } = this.session.state;
    return html`<game-hint
      .game=${game}
      .text=${[goal, this.board?.lesson ?? ""].join(" ").trim()}
      .isPlayer=${this.session.seat !== null}
      .isOver=${position.status === "finished"}
    ></game-hint>`;
  }

  private readonly onBrowse = (event: CustomEvent<number>): void => {
    void this.browsing.show(event.detail);
  };

  private announcement(game: Game): string {
    const { board } = this;
    if (board === null) return "";
    const { isSimultaneous } = this.session.state;
    const spell = (move: string): string => board.spell(move);
    return announcement(game, { own: this.session.seat, isSimultaneous, spell });
  }

  private player(game: Game, index: number): TemplateResult | null {
    const seat = game.seats[index];
    if (seat === undefined) return null;
    const { clocks, snapshot } = this.session.state;
    const own = this.session.seat;
    const isPast = this.browsing.position !== null;
    const presence = presenceOf(game, snapshot, own, index);
    const isOpponent = own !== null && own !== index && seat.kind === "human" && presence !== "left";
    const control = snapshot?.config?.timeControl;
    const givesTime = clocks.left[index] != null && control?.moveMs === undefined && isOpponent;
    return html`
      <player-strip
        .name=${playerName(seat, own)}
        .seat=${index}
        .isOneOfMany=${game.seats.length > 2}
        .isToMove=${game.position.toAct.includes(index)}
        .hasMoved=${movedSeats(game).includes(index)}
        .presence=${presence}
        .score=${scoreOf(snapshot, index)}
        .clocks=${isPast && game.position.status !== "playing" ? NO_CLOCKS : clocks}
        .lowMs=${lowBelow(control)}
      >
        ${
          givesTime && game.position.status === "playing"
            ? html`<button class="slim" title=${texts.giveTime(GIFT)} @click=${this.giveTime}>
                ${texts.moreTime(GIFT)}
              </button>`
            : null
        }
      </player-strip>
    `;
  }

  private readonly giveTime = (): void => {
    this.session.giveTime(GIFT);
  };

  /** The row below the board. It is always there, so that nothing jumps when the turn changes. */
  private underBoard({ position }: Game): TemplateResult {
    if (this.browsing.position !== null)
      return html`
        <div class="moves">
          <p class="note" role="status">${texts.pastPosition(this.browsing.ply, position.ply)}</p>
          <button class="primary" @click=${this.backToLive}>
            ${position.status === "playing" ? texts.backToGame : texts.backToEnd}
          </button>
        </div>
      `;
    return html`<div class="moves">
      <turn-controls
        .session=${this.session}
        .state=${this.session.state}
        .turn=${this.turn}
        .board=${this.board}
        .aimed=${this.board?.aimed ?? null}
        .staged=${this.turn.staged}
        @drop-aim=${this.dropAim}
      ></turn-controls>
    </div>`;
  }

  private readonly backToLive = (): void => {
    this.browsing.backToLive();
  };

  private readonly dropAim = (): void => {
    if (this.board !== null) this.board.aimed = null;
    this.requestUpdate();
  };

  private viewControls(game: Game, shown: Position): TemplateResult {
    const { status } = this.evaluation.state;
    const isOff = isUnassisted(game);
    const problem = isOff ? texts.noEvaluationYet : this.evaluation.state.problem;
    const isThinking = status === "connecting" || status === "pending";
    const basis = basisText(basisAt(this.evaluation.state, shown.ply));
    const note = isThinking ? common.thinking : isOff ? "" : basis;
    return html`
      <div class="view">
        <label>
          <input
            type="checkbox"
            role="switch"
            .checked=${status !== "off" && !isOff}
            ?disabled=${isOff}
            @change=${(event: Event) => {
              this.switchEvaluation((event.target as HTMLInputElement).checked, game);
            }}
          />
          ${texts.evaluation}
        </label>
        <span class="note basis" title=${note} ?hidden=${note === ""}>${note}</span>
        <button class="slim flip" @click=${this.flip}>${icons.flip} ${common.flip}</button>
        <p class="note" role="status" ?hidden=${problem === ""}>${problem}</p>
      </div>
    `;
  }

  /** How the seats of a simultaneous game should play in the position on the board. */
  private policies({ seats }: Game, { ply, toAct }: Position): TemplateResult | null {
    const { mixtures } = this.evaluation.state;
    if (mixtures.size === 0 || toAct.length === 0) return null;
    return html`<move-policies
      .mixture=${mixtures.get(ply) ?? null}
      .names=${seats.map((seat) => playerName(seat, this.session.seat))}
    ></move-policies>`;
  }

  private switchEvaluation(isWanted: boolean, game: Game): void {
    if (isWanted) this.evaluation.switchOn(game, this.session.seat === null ? null : this.token);
    else this.evaluation.switchOff();
  }

  private readonly flip = (): void => {
    this.isFlipped = !this.isFlipped;
  };

  /** Players write to everyone, spectators to each other; there is no chat if all opponents are bots. */
  private chat({ seats }: Game): TemplateResult | null {
    const { chat, socketId, link, isChatLoaded } = this.session.state;
    const own = this.session.seat;
    const isPlayer = own !== null;
    const isAlone = isPlayer && seats.every(({ seat, kind }) => kind === "bot" || seat === own);
    if (isAlone && chat.length === 0) return null;
    return html`
      <chat-box
        class="card"
        .lines=${chat}
        .names=${seats.map((seat) => playerName(seat, null))}
        .own=${socketId}
        .seat=${own}
        .isLoaded=${isChatLoaded}
        .readers=${isPlayer ? texts.readByAll : texts.readBySpectators}
        .isOff=${link !== "open"}
        @say=${this.onSay}
      ></chat-box>
    `;
  }

  private readonly onSay = (event: CustomEvent<string>): void => {
    this.session.say(this.session.seat === null ? "audience" : "game", event.detail);
  };
}

const opening = html`<p class="note">${common.loadingGame}</p>`;

function failed(problem: string): TemplateResult {
  return html`<div class="card failed">
    <p class="problem" role="alert">${problem}</p>
    <a href="/">${common.goToLobby}</a>
  </div>`;
}
