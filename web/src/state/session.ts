// One game on this page: what the server last said about it, the move being made, and the ways to act on it.
// The server decides everything; this only asks, sends, and keeps what must survive a lost connection.
// The game page reads `state` and calls the methods, which never throw: what went wrong is in `state.problem`.
import * as api from "../api/client";
import type { Game, Position, Seat, Snapshot } from "../api/shapes";
import type { BoardElement } from "../boards";
import { LiveSocket, socketUrl, type Frame, type Link } from "../net/socket";
import type { Reasons } from "./words";

export interface SessionState {
  /** Null until the first answer. */
  readonly game: Game | null;
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
  /** The seat that asks to take back; null when nobody does. */
  readonly takebackBy: number | null;
  /** Who is there; null where the server does not say. */
  readonly snapshot: Snapshot | null;
  /** The game's own words for how it ended. */
  readonly reasons: Reasons;
}

/** The game socket's main frame, as clients with extensions get it. */
interface StateFrame {
  readonly position: Position;
  readonly seats: readonly Seat[];
  /** What a player has proposed to the others. */
  readonly offer?: { readonly kind: string; readonly seat: number };
}

type Composer = Pick<BoardElement, "compose">;

const START: SessionState = {
  game: null,
  staged: [],
  legal: [],
  canFinish: false,
  isBusy: false,
  problem: "",
  link: "closed",
  takebackBy: null,
  snapshot: null,
  reasons: {},
};

export class GameSession {
  state = START;
  private socket: LiveSocket | null = null;
  private isClosed = false;
  /** Requests and frames are numbered as they start, so that a late answer never replaces a newer one. */
  private started = 0;
  private applied = 0;

  constructor(
    readonly gameId: string,
    private readonly token: string | null,
    private readonly onChange: () => void,
  ) {}

  /** The own seat; null for spectators. */
  get seat(): number | null {
    return this.state.game?.seatIndex ?? null;
  }

  /** Whether the game waits for a bot whose connection is lost. */
  get isBotAway(): boolean {
    const { game, snapshot } = this.state;
    if (game?.position.status !== "playing") return false;
    return game.seats.some(
      ({ seat, kind }) => kind === "bot" && snapshot?.players[seat]?.connected === false,
    );
  }

  async open(): Promise<void> {
    const request = ++this.started;
    try {
      const [game, catalogue] = await Promise.all([
        api.getGame(this.gameId, { token: this.token }),
        api.getRules(),
      ]);
      const rules = catalogue.find((row) => row.game === game.game);
      this.change({ reasons: rules?.about.reasons ?? {}, snapshot: game.matchStatus ?? null });
      this.accept(request, game);
      if (!this.isClosed) this.follow();
    } catch (error) {
      this.report(error);
    }
  }

  close(): void {
    this.isClosed = true;
    this.socket?.close();
  }

  /** Shows what went wrong elsewhere with this game. */
  report(error: unknown): void {
    this.change({ problem: api.sentence(error) });
  }

  /** Adds an action to the move being made; a complete move is played at once. */
  async stage(action: string, board: Composer): Promise<void> {
    const staged = [...this.state.staged, action];
    await this.act(async (token) => {
      this.change({ staged, legal: [], canFinish: false });
      const game = await api.getGame(this.gameId, { token, staged: board.compose(staged) });
      const { legal, canFinish } = options(game);
      if (legal.length === 0) await this.play(token, board.compose(staged));
      else this.change({ legal, canFinish });
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

  async takeBack(): Promise<void> {
    await this.act(async (token) => {
      const request = ++this.started;
      const position = await api.propose(this.gameId, token, "takeback");
      if (position !== null) this.acceptPosition(request, position);
      else this.change({ takebackBy: this.seat });
    });
  }

  /** Agrees to the other player's wish; what follows comes as a frame. */
  allowTakeBack(): void {
    this.socket?.send({ type: "takeback-accept" });
  }

  async refuseTakeBack(): Promise<void> {
    await this.act(async (token) => {
      await api.reject(this.gameId, token, "takeback");
      this.change({ takebackBy: null });
    });
  }

  async resign(): Promise<void> {
    await this.act(async (token) => {
      const request = ++this.started;
      this.acceptPosition(request, await api.resign(this.gameId, token));
    });
  }

  private async play(token: string, move: string): Promise<void> {
    const request = ++this.started;
    const ply = this.state.game?.position.ply ?? 0;
    const position = await api.playMove(this.gameId, token, move, ply);
    if (position !== null) this.acceptPosition(request, position);
    else this.change({ staged: [], legal: [], canFinish: false });
  }

  /** Opens the game socket; a token that opens no seat would be refused there. */
  private follow(): void {
    const token = this.seat === null ? null : this.token;
    this.socket = new LiveSocket(socketUrl(`/ws/games/${this.gameId}`, { token, ext: "1" }), {
      onFrame: (frame) => {
        this.receive(frame);
      },
      onLink: (link) => {
        this.change({ link });
      },
    });
    this.socket.open();
  }

  private receive(frame: Frame): void {
    if (frame.type === "state") this.receiveState(frame as unknown as StateFrame);
    else if (frame.type === "match-status") this.change({ snapshot: frame.snapshot as Snapshot });
    else if (frame.type === "takeback-offer") this.change({ takebackBy: Number(frame.playerId) - 1 });
    else if (frame.type === "takeback-rejected") this.change({ takebackBy: null });
    else if (frame.type === "error") this.change({ problem: String(frame.message) });
  }

  private receiveState({ position, seats, offer }: StateFrame): void {
    const { game } = this.state;
    if (game === null) return;
    this.accept(++this.started, { ...game, position, seats });
    this.change({ takebackBy: offer?.kind === "takeback" ? offer.seat : null });
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
    const isSame = position.history.join() === this.state.game?.position.history.join();
    const keepsStaged = isSame && this.state.staged.length > 0 && position.status === "playing";
    this.change({
      game,
      problem: "",
      ...(keepsStaged ? {} : { staged: [], ...options(game) }),
    });
  }

  /** Runs one request of the player at a time; a refused one leaves the game as the server has it. */
  private async act(request: (token: string) => Promise<void>): Promise<void> {
    if (this.token === null || this.state.isBusy) return;
    this.change({ isBusy: true, problem: "" });
    try {
      await request(this.token);
    } catch (error) {
      this.unstage();
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
