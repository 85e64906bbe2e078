// The analysis of one game on this page: asks for it, reads its stream of events, and comes back when the server was busy
// or away. The position on the board is asked for by itself, before the others.
// The analysis page reads `state` and calls the methods, which never throw: what went wrong is in the state.
// Closing it withdraws what was asked for; where that does not arrive, the server stops what nobody reads.
import {
  analysePly,
  askAnalysis,
  eventsPath,
  withdrawAnalysis,
  type Asked,
  type Ending,
  type Studied,
} from "../api/analysis";
import { ApiError, isPassing, sentence } from "../api/http";
import { backOff } from "../net/retry";
import { NOT_ANALYSED, advance, isOver, type AnalysisState, type Happening } from "./analysis";

/** How thoroughly; the numbers are simulations per position. */
export const DEPTHS = { quick: 500, normal: 3000, deep: 30_000 } as const;

export type Depth = keyof typeof DEPTHS;

/** Suggested lines per position. */
const LINES = 3;

export class AnalysisSession {
  state = NOT_ANALYSED;
  depth: Depth = "normal";
  /** Analyses that are done, by their depth. */
  private readonly done = new Map<Depth, AnalysisState>();
  private stream: EventSource | null = null;
  /** The analysis that runs for this session. */
  private asked: Asked | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Attempts since the last sign of life. */
  private attempt = 0;
  /** Requests are numbered, so that a late answer to an abandoned one starts nothing. */
  private request = 0;

  constructor(
    private readonly gameId: string,
    private readonly onChange: () => void,
  ) {}

  /** Analyses all positions, the one at `ply` first. What is known already stays until there is something newer. */
  start(depth: Depth, ply: number): void {
    this.close();
    this.depth = depth;
    this.attempt = 0;
    const done = this.done.get(depth);
    if (done !== undefined) this.change(done);
    else void this.begin(ply);
  }

  private async begin(ply: number): Promise<void> {
    const request = this.request;
    this.happen({ type: "started" });
    await this.preview(ply);
    if (request === this.request) void this.ask();
  }

  /** Analyses one position by itself, unless the analysis has come to it. That begins with ply 0. */
  async preview(ply: number): Promise<void> {
    const { depth, state } = this;
    if (ply === 0 || isOver(state) || state.reached.has(ply)) return;
    try {
      const studied = await analysePly(this.gameId, ply, { samples: DEPTHS[depth], multipv: LINES });
      if (studied !== null && depth === this.depth) this.happen({ type: "preview", studied });
    } catch {
      // The analysis comes to it as well, and says what is wrong.
    }
  }

  close(): void {
    this.request++;
    clearTimeout(this.timer);
    this.stream?.close();
    this.stream = null;
    if (this.asked !== null) void withdrawAnalysis(this.asked);
    this.asked = null;
  }

  private async ask(): Promise<void> {
    this.close();
    const request = this.request;
    try {
      const asked = await askAnalysis(this.gameId, DEPTHS[this.depth], LINES);
      if (request === this.request) this.follow(asked);
      else void withdrawAnalysis(asked);
    } catch (error) {
      if (request === this.request) this.onRefusal(error);
    }
  }

  private onRefusal(error: unknown): void {
    const problem = sentence(error);
    if (!isPassing(error)) {
      this.happen({ type: "failed", problem });
      return;
    }
    this.happen({ type: "queued", problem: isOffline(error) ? problem : "The engine is busy." });
    this.askLater(error instanceof ApiError ? error.retryAfterMs : null);
  }

  private askLater(afterMs: number | null): void {
    this.close();
    const own = backOff(this.attempt++, Math.random());
    this.timer = setTimeout(() => void this.ask(), Math.max(own, afterMs ?? 0));
  }

  private follow(asked: Asked): void {
    this.asked = asked;
    const stream = new EventSource(eventsPath(asked.analysisId));
    this.stream = stream;
    stream.addEventListener("position", ({ data }: MessageEvent<string>) => {
      this.attempt = 0;
      this.happen({ type: "position", studied: JSON.parse(data) as Studied });
    });
    stream.addEventListener("done", ({ data }: MessageEvent<string>) => {
      this.onEnding(JSON.parse(data) as Ending);
    });
    stream.onerror = () => {
      this.onBreak(stream);
    };
  }

  private onEnding(ending: Ending): void {
    this.asked = null;
    this.close();
    if (ending.retryAfterMs === undefined) {
      this.happen({ type: "ended", ending });
      return;
    }
    this.happen({ type: "lost" });
    this.askLater(ending.retryAfterMs);
  }

  /** A browser reopens a stream by itself, unless the server does not know the analysis any more. */
  private onBreak(stream: EventSource): void {
    if (isOver(this.state)) return;
    this.happen({ type: "lost" });
    if (stream.readyState === EventSource.CLOSED) this.askLater(null);
  }

  private happen(happening: Happening): void {
    this.change(advance(this.state, happening));
  }

  private change(state: AnalysisState): void {
    this.state = state;
    if (state.stage === "done") this.done.set(this.depth, state);
    this.onChange();
  }
}

function isOffline(error: unknown): boolean {
  return error instanceof ApiError && error.code === "offline";
}
