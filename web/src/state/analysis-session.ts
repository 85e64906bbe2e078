// The analysis of one game on this page: requests it, reads its stream of events, and retries if the server is busy
// or unreachable. The position on the board is requested first, on its own.
// The analysis page reads `state` and calls the methods, which never throw: errors are in the state.
// Closing it withdraws the request; if that fails, the server stops an analysis that nobody reads.
import * as texts from "#texts/analysis";
import {
  analysePly,
  askAnalysis,
  eventsPath,
  withdrawAnalysis,
  type Asked,
  type Effort,
  type Ending,
  type Studied,
} from "../api/analysis";
import { ApiError, isPassing, sentence } from "../api/http";
import { backOff } from "../net/back-off";
import { NOT_ANALYSED, advance, isOver, type AnalysisEvent, type AnalysisState } from "./analysis";

/** How thorough an analysis is: the samples per position, in units of the usual number for the game. */
const DEPTHS = { quick: 0.25, normal: 1, deep: 10 } as const;

export type Depth = keyof typeof DEPTHS;

export const ALL_DEPTHS: readonly Depth[] = ["quick", "normal", "deep"];

/** The most samples per position of any server. */
const MOST_SAMPLES = 100_000;

export function samplesOf(depth: Depth, usual: number): number {
  return Math.min(MOST_SAMPLES, Math.ceil(DEPTHS[depth] * usual));
}

/** Suggested lines per position. */
const LINES = 3;

export class AnalysisSession {
  state = NOT_ANALYSED;
  depth: Depth = "normal";
  /** The usual samples per position of the game. */
  usual = 1000;
  /** Completed analyses by depth. */
  private readonly done = new Map<Depth, AnalysisState>();
  private stream: EventSource | null = null;
  /** The analysis that is running for this session. */
  private asked: Asked | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Attempts since the last event. */
  private attempt = 0;
  /** Requests are numbered, so that the late answer to an abandoned one is ignored. */
  private request = 0;

  constructor(
    private readonly gameId: string,
    private readonly onChange: () => void,
  ) {}

  /** Analyses all positions, the one at `ply` first. Known results stay until newer ones replace them. */
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
    this.apply({ type: "started" });
    await this.preview(ply);
    if (request === this.request) void this.ask();
  }

  /** Analyses one position on its own, unless the analysis has reached it. Ply 0 is the first anyway. */
  async preview(ply: number): Promise<void> {
    const { depth, state } = this;
    if (ply === 0 || isOver(state) || state.reached.has(ply)) return;
    try {
      const studied = await analysePly(this.gameId, ply, {
        samples: samplesOf(depth, this.usual),
        multipv: LINES,
      });
      if (studied !== null && depth === this.depth) this.apply({ type: "preview", studied });
    } catch {
      // The analysis reaches it as well, and reports errors.
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
      const asked = await askAnalysis(this.gameId, this.effort());
      if (request === this.request) this.follow(asked);
      else void withdrawAnalysis(asked);
    } catch (error) {
      if (request === this.request) this.onRefusal(error);
    }
  }

  /** Of the whole game. The server's own number is the usual one, or less for a game that is too long for it. */
  private effort(): Effort {
    const multipv = LINES;
    return this.depth === "normal" ? { multipv } : { multipv, samples: samplesOf(this.depth, this.usual) };
  }

  private onRefusal(error: unknown): void {
    const problem = sentence(error);
    if (!isPassing(error)) {
      this.apply({ type: "failed", problem });
      return;
    }
    this.apply({ type: "queued", problem: isOffline(error) ? problem : texts.engineIsBusy });
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
      this.apply({ type: "position", studied: JSON.parse(data) as Studied });
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
      this.apply({ type: "ended", ending });
      return;
    }
    this.apply({ type: "lost" });
    this.askLater(ending.retryAfterMs);
  }

  /** Handles a broken stream. The browser reopens it, unless the server does not know the analysis any more. */
  private onBreak(stream: EventSource): void {
    if (isOver(this.state)) return;
    this.apply({ type: "lost" });
    if (stream.readyState === EventSource.CLOSED) this.askLater(null);
  }

  private apply(event: AnalysisEvent): void {
    this.change(advance(this.state, event));
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
