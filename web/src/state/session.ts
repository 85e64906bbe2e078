// One game on this page: its latest state from the server, the move being made, and the player's requests.
// The server decides everything; this class sends requests and keeps what must survive a lost connection.
// The game page reads `state` and calls the methods, which never throw: errors are in `state.problem`.
import * as offerTexts from "#texts/offers";
import * as api from "../api/client";
import { whyRefused } from "../api/http";
import type { Game, GameRules, Position, Seat } from "../api/shapes";
import type { Blocked, BoardElement } from "../boards";
import { withRetries, retryWhileWanted } from "../net/retry";
import { LiveSocket, socketUrl, type Frame, type Link } from "../net/socket";
import {
  NOBODY,
  applyFrame,
  offersIn,
  withOffer,
  type MatchState,
  type Channel,
  type OfferKind,
} from "./match";
import { NO_CLOCKS, clocksOf, type Clocks } from "./clock";
import { takeEarly } from "./early-game";
import { withHistory } from "./history";
import { reasonsIn, withNames, type Reasons } from "./labels";
import { LOST, Repeater } from "./repeater";
import { settings } from "./settings";
import { keepSentMove, keptSentMove } from "./sent-move";
import { Submission } from "./submission";
import { hasSameMoves, options, sealedMove, type SentMove } from "./turns";

export interface SessionState extends MatchState {
  /** Null until the first answer. */
  readonly game: Game | null;
  readonly clocks: Clocks;
  /** Actions of the move being made, and how it can be continued. */
  readonly staged: readonly string[];
  readonly legal: readonly string[];
  /** Whether the move being made is complete; with nothing staged, whether the turn may be passed. */
  readonly canFinish: boolean;
  /** The player's move in a turn that others have yet to complete. */
  readonly sealed: string | null;
  /** Whether the player may claim the end of the game, as the player to move is absent. */
  readonly canClaim: boolean;
  /** Whether a request of the player is pending. */
  readonly isBusy: boolean;
  /** A sentence about the last failure; empty if there is none. */
  readonly problem: string;
  readonly link: Link;
  /** What the catalogue says about the game. */
  readonly about: GameRules["about"];
  /** The goal of the variant, in a sentence. */
  readonly goal: string;
  /** The names of the seats; may be empty. */
  readonly seatNames: readonly string[];
  /** Whether the seats act together. */
  readonly isSimultaneous: boolean;
  readonly reasons: Reasons;
}

/** The game socket's main frame, as sent to clients with extensions. */
interface StateFrame {
  readonly position: Position;
  readonly seats: readonly Seat[];
  readonly seq: number;
  /** The open offer. */
  readonly offer?: { readonly kind: string; readonly seat: number };
  /** The id of the rematch. */
  readonly rematch?: string;
}

/** When the player may claim the end of the game, in the server's time; null if it may not. */
interface ClaimFrame {
  readonly claimableAt: number | null;
  readonly serverTime: number;
}

/** The move being made. */
type Draft = Pick<SessionState, "staged" | "legal" | "canFinish">;

type Composer = Pick<BoardElement, "compose" | "followUps">;

const START: SessionState = {
  ...NOBODY,
  game: null,
  clocks: NO_CLOCKS,
  staged: [],
  legal: [],
  canFinish: false,
  sealed: null,
  canClaim: false,
  isBusy: false,
  problem: "",
  link: "closed",
  about: {},
  goal: "",
  seatNames: [],
  isSimultaneous: false,
  reasons: {},
};

export class GameSession {
  state = START;
  private socket: LiveSocket | null = null;
  private readonly submission = new Submission((frame) => this.socket?.send(frame));
  private readonly repeater = new Repeater(() => this.seq);
  /** Called with each new state of the game while the one after the player's move is due. */
  private onState: (() => void) | null = null;
  private isClosed = false;
  /** The move being made, restored if the server does not answer a request. */
  private draft: Draft = START;
  /** The last move that was sent; null if the player has to move again. */
  private sent: SentMove | null;
  /** Whether the problem is that the server did not answer. */
  private isOffline = false;
  /** Requests and frames are numbered when they start, so that a late answer never replaces a newer one. */
  private started = 0;
  private applied = 0;
  /** The number of the last frame about the game, from which the server continues after a lost connection. */
  private seq: number | null = null;
  /** Runs until the player may claim the end of the game. */
  private claimTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly gameId: string,
    private token: string | null,
    private readonly onChange: () => void,
    /** Origin of the server; by default the page's. */
    private readonly server?: string,
  ) {
    this.sent = keptSentMove(gameId);
  }

  /** The player's seat; null for spectators. */
  get seat(): number | null {
    return this.state.game?.seatIndex ?? null;
  }

  /** Requests the game until there is an answer, then follows it. */
  async open(): Promise<void> {
    await retryWhileWanted(() => this.load(), {
      isWanted: () => !this.isClosed,
      onFailure: (error) => {
        this.report(error);
      },
    });
  }

  private get where(): { server?: string } {
    return this.server === undefined ? {} : { server: this.server };
  }

  private async load(): Promise<void> {
    const request = ++this.started;
    const [game, catalogue] = await Promise.all([this.getGame(), api.getRules(this.where)]);
    const about = catalogue.find((row) => row.game === game.game)?.about;
    this.change({
      about: about ?? {},
      goal: about?.variants?.[game.variant] ?? "",
      seatNames: about?.seats ?? [],
      isSimultaneous: about?.simultaneous ?? false,
      reasons: reasonsIn(about, game.variant),
      snapshot: game.matchStatus ?? null,
    });
    this.accept(request, game);
    if (!this.isClosed) this.follow();
  }

  /** Requests the game; with a token that is not valid for a seat, as a spectator. */
  private async getGame(): Promise<Game> {
    try {
      const early = this.server === undefined ? takeEarly(this.gameId, this.token) : null;
      return await (early ?? api.getGame(this.gameId, { token: this.token, ...this.where }));
    } catch (error) {
      if (!(error instanceof api.ApiError) || error.code !== "no-token") throw error;
      this.token = null;
      return api.getGame(this.gameId, this.where);
    }
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.claimTimer);
    this.socket?.close();
  }

  /** Shows an error that occurred elsewhere with this game. */
  report(error: unknown): void {
    this.isOffline = error instanceof api.ApiError && error.code === "offline";
    this.change({ problem: api.sentence(error) });
  }

  /** Clears the problem once the server answers again. */
  private onSignOfLife(): void {
    if (!this.isOffline) return;
    this.isOffline = false;
    this.change({ problem: "" });
  }

  // ---- the move being made -------------------------------------------------------------------

  /** Adds an action to the move being made. A complete move is played at once, unless the player wants to confirm it. */
  async stage(action: string, board: Composer): Promise<void> {
    const staged = [...this.state.staged, action];
    const known = board.followUps?.(staged);
    if (known === undefined) await this.stageUnknown(staged, board);
    else if (!this.state.isBusy) await this.continue(staged, known, board);
  }

  /** Asks the server what can follow. */
  private async stageUnknown(staged: readonly string[], board: Composer): Promise<void> {
    await this.act(async (token) => {
      this.change({ staged, legal: [], canFinish: false });
      const move = board.compose(staged);
      const game = await withRetries(() => api.getGame(this.gameId, { token, staged: move }));
      const { legal, canFinish } = options(game);
      this.draft = { staged, legal, canFinish: canFinish || legal.length === 0 };
      if (legal.length > 0 || this.isToConfirm) this.change(this.draft);
      else await this.play(move);
    });
  }

  private async continue(
    staged: readonly string[],
    legal: readonly string[],
    board: Composer,
  ): Promise<void> {
    this.change({ staged, legal, canFinish: true, problem: "" });
    if (legal.length === 0 && !this.isToConfirm) await this.finish(board);
  }

  private get isToConfirm(): boolean {
    return settings().confirmation && !this.state.isSimultaneous;
  }

  /** Shows as a problem why something is not possible; for a move, what the rules say. */
  async explain(tried: Blocked, board: Pick<BoardElement, "inWords">): Promise<void> {
    if ("why" in tried) {
      this.report(new Error(tried.why));
      return;
    }
    const { move } = tried;
    await this.act(async (token) => {
      const why = await whyRefused(() => api.getGame(this.gameId, { token, staged: move }), move);
      if (why !== null) this.report(new Error(board.inWords?.(why) ?? why));
    });
  }

  /** Plays the move as it stands. */
  async finish(board: Composer): Promise<void> {
    await this.act(() => this.play(board.compose(this.state.staged)));
  }

  /** Takes back the staged actions from an index on; all of them where only the server knows what can follow the rest. */
  takeBack(from: number, board: Composer): void {
    const staged = this.state.staged.slice(0, from);
    const legal = staged.length === 0 ? undefined : board.followUps?.(staged);
    if (legal === undefined) this.unstage();
    else this.change({ staged, legal, canFinish: true, problem: "" });
  }

  unstage(): void {
    const { game } = this.state;
    if (game !== null) this.change({ staged: [], ...options(game), problem: "" });
  }

  private async play(move: string): Promise<void> {
    const ply = this.state.game?.position.ply ?? 0;
    this.keepSent({ ply, move });
    const pending = await this.submission.submit(move, ply);
    if (pending.length > 0) this.acceptPending(ply, pending);
    else await this.stateAfter(ply);
  }

  /** Waits for the state after the move at `ply`, which may arrive before or after the server's answer. */
  private async stateAfter(ply: number): Promise<void> {
    while ((this.state.game?.position.ply ?? 0) <= ply && !this.isClosed)
      await new Promise<void>((resolve) => {
        this.onState = resolve;
      });
  }

  // ---- offers --------------------------------------------------------------------------------

  /** Makes an offer, or accepts the same offer of another player. */
  async propose(kind: OfferKind): Promise<void> {
    await this.act(async (token) => {
      if (kind === "rematch") await this.proposeRematch(token);
      else await this.proposeNow(kind, token);
    });
  }

  private async proposeNow(kind: api.Proposal, token: string): Promise<void> {
    const request = ++this.started;
    const position = await this.repeater.send(() => api.propose(this.gameId, token, kind));
    if (position === LOST) this.checkOffer(kind);
    else if (position !== null) this.acceptPosition(request, position);
    else this.change(withOffer(this.state, kind, this.seat));
  }

  /** Tells the player if an offer whose answer is lost is not open. */
  private checkOffer(kind: OfferKind): void {
    if (this.state.offers[kind] !== this.seat && this.state.game?.position.status === "playing")
      this.report(new Error(offerTexts.lost(kind)));
  }

  private async proposeRematch(token: string): Promise<void> {
    const next = await this.repeater.send(() => api.proposeRematch(this.gameId, token));
    if (next === LOST) return; // Whatever has happened is shown: an offer or the rematch.
    if (next === null) this.change(withOffer(this.state, "rematch", this.seat));
    else this.change({ rematch: { gameId: next.gameId, token: next.token, isNew: true } });
  }

  /** Rejects another player's offer, or withdraws one's own. */
  async reject(kind: OfferKind): Promise<void> {
    await this.act(async (token) => {
      await api.reject(this.gameId, token, kind);
      this.change(withOffer(this.state, kind, null));
    });
  }

  async resign(): Promise<void> {
    await this.act(async (token) => {
      const request = ++this.started;
      this.acceptPosition(request, await api.resign(this.gameId, token));
    });
  }

  async claim(kind: api.Claim): Promise<void> {
    await this.act(async (token) => {
      const request = ++this.started;
      this.acceptPosition(request, await api.claim(this.gameId, token, kind));
    });
  }

  /** Aborts the game; its new state arrives as a frame. */
  async abort(): Promise<void> {
    await this.act((token) => api.abort(this.gameId, token));
  }

  giveTime(seconds: number): void {
    this.socket?.send({ type: "give-time", seconds });
  }

  say(channel: Channel, text: string): void {
    this.socket?.send({ type: "chat-message", channel, text });
  }

  // ---- frames --------------------------------------------------------------------------------

  private follow(): void {
    const address = (): string =>
      socketUrl(
        `/ws/games/${encodeURIComponent(this.gameId)}`,
        { token: this.token, ext: "1", since: this.seq?.toString() ?? null },
        this.server,
      );
    this.socket = new LiveSocket(address, {
      onFrame: (frame) => {
        this.receive(frame);
      },
      onLink: (link) => {
        if (link === "refused") {
          this.submission.giveUp();
          this.repeater.giveUp();
        }
        if (link === "open") {
          this.onSignOfLife();
          this.submission.resend();
          this.socket?.send({ type: "chat-history" });
          this.awaitClaim({ claimableAt: null, serverTime: 0 }); // The server says so if it is possible.
        }
        this.change({ link });
      },
      isWatched: () => document.visibilityState === "visible" || this.state.clocks.running.length > 0,
    });
    this.socket.open();
  }

  private receive(frame: Frame): void {
    this.onSignOfLife();
    if (typeof frame.seq === "number") this.seq = frame.seq;
    if (this.submission.receive(frame)) return;
    if (frame.type === "pong") this.repeater.catchUp();
    if (frame.type === "state") this.receiveState(frame as unknown as StateFrame);
    else if (frame.type === "claim") this.awaitClaim(frame as unknown as ClaimFrame);
    else if (frame.type === "error" || frame.type === "chat-error")
      this.change({ problem: String(frame.message) });
    else this.change(applyFrame(this.state, frame));
  }

  private receiveState({ position, seats, offer, rematch }: StateFrame): void {
    const { game } = this.state;
    if (game === null) return;
    const whole = withHistory(position, game.position.history);
    if (whole === null) void this.refresh();
    else this.accept(++this.started, { ...game, position: whole, seats });
    this.change({ offers: offersIn(offer) });
    if (rematch !== undefined) this.recall(rematch);
  }

  private awaitClaim({ claimableAt, serverTime }: ClaimFrame): void {
    clearTimeout(this.claimTimer);
    this.change({ canClaim: false });
    if (claimableAt === null) return;
    this.claimTimer = setTimeout(
      () => {
        this.change({ canClaim: true });
      },
      Math.max(0, claimableAt - serverTime),
    );
  }

  /** Requests the game, after a frame that lacks moves which are not known here either. */
  private async refresh(): Promise<void> {
    await retryWhileWanted(
      async () => {
        const request = ++this.started;
        this.accept(request, await this.getGame());
        this.change({ problem: "" });
      },
      {
        isWanted: () => !this.isClosed,
        onFailure: (error) => {
          this.report(error);
        },
      },
    );
  }

  /** Stores a rematch that started earlier. A player's token is valid for the new seat as well. */
  private recall(gameId: string): void {
    const token = this.seat === null ? null : this.token;
    if (this.state.rematch === null) this.change({ rematch: { gameId, token, isNew: false } });
  }

  /** The player's move is sealed until these seats have moved, which may have happened already. */
  private acceptPending(ply: number, pending: readonly number[]): void {
    const { game } = this.state;
    if (game?.position.ply === ply)
      this.acceptPosition(++this.started, { ...game.position, toAct: pending, pending });
  }

  private keepSent(sent: SentMove | null): void {
    if (sent === this.sent) return;
    this.sent = sent;
    keepSentMove(this.gameId, sent);
  }

  private acceptPosition(request: number, position: Position): void {
    const { game } = this.state;
    if (game !== null) this.accept(request, { ...game, position });
  }

  /** Applies an answer. While the moves are the same, what the player was told stays; so do staged actions on his turn. */
  private accept(request: number, game: Game): void {
    if (request < this.applied) return;
    this.applied = request;
    const { position } = game;
    const before = this.state.game?.position;
    const isSame = before !== undefined && hasSameMoves(position, before);
    const isToMove = game.seatIndex !== null && position.toAct.includes(game.seatIndex);
    const keepsStaged = isSame && isToMove && this.state.staged.length > 0 && position.status === "playing";
    if (!keepsStaged) this.draft = { staged: [], ...options(game) };
    if (isToMove && !this.state.isBusy) this.keepSent(null);
    this.change({
      sealed: sealedMove(game, this.sent),
      game: { ...game, seats: withNames(game.seats, this.state.seatNames) },
      clocks: clocksOf(position, Date.now()),
      ...(isSame ? {} : { problem: "", notice: "" }),
      ...(keepsStaged ? {} : this.draft),
    });
    this.onState?.();
  }

  /**
   * Runs one request of the player at a time. If it is refused, the game is as the server has it; if it is not
   * answered, the move being made stays, to be sent again.
   */
  private async act(request: (token: string) => Promise<unknown>): Promise<void> {
    if (this.token === null || this.state.isBusy) return;
    const { staged, legal, canFinish } = this.state;
    this.draft = { staged, legal, canFinish };
    this.change({ isBusy: true, problem: "", notice: "" });
    try {
      await request(this.token);
    } catch (error) {
      if (api.isPassing(error)) this.change(this.draft);
      else this.unstage();
      if (error instanceof api.ApiError && error.position !== null)
        this.acceptPosition(++this.started, error.position);
      this.report(error);
    } finally {
      this.change({ isBusy: false });
    }
  }

  private change(part: Partial<SessionState>): void {
    this.state = { ...this.state, ...part };
    this.onChange();
  }
}
