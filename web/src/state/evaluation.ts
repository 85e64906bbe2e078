// The evaluation of one game, fed by the eval socket while it is switched on. Pages and the embedded bar read `state`.
// `advance` and `withLink` say what each frame and each change of the link means; the class only carries it out.
import { analysePly } from "../api/analysis";
import { LiveSocket, socketUrl, type Frame, type Link } from "../net/socket";
import type { Game } from "../api/shapes";

/**
 * `pending`: the history is being made. `frozen`: what was known still stands, but nothing more comes for now.
 * `forbidden`: the server shows this viewer no evaluations of this game.
 */
export type EvalStatus = "off" | "connecting" | "pending" | "live" | "frozen" | "forbidden";

export interface Evaluations {
  readonly status: EvalStatus;
  /** Why nothing comes, as a sentence; empty where there is nothing to say. */
  readonly problem: string;
  /** Worth of the position after `ply` moves for seat 0, in [-1, 1]. */
  readonly byPly: ReadonlyMap<number, number>;
}

export const NO_EVALUATIONS: Evaluations = { status: "off", problem: "", byPly: new Map() };

interface Entry {
  readonly ply: number;
  readonly evaluation: number;
}

/** The state after a frame. Values stay while the socket is away; a history replaces them. */
export function advance(state: Evaluations, frame: Frame): Evaluations {
  switch (frame.type) {
    case "eval-handshake-accepted":
    case "eval-pending":
      return { ...state, status: "pending", problem: "" };
    case "eval-history":
      return { ...state, status: "live", byPly: valuesOf(frame.entries as Entry[]) };
    case "eval-update":
      return {
        ...state,
        status: "live",
        byPly: new Map([...state.byPly, valueOf(frame as unknown as Entry)]),
      };
    case "eval-handshake-rejected":
      return { ...NO_EVALUATIONS, status: "forbidden", problem: String(frame.message) };
    case "eval-error":
      return { ...state, status: "frozen", problem: String(frame.message) };
    default:
      return state;
  }
}

/** The state after the link has changed. Nothing that ended by itself comes back to life. */
export function withLink(state: Evaluations, link: Link): Evaluations {
  switch (link) {
    case "refused":
      return { ...state, status: "frozen", problem: "The server has closed the connection." };
    case "waiting":
    case "connecting":
      return { ...state, status: state.byPly.size > 0 ? "frozen" : "connecting" };
    case "open":
    case "closed":
      return state;
  }
}

/** The value to show at `ply`: its own, else the last one before it; null before the first. */
export function valueAt(byPly: ReadonlyMap<number, number>, ply: number): number | null {
  for (let at = ply; at >= 0; at--) {
    const value = byPly.get(at);
    if (value !== undefined) return value;
  }
  return null;
}

function valueOf({ ply, evaluation }: Entry): [number, number] {
  return [ply, Math.max(-1, Math.min(1, evaluation))];
}

function valuesOf(entries: readonly Entry[]): Map<number, number> {
  return new Map(entries.map(valueOf));
}

/** What the handshake names. */
export type Evaluated = Pick<Game, "gameId" | "variant" | "config">;

/** How long the history may take before the position on the board is asked for by itself. */
const PATIENCE_MS = 150;

export class EvalFeed {
  state = NO_EVALUATIONS;
  private socket: LiveSocket | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly onChange: () => void,
    /** The ply on the board. */
    private readonly shown: () => number,
    /** Address of the server; by default the one that the page came from. */
    private readonly server?: string,
  ) {}

  /** Starts anew, also after evaluations have ended. */
  switchOn(game: Evaluated, token: string | null): void {
    this.switchOff();
    const url = socketUrl(`/ws/eval/${encodeURIComponent(game.gameId)}`, { token }, this.server);
    const socket = new LiveSocket(() => url, {
      onFrame: (frame) => {
        this.receive(frame, game);
        if (frame.type === "eval-pending") this.previewLater(game);
      },
      onLink: (link) => {
        this.follow(link, game);
      },
    });
    this.socket = socket;
    socket.open();
  }

  switchOff(): void {
    this.stop();
    this.change(NO_EVALUATIONS);
  }

  /** The server is there again: there is no use in waiting longer. */
  wake(): void {
    this.socket?.wake();
  }

  /** Nothing more comes after a rejection or an error: the socket is let go, unless it is worth asking again. */
  private receive(frame: Frame, game: Evaluated): void {
    const state = advance(this.state, frame);
    if (frame.type === "eval-error" && typeof frame.retryAfterMs === "number") {
      this.shakeLater(game, frame.retryAfterMs);
    } else if (["frozen", "forbidden"].includes(state.status)) {
      this.stop();
    }
    if (state !== this.state) this.change(state);
  }

  private follow(link: Link, game: Evaluated): void {
    clearTimeout(this.timer);
    if (link === "open") this.shake(game);
    this.change(withLink(this.state, link));
  }

  /** A long history takes its time, and comes as a whole. */
  private previewLater(game: Evaluated): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.preview(game, this.shown()), PATIENCE_MS);
  }

  private async preview({ gameId }: Evaluated, ply: number): Promise<void> {
    const { socket } = this;
    const isWanted = (): boolean => socket === this.socket && this.state.status === "pending";
    if (!isWanted()) return;
    try {
      const where = this.server === undefined ? {} : { server: this.server };
      const studied = await analysePly(gameId, ply, {}, where);
      if (studied !== null && isWanted())
        this.change({ ...this.state, byPly: new Map([...this.state.byPly, valueOf(studied)]) });
    } catch {
      // The history has it as well.
    }
  }

  private shake({ gameId, variant, config }: Evaluated): void {
    const { boardWidth, boardHeight } = config;
    this.socket?.send({ type: "eval-handshake", gameId, variant, boardWidth, boardHeight });
  }

  private shakeLater(game: Evaluated, afterMs: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.shake(game);
    }, afterMs);
  }

  private stop(): void {
    clearTimeout(this.timer);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }

  private change(state: Evaluations): void {
    this.state = state;
    this.onChange();
  }
}
