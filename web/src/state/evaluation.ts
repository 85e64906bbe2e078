// The evaluation of one game, fed by the eval socket while it is switched on. The page reads `state`.
// `advance` says what each frame changes; the class below only carries it out.
import { LiveSocket, socketUrl, type Frame, type Link } from "../net/socket";
import type { Game } from "../api/shapes";

export type EvalStatus = "off" | "connecting" | "pending" | "live" | "error";

export interface Evaluations {
  readonly status: EvalStatus;
  /** What went wrong; empty unless `status` is "error". */
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
      return { ...state, status: "pending" };
    case "eval-history":
      return { ...state, status: "live", byPly: valuesOf(frame.entries as Entry[]) };
    case "eval-update":
      return {
        ...state,
        status: "live",
        byPly: new Map([...state.byPly, valueOf(frame as unknown as Entry)]),
      };
    case "eval-handshake-rejected":
    case "eval-error":
      return { ...state, status: "error", problem: String(frame.message) };
    default:
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

const PING_MS = 30_000;

export class EvalFeed {
  state = NO_EVALUATIONS;
  private socket: LiveSocket | null = null;
  private pings: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly onChange: () => void) {}

  /** Starts anew, also after an error. */
  switchOn(game: Game, token: string | null): void {
    this.switchOff();
    const url = socketUrl(`/ws/eval/${game.gameId}`, { token });
    const socket = new LiveSocket(url, {
      onFrame: (frame) => {
        this.receive(frame);
      },
      onLink: (link) => {
        this.follow(link, game);
      },
    });
    this.socket = socket;
    this.pings = setInterval(() => {
      socket.send({ type: "ping" });
    }, PING_MS);
    socket.open();
  }

  switchOff(): void {
    clearInterval(this.pings);
    this.socket?.close();
    this.socket = null;
    this.change(NO_EVALUATIONS);
  }

  private receive(frame: Frame): void {
    const state = advance(this.state, frame);
    if (state.status === "error") this.stop();
    if (state !== this.state) this.change(state);
  }

  private follow(link: Link, { gameId, variant, config }: Game): void {
    if (link === "open") {
      const { boardWidth, boardHeight } = config;
      this.socket?.send({ type: "eval-handshake", gameId, variant, boardWidth, boardHeight });
    } else if (link === "refused") {
      this.change({ ...this.state, status: "error", problem: "The server refused the connection." });
    } else if (link !== "closed") {
      this.change({ ...this.state, status: "connecting" });
    }
  }

  private stop(): void {
    clearInterval(this.pings);
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }

  private change(state: Evaluations): void {
    this.state = state;
    this.onChange();
  }
}
