// One game on this page: what the server last said about it, the move being made, and the ways to act on it.
// The server decides everything; this only asks, sends, and keeps what must survive a lost connection.
// The game page reads `state` and calls the methods, which never throw: what went wrong is in `state.problem`.
import * as api from "../api/client";
import type { Game, Position, Seat } from "../api/shapes";
import type { BoardElement } from "../boards";
import { persistently, untilAnswered } from "../net/patience";
import { LiveSocket, socketUrl, type Frame, type Link } from "../net/socket";
import { NOBODY, heed, offersIn, withOffer, type Around, type Channel, type OfferKind } from "./around";
import { NO_CLOCKS, clocksOf, type Clocks } from "./clock";
import { withHistory } from "./history";
import { withNames, type Reasons } from "./words";

export interface SessionState extends Around {
  /** Null until the first answer. */
  readonly game: Game | null;
  readonly clocks: Clocks;
  /** Actions of the move being made, and what may follow them. */
  readonly staged: readonly string[];
  readonly legal: readonly string[];
  /** The move being made may be played as it stands; with nothing staged: the turn may be passed. */
  readonly canFinish: boolean;
  /** A request of the player is under way. */
  readonly isBusy: boolean;
  /** A sentence about the last thing that failed; empty when all is well. */
  readonly problem: string;
  readonly link: Link;
  /** What people call the game, and its own words for how it ended. */
  readonly title: string;
  /** What the variant is about, in a sentence. */
  readonly goal: string;
  /** What it calls the seats; may be empty. */
  readonly seatNames: readonly string[];
  readonly reasons: Reasons;
}

/** The game socket's main frame, as clients with extensions get it. */
interface StateFrame {
  readonly position: Position;
  readonly seats: readonly Seat[];
  readonly seq: number;
  /** What a player has proposed to the others. */
  readonly offer?: { readonly kind: string; readonly seat: number };
  /** The game that was agreed on after this one. */
  readonly rematch?: string;
}

/** The move being made. */
type Draft = Pick<SessionState, "staged" | "legal" | "canFinish">;

type Composer = Pick<BoardElement, "compose">;

const START: SessionState = {
  ...NOBODY,
  game: null,
  clocks: NO_CLOCKS,
  staged: [],
  legal: [],
  canFinish: false,
  isBusy: false,
  problem: "",
  link: "closed",
  title: "",
  goal: "",
  seatNames: [],
  reasons: {},
};

export class GameSession {
  state = START;
  private socket: LiveSocket | null = null;
  private isClosed = false;
  /** What is left of the move being made when the server does not answer a request. */
  private draft: Draft = START;
  /** The problem is that the server did not answer. */
  private isOffline = false;
  /** Requests and frames are numbered as they start, so that a late answer never replaces a newer one. */
  private started = 0;
  private applied = 0;
  /** The number of the last frame about the game: after a lost connection the server goes on from there. */
  private seq: number | null = null;

  constructor(
    readonly gameId: string,
    private readonly token: string | null,
    private readonly onChange: () => void,
    /** Origin of the server; by default the one that the page came from. */
    private readonly server?: string,
  ) {}

  /** The own seat; null for spectators. */
  get seat(): number | null {
    return this.state.game?.seatIndex ?? null;
  }

  /** Asks for the game until there is an answer, and follows it from then on. */
  async open(): Promise<void> {
    await untilAnswered(() => this.load(), {
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
    const [game, catalogue] = await Promise.all([
      api.getGame(this.gameId, { token: this.token, ...this.where }),
      api.getRules(this.where),
    ]);
    const about = catalogue.find((row) => row.game === game.game)?.about;
    this.change({
      title: about?.title ?? game.game,
      goal: about?.variants?.[game.variant] ?? "",
      seatNames: about?.seats ?? [],
      reasons: about?.reasons ?? {},
      snapshot: game.matchStatus ?? null,
    });
    this.accept(request, game);
    if (!this.isClosed) this.follow();
  }

  close(): void {
    this.isClosed = true;
    this.socket?.close();
  }

  /** Shows what went wrong elsewhere with this game. */
  report(error: unknown): void {
    this.isOffline = error instanceof api.ApiError && error.code === "offline";
    this.change({ problem: api.sentence(error) });
  }

  /** The server has been heard of again. */
  private onSignOfLife(): void {
    if (!this.isOffline) return;
    this.isOffline = false;
    this.change({ problem: "" });
  }

  // ---- the move being made -------------------------------------------------------------------

  /** Adds an action to the move being made; a complete move is played at once. */
  async stage(action: string, board: Composer): Promise<void> {
    const staged = [...this.state.staged, action];
    await this.act(async (token) => {
      this.change({ staged, legal: [], canFinish: false });
      const move = board.compose(staged);
      const game = await persistently(() => api.getGame(this.gameId, { token, staged: move }));
      const { legal, canFinish } = options(game);
      if (legal.length > 0) this.change({ legal, canFinish });
      else {
        this.draft = { staged, legal: [], canFinish: true };
        await this.play(token, move);
      }
    });
  }

  /** Plays the move as it stands. */
  async finish(board: Composer): Promise<void> {
    await this.act((token) => this.play(token, board.compose(this.state.staged)));
  }

  unstage(): void {
    const { game } = this.state;
    if (game !== null) this.change({ staged: [], ...options(game), problem: "" });
  }

  private async play(token: string, move: string): Promise<void> {
    const request = ++this.started;
    const ply = this.state.game?.position.ply ?? 0;
    const position = await api.playMove(this.gameId, token, move, ply);
    if (position !== null) this.acceptPosition(request, position);
    else this.change({ staged: [], legal: [], canFinish: false });
  }

  // ---- what players agree on -----------------------------------------------------------------

  /** Proposes, or agrees to the same proposal of another player. */
  async propose(kind: OfferKind): Promise<void> {
    await this.act(async (token) => {
      if (kind === "rematch") await this.proposeRematch(token);
      else await this.proposeNow(kind, token);
    });
  }

  private async proposeNow(kind: api.Proposal, token: string): Promise<void> {
    const request = ++this.started;
    const position = await api.propose(this.gameId, token, kind);
    if (position !== null) this.acceptPosition(request, position);
    else this.change(withOffer(this.state, kind, this.seat));
  }

  private async proposeRematch(token: string): Promise<void> {
    const next = await api.proposeRematch(this.gameId, token);
    if (next === null) this.change(withOffer(this.state, "rematch", this.seat));
    else this.change({ rematch: { gameId: next.gameId, token: next.token, isNew: true } });
  }

  /** Refuses another player's proposal, or withdraws the own one. */
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

  /** Calls the game off; what it has become comes as a frame. */
  async abort(): Promise<void> {
    await this.act((token) => api.abort(this.gameId, token));
  }

  giveTime(seconds: number): void {
    this.socket?.send({ type: "give-time", seconds });
  }

  say(channel: Channel, text: string): void {
    this.socket?.send({ type: "chat-message", channel, text });
  }

  // ---- what the server says ------------------------------------------------------------------

  /** Opens the game socket; a token that opens no seat would be refused there. */
  private follow(): void {
    const token = this.seat === null ? null : this.token;
    const address = (): string =>
      socketUrl(
        `/ws/games/${encodeURIComponent(this.gameId)}`,
        { token, ext: "1", since: this.seq?.toString() ?? null },
        this.server,
      );
    this.socket = new LiveSocket(address, {
      onFrame: (frame) => {
        this.receive(frame);
      },
      onLink: (link) => {
        if (link === "open") this.onSignOfLife();
        this.change({ link });
      },
    });
    this.socket.open();
  }

  private receive(frame: Frame): void {
    this.onSignOfLife();
    if (typeof frame.seq === "number") this.seq = frame.seq;
    if (frame.type === "state") this.receiveState(frame as unknown as StateFrame);
    else if (frame.type === "error" || frame.type === "chat-error")
      this.change({ problem: String(frame.message) });
    else this.change(heed(this.state, frame));
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

  /** Asks for the game, of which a frame has shown an end that the known moves do not lead up to. */
  private async refresh(): Promise<void> {
    await untilAnswered(
      async () => {
        const request = ++this.started;
        this.accept(request, await api.getGame(this.gameId, { token: this.token, ...this.where }));
      },
      {
        isWanted: () => !this.isClosed,
        onFailure: (error) => {
          this.report(error);
        },
      },
    );
  }

  /** Of a rematch that began earlier. A player's token opens the new seat as well. */
  private recall(gameId: string): void {
    const token = this.seat === null ? null : this.token;
    if (this.state.rematch === null) this.change({ rematch: { gameId, token, isNew: false } });
  }

  private acceptPosition(request: number, position: Position): void {
    const { game } = this.state;
    if (game !== null) this.accept(request, { ...game, position });
  }

  /** Takes over an answer. What was staged stays only while it still follows from the same moves. */
  private accept(request: number, game: Game): void {
    if (request < this.applied) return;
    this.applied = request;
    const { position } = game;
    const before = this.state.game?.position;
    const isSame = position.history.join() === before?.history.join() && position.status === before.status;
    const keepsStaged = isSame && this.state.staged.length > 0 && position.status === "playing";
    if (!keepsStaged) this.draft = { staged: [], ...options(game) };
    this.change({
      game: { ...game, seats: withNames(game.seats, this.state.seatNames) },
      clocks: clocksOf(position, Date.now()),
      problem: "",
      notice: isSame ? this.state.notice : "",
      ...(keepsStaged ? {} : this.draft),
    });
  }

  /**
   * Runs one request of the player at a time. A refused one leaves the game as the server has it; one that was not
   * answered leaves the move being made, to be sent again.
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

/** What the own seat may do next in the position as it was asked for. */
function options({ seatIndex: seat, position }: Game): Pick<SessionState, "legal" | "canFinish"> {
  const { toAct, legal, canFinish } = position;
  if (seat === null || !toAct.includes(seat)) return { legal: [], canFinish };
  const own = Array.isArray(legal) ? legal : (legal as Record<string, readonly string[]>)[seat];
  return { legal: (own as readonly string[] | undefined) ?? [], canFinish };
}
