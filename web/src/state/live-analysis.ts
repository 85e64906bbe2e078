// The evaluation of the position on the analysis board. The server's engine is asked for one position at a time, with more
// samples each time, until the position changes; a bot that analyses in its place is asked once. Answers are remembered.
// The page reads the members and calls the methods, which never throw.
import { analysePosition, type Effort, type Studied } from "../api/analysis";
import { sentence } from "../api/http";
import type { Start } from "../api/positions";
import type { Bot } from "../api/shapes";
import { retryWhileWanted } from "../net/retry";
import { movesOf } from "./moves";

/** The samples of each request, in units of the usual number for the game: the first answer comes at once. */
const EFFORTS = [0.05, 0.25, 1, 4, 16, 64];

/** The most samples per position of any server. */
const MOST_SAMPLES = 100_000;

export const LINES = [1, 2, 3, 4, 5] as const;

/** How long a position is shown before it is asked for: who leafs through a line asks for few. */
const REST_MS = 60;

/** How many positions are remembered. */
const KEPT = 200;

export class LiveAnalysis {
  isOn = true;
  lines = 3;
  /** The bot that analyses; null for the server's engine. If it leaves, no other one takes its place. */
  analyst: Bot | null = null;
  problem = "";
  /** The usual samples of an evaluation of the game. */
  usual = 1000;
  private isClosed = false;
  private moves: readonly string[] | null = null;
  private readonly found = new Map<string, Studied>();
  /** The request that is running or due. */
  private asking = new AbortController();

  constructor(
    private readonly start: Start,
    private readonly onChange: () => void,
  ) {}

  /** The deepest answer for the position so far. */
  get studied(): Studied | null {
    return this.moves === null ? null : (this.found.get(this.keyOf(this.moves)) ?? null);
  }

  /** Whether a deeper answer is on its way. */
  get isThinking(): boolean {
    return this.isOn && this.problem === "" && !this.asking.signal.aborted;
  }

  /** Turns to the position after these moves. */
  look(moves: readonly string[]): void {
    this.moves = moves;
    this.restart();
  }

  switch(isOn: boolean): void {
    this.isOn = isOn;
    this.restart();
  }

  withLines(lines: number): void {
    this.lines = lines;
    this.restart();
  }

  by(analyst: Bot | null): void {
    this.analyst = analyst;
    this.restart();
  }

  close(): void {
    this.isClosed = true;
    this.asking.abort();
  }

  private restart(): void {
    if (this.isClosed) return;
    this.asking.abort();
    this.problem = "";
    if (this.isOn && this.moves !== null) {
      this.asking = new AbortController();
      void this.deepen(this.moves, this.asking);
    }
    this.onChange();
  }

  private async deepen(moves: readonly string[], asking: AbortController): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    for (const effort of this.effortsLeft()) {
      const studied = await this.ask(moves, effort, asking);
      if (asking.signal.aborted) return;
      if (studied === null) break;
      this.remember(moves, studied);
      this.onChange();
      const isServersLimit = studied.samples < (effort.samples ?? 0);
      if (studied.bestMove === "" || isServersLimit) break; // No more after the end of the game.
    }
    asking.abort();
    this.onChange();
  }

  /** Asks once; while the server is busy, again later. Null if it refuses, or nobody wants the answer any more. */
  private async ask(
    moves: readonly string[],
    effort: Effort,
    { signal }: AbortController,
  ): Promise<Studied | null> {
    const isWanted = (): boolean => !signal.aborted;
    const ply = movesOf(moves).length;
    let studied: Studied | null = null;
    await retryWhileWanted(
      async () => {
        studied = await analysePosition(
          this.start,
          moves,
          ply,
          { ...effort, multipv: this.lines },
          { signal },
        );
        if (isWanted()) this.problem = "";
      },
      {
        isWanted,
        onFailure: (error) => {
          if (!isWanted()) return;
          this.problem = sentence(error);
          this.onChange();
        },
      },
    );
    return studied;
  }

  /** The requests that go deeper than what is known. */
  private effortsLeft(): readonly Effort[] {
    const { analyst, studied } = this;
    if (analyst !== null) return studied === null ? [{ analyst: analyst.id }] : [];
    const efforts = EFFORTS.map((effort) => Math.min(MOST_SAMPLES, Math.ceil(effort * this.usual)));
    return [...new Set(efforts)]
      .filter((samples) => samples > (studied?.samples ?? 0))
      .map((samples) => ({ samples }));
  }

  private keyOf(moves: readonly string[]): string {
    return `${this.analyst?.id ?? ""} ${this.lines} ${moves.join(" ")}`;
  }

  private remember(moves: readonly string[], studied: Studied): void {
    this.found.set(this.keyOf(moves), studied);
    const [oldest] = this.found.keys();
    if (this.found.size > KEPT && oldest !== undefined) this.found.delete(oldest);
  }
}
