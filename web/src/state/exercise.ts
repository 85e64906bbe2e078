// One step of a lesson: the position on the board, and the reader's attempts at its task. The server knows the rules.
// The page reads `state` and calls the methods, which never throw: errors are in `state.problem`.
import { whyRefused, sentence } from "../api/http";
import { getPositionAfter, type Start } from "../api/positions";
import type { Position } from "../api/shapes";
import type { Blocked, BoardElement } from "../boards";
import type { Step } from "../lessons";
import { retryWhileWanted } from "../net/retry";
import { whileBusy } from "./busy";
import { legalOf, movesOf } from "./moves";

/** The seat of the reader. */
export const READER = 0;

export interface ExerciseState {
  /** Null until the first answer. */
  readonly position: Position | null;
  /** Actions of the move being made, and how it can be continued. */
  readonly staged: readonly string[];
  readonly legal: readonly string[];
  /** Whether the move being made is complete. */
  readonly canFinish: boolean;
  readonly isSolved: boolean;
  /** What was wrong with the last attempt; empty if nothing. */
  readonly mistake: string;
  readonly isBusy: boolean;
  readonly problem: string;
}

const START: ExerciseState = {
  position: null,
  staged: [],
  legal: [],
  canFinish: false,
  isSolved: false,
  mistake: "",
  isBusy: false,
  problem: "",
};

export class Exercise {
  state = START;
  private isClosed = false;
  /** The position before the reader's move. */
  private start: Position | null = null;

  constructor(
    private readonly game: string,
    readonly step: Step,
    private readonly onChange: () => void,
  ) {}

  async open(): Promise<void> {
    await retryWhileWanted(
      async () => {
        this.start = await this.ask("");
        this.restart("");
      },
      {
        isWanted: () => !this.isClosed,
        onFailure: (error) => {
          this.change({ problem: sentence(error) });
        },
      },
    );
  }

  close(): void {
    this.isClosed = true;
  }

  /** Adds an action to the reader's move. A move that solves the task, or is complete, is an attempt. */
  async stage(action: string, board: Pick<BoardElement, "compose">): Promise<void> {
    const staged = [...this.state.staged, action];
    const move = board.compose(staged);
    await this.act(async () => {
      const { canFinish, legal } = await this.options(move);
      const isComplete = legal.length === 0;
      const after = isComplete || canFinish ? await this.played(move) : null;
      if (after !== null && (isComplete || this.solves(after))) this.judge(after);
      else this.change({ staged, legal, canFinish, mistake: "" });
    });
  }

  /** Shows why something is not possible; for a move, what the rules say. */
  async explain(tried: Blocked, board: Pick<BoardElement, "inWords">): Promise<void> {
    await this.act(async () => {
      const why = "why" in tried ? tried.why : await whyRefused(() => this.ask(tried.move), tried.move);
      if (why !== null) this.change({ mistake: board.inWords?.(why) ?? why });
    });
  }

  /** Attempts the move as it stands. */
  async finish(board: Pick<BoardElement, "compose">): Promise<void> {
    const move = board.compose(this.state.staged);
    await this.act(async () => {
      this.judge(await this.played(move));
    });
  }

  /** Takes the reader back to the position of the step. */
  readonly restart = (mistake: string): void => {
    const { start } = this;
    if (start === null) return;
    const { canFinish } = start;
    this.change({ ...START, position: start, legal: legalOf(start.legal, READER), canFinish, mistake });
  };

  private solves(after: Position): boolean {
    const { goal, accept } = this.step;
    if (goal === "win") return after.result?.winners.includes(READER) === true;
    return fits(accept ?? "", this.moveOf(after));
  }

  /** Ends an attempt: the reader goes on, or is told what was wrong and begins again. */
  private judge(after: Position): void {
    const move = this.moveOf(after);
    if (this.solves(after)) this.change({ ...START, position: after, isSolved: true });
    else this.restart(this.step.wrong.find(([pattern]) => fits(pattern, move))?.[1] ?? "");
  }

  /** The reader's own part of the last move. */
  private moveOf({ history }: Position): string {
    const last = movesOf(history).at(-1) ?? "";
    const { rest = "" } = this.step;
    return rest !== "" && last.endsWith(rest) ? last.slice(0, -rest.length) : last;
  }

  /** How a move that begins like this can go on. Where the seats act together, a move is one action. */
  private async options(staged: string): Promise<Pick<ExerciseState, "canFinish" | "legal">> {
    if ((this.start?.toAct.length ?? 0) > 1) return { canFinish: true, legal: [] };
    const { canFinish, legal } = await this.ask(staged);
    return { canFinish, legal: legalOf(legal, READER) };
  }

  private ask(staged: string): Promise<Position> {
    return getPositionAfter(this.origin, this.step.start.moves ?? [], staged);
  }

  private played(move: string): Promise<Position> {
    return getPositionAfter(this.origin, [...(this.step.start.moves ?? []), move + (this.step.rest ?? "")]);
  }

  private get origin(): Start {
    return { game: this.game, ...this.step.start };
  }

  private async act(work: () => Promise<void>): Promise<void> {
    if (this.state.isBusy || this.state.isSolved) return;
    await whileBusy(work, (part) => {
      this.change(part);
    });
  }

  private change(part: Partial<ExerciseState>): void {
    this.state = { ...this.state, ...part };
    this.onChange();
  }
}

function fits(pattern: string, move: string): boolean {
  return new RegExp(`^(?:${pattern})$`).test(move);
}
