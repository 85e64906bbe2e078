// The evaluations of one game, from the eval socket while it is switched on. Pages and the embedded bar read `state`.
// `advance` and `withLink` are the effect of frames and of changes of the connection; the class applies them.
import * as texts from "#texts/server";
import { analysePly } from "../api/analysis";
import { LiveSocket, socketUrl, type Frame, type Link } from "../net/socket";
import type { Game, Policy, Position } from "../api/shapes";
import type { Mixture } from "./mixture";
import { worthOf, type Values, type Worth } from "./worth";

/**
 * `pending`: the history is being computed. `frozen`: known values are still valid, but no more follow for now.
 * `forbidden`: this viewer may not see evaluations of this game.
 */
export type EvalStatus = "off" | "connecting" | "pending" | "live" | "frozen" | "forbidden";

/** What an evaluation is based on. */
export interface Basis {
  /** The network or the native evaluator. */
  readonly source: string;
  /** Simulations of the search; 0 without a search. */
  readonly samples: number;
}

export interface Evaluations {
  readonly status: EvalStatus;
  /** Why no values arrive, as a sentence; may be empty. */
  readonly problem: string;
  /** What the position after `ply` moves is worth. */
  readonly byPly: ReadonlyMap<number, Worth>;
  /** What they are based on; null if the server does not say, as with an attached bot. */
  readonly bases: ReadonlyMap<number, Basis | null>;
  /** In games in which seats move together, how to play in the position after `ply` moves. */
  readonly mixtures: ReadonlyMap<number, Mixture>;
}

export const NO_EVALUATIONS: Evaluations = {
  status: "off",
  problem: "",
  byPly: new Map(),
  bases: new Map(),
  mixtures: new Map(),
};

interface Entry {
  readonly ply: number;
  /** Seat 0's value. */
  readonly evaluation: number;
  /** All seats' values, unless they follow from seat 0's. */
  readonly values?: Values;
  readonly chances?: Values;
  readonly points?: Values;
  readonly bestMove?: string;
  readonly source?: string;
  readonly samples?: number;
  /** One per seat, only where seats move together. */
  readonly policies?: readonly Policy[];
}

/** The state after a frame. Values stay while the socket is disconnected; a history replaces them. */
export function advance(state: Evaluations, frame: Frame): Evaluations {
  switch (frame.type) {
    case "eval-handshake-accepted":
    case "eval-pending":
      return { ...state, status: "pending", problem: "" };
    case "eval-history":
      return withEntries(
        { ...NO_EVALUATIONS, problem: state.problem, status: "live" },
        frame.entries as Entry[],
      );
    case "eval-update":
      return withEntries({ ...state, status: "live" }, [frame as unknown as Entry]);
    case "eval-handshake-rejected":
      return { ...NO_EVALUATIONS, status: "forbidden", problem: String(frame.message) };
    case "eval-error":
      return { ...state, status: "frozen", problem: String(frame.message) };
    default:
      return state;
  }
}

/** The state after a change of the connection. A final state stays. */
export function withLink(state: Evaluations, link: Link): Evaluations {
  switch (link) {
    case "refused":
      return { ...state, status: "frozen", problem: texts.closed };
    case "waiting":
    case "connecting":
      return { ...state, status: state.byPly.size > 0 ? "frozen" : "connecting" };
    case "open":
    case "closed":
      return state;
  }
}

/** The worth to show at `ply`: its own, else the last one before; null if there is none. */
export function worthAt({ byPly }: Evaluations, ply: number): Worth | null {
  return lastBy(byPly, ply);
}

/** The basis of this; null if it is unknown. */
export function basisAt({ bases }: Evaluations, ply: number): Basis | null {
  return lastBy(bases, ply);
}

function lastBy<T>(byPly: ReadonlyMap<number, T>, ply: number): T | null {
  for (let at = ply; at >= 0; at--) {
    const entry = byPly.get(at);
    if (entry !== undefined) return entry;
  }
  return null;
}

/** The state with more entries, which replace those of the same plies. */
function withEntries(state: Evaluations, entries: readonly Entry[]): Evaluations {
  return {
    ...state,
    byPly: new Map([...state.byPly, ...entries.map(worthOfEntry)]),
    bases: new Map([...state.bases, ...entries.map(basisOf)]),
    mixtures: new Map([...state.mixtures, ...entries.flatMap(mixtureOf)]),
  };
}

function basisOf({ ply, source, samples = 0 }: Entry): [number, Basis | null] {
  return [ply, source === undefined ? null : { source, samples }];
}

function mixtureOf({ ply, policies, bestMove = "" }: Entry): [number, Mixture][] {
  return policies === undefined ? [] : [[ply, { policies, bestMove }]];
}

function worthOfEntry({ evaluation, values = [evaluation, -evaluation], ...entry }: Entry): [number, Worth] {
  const clamped = values.map((value) => Math.max(-1, Math.min(1, value)));
  return [entry.ply, worthOf({ ...entry, values: clamped })];
}

/** The ply that can be asked for on its own; null where seats move together, which the server may answer later only. */
export function askable({ ply, status, toAct, pending }: Position): number | null {
  const isTogether = toAct.length > 1 || pending !== undefined;
  return status === "playing" && isTogether ? null : ply;
}

/** The members of a game that the handshake contains. */
export type Evaluated = Pick<Game, "gameId" | "variant" | "config">;

/** How long the history may take before the position on the board is requested on its own. */
const PATIENCE_MS = 150;

export class EvalFeed {
  state = NO_EVALUATIONS;
  private socket: LiveSocket | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly onChange: () => void,
    /** The ply on the board; null if it is not askable. */
    private readonly shown: () => number | null,
    /** Address of the server; by default the page's. */
    private readonly server?: string,
  ) {}

  /** Starts, or starts again after evaluations have ended. */
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

  /** Reconnects at once, as the server is available again. */
  wake(): void {
    this.socket?.wake();
  }

  /** Applies a frame. After a rejection or an error the socket is closed, unless it is worth retrying. */
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

  /**
   * Requests the position on the board, as a long history takes time and arrives all at once. Pages of other sites wait
   * for the history: a server answers only their `GET` requests.
   */
  private previewLater(game: Evaluated): void {
    clearTimeout(this.timer);
    if (this.server !== undefined && this.server !== location.origin) return;
    this.timer = setTimeout(() => void this.preview(game, this.shown()), PATIENCE_MS);
  }

  private async preview({ gameId }: Evaluated, ply: number | null): Promise<void> {
    const { socket } = this;
    const isWanted = (): boolean => socket === this.socket && this.state.status === "pending";
    if (!isWanted() || ply === null) return;
    try {
      const where = this.server === undefined ? {} : { server: this.server };
      const studied = await analysePly(gameId, ply, {}, where);
      if (studied !== null && isWanted())
        this.change(withEntries(this.state, [{ ...studied, ply, evaluation: studied.values[0] ?? 0 }]));
    } catch {
      // The history contains it as well.
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
