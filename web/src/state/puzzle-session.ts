// One puzzle: its solver's moves are compared with the solution, and the other seat answers as in the solution.
// The page reads the members and calls the methods, which never throw.
import { analysePosition, type Studied } from "../api/analysis";
import type { Start } from "../api/positions";
import type { Puzzle } from "../api/puzzles";
import type { Position } from "../api/shapes";
import { movesOf } from "./moves";
import { OwnMove, type Frame, type MadeMove } from "./own-move";
import { keepResult } from "./puzzle-results";

/** `wrong`: the last move was not the best one, and the board shows what it leads to. `shown`: the solver gave up. */
export type PuzzlePhase = "asking" | "wrong" | "solved" | "shown";

/** A wrong move, and what the engine answers; null until it has, or if it cannot. */
export interface WrongMove extends MadeMove {
  readonly studied: Studied | null;
}

export class PuzzleSession {
  phase: PuzzlePhase = "asking";
  own: OwnMove;
  wrong: WrongMove | null = null;
  /** The position after the last move of the solution, once it has been made. */
  private final: Position | null = null;
  /** Of the solution, the moves that have been made. */
  private made = 0;
  /** Whether the first result has been noted. */
  private isCounted = false;
  private isClosed = false;

  constructor(
    readonly puzzle: Puzzle,
    private readonly isSimultaneous: boolean,
    private readonly onChange: () => void,
  ) {
    this.own = this.asking();
  }

  open(): Promise<void> {
    return this.own.open();
  }

  close(): void {
    this.isClosed = true;
    this.own.close();
  }

  /** How many moves of the seat have been found, and how many the solution has. */
  get progress(): readonly [found: number, all: number] {
    return [Math.ceil(this.made / 2), Math.ceil(this.puzzle.solution.length / 2)];
  }

  /** The move that is asked for, or was found last. */
  get best(): string {
    const { solution } = this.puzzle;
    return solution[Math.min(this.made, solution.length - 1)] ?? "";
  }

  /** The position on the board. */
  get shown(): Position | null {
    if (this.phase === "wrong") return this.wrong?.after ?? this.own.position;
    return this.final ?? this.own.position;
  }

  /** The move to point out: the best one once it is known, or the answer to a wrong one. */
  get hint(): string | null {
    const answer = this.wrong?.studied?.bestMove ?? "";
    if (this.phase === "wrong") return answer === "" ? null : answer;
    return this.phase === "asking" || this.final !== null ? null : this.best;
  }

  /** The moves that lead to the position that is asked about. */
  get moves(): readonly string[] {
    return this.own.asked.moves;
  }

  private get start(): Start {
    const { game, variant, config } = this.puzzle;
    return { game, variant, config };
  }

  readonly tryAgain = (): void => {
    this.wrong = null;
    this.phase = "asking";
    this.own.unstage();
  };

  readonly giveUp = (): void => {
    this.count(false);
    this.wrong = null;
    this.phase = "shown";
    this.own.unstage();
  };

  private asking(): OwnMove {
    const { puzzle, made } = this;
    const moves = [...puzzle.moves, ...puzzle.solution.slice(0, made)];
    const frame: Frame | null = this.isSimultaneous ? null : ["", puzzle.tail];
    const asked = { start: this.start, moves, seat: puzzle.seat, frameIn: () => frame };
    return new OwnMove(asked, (one) => this.judge(one), this.onChange);
  }

  private async judge(one: MadeMove): Promise<void> {
    const hasWon = one.after?.result?.winners.includes(this.puzzle.seat) === true;
    if (one.move === this.best || hasWon) await this.goOn(one, hasWon);
    else {
      this.count(false);
      this.wrong = { ...one, studied: null };
      this.phase = "wrong";
      this.onChange();
      void this.refute(one);
    }
  }

  private async goOn({ after }: MadeMove, hasWon: boolean): Promise<void> {
    const { solution } = this.puzzle;
    if (hasWon || this.made + 1 >= solution.length) {
      this.count(true);
      this.final = after;
      this.made = solution.length;
      this.phase = "solved";
      this.onChange();
      return;
    }
    this.made += 2;
    this.own.close();
    this.own = this.asking();
    await this.own.open();
  }

  /** Asks the engine for the answer to a wrong move. Without one, the page says less. */
  private async refute({ move, after }: MadeMove): Promise<void> {
    if (after === null || after.status === "finished") return;
    const moves = [...this.moves, move + this.puzzle.tail];
    try {
      const studied = await analysePosition(this.start, moves, movesOf(moves).length, {});
      if (this.isClosed || this.wrong?.move !== move) return;
      this.wrong = { move, after, studied };
      this.onChange();
    } catch {
      // The engine is busy: that the move is wrong has been said.
    }
  }

  private count(isSolved: boolean): void {
    if (this.isCounted) return;
    this.isCounted = true;
    keepResult(this.puzzle.game, this.puzzle.id, isSolved);
  }
}
