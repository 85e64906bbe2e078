// The mistakes of a seat, asked again one after the other: an answer is good if the engine judges it as no mistake.
// The page reads the members and calls the methods, which never throw.
import * as texts from "#texts/mistakes";
import { analyseLastMove, type Played } from "../api/analysis";
import { sentence } from "../api/http";
import type { Position } from "../api/shapes";
import { frameOf, isKnownGood, partOf, type Mistake } from "./mistakes";
import { historyUntil, movesOf } from "./moves";
import { OwnMove, type MadeMove } from "./own-move";

/** `refused`: the engine could not judge the answer, which can be tried again. `shown`: the player gave up. */
export type MistakePhase = "asking" | "judging" | "good" | "wrong" | "refused" | "shown";

/** The game that is learnt from, and how deeply answers are searched. */
export interface LearntGame {
  readonly game: string;
  readonly variant: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly history: readonly string[];
  readonly samples: number;
}

export class MistakeSession {
  phase: MistakePhase = "asking";
  own: OwnMove;
  /** The answer that was made last. */
  answer: MadeMove | null = null;
  /** What the engine says about it; null if nothing, or if it is known to be as good as the best one. */
  played: Played | null = null;
  /** Why it could not be judged. */
  problem = "";
  /** Of the mistakes, the one that is asked. */
  number = 0;
  /** How many were answered well at the first attempt. */
  found = 0;
  private isFirst = true;
  private isClosed = false;

  constructor(
    private readonly learnt: LearntGame,
    readonly mistakes: readonly Mistake[],
    private readonly onChange: () => void,
  ) {
    this.own = this.asking();
  }

  get mistake(): Mistake {
    const mistake = this.mistakes[this.number];
    if (mistake === undefined) throw new RangeError(`There is no mistake ${this.number}.`);
    return mistake;
  }

  get isLast(): boolean {
    return this.number + 1 === this.mistakes.length;
  }

  /** The best move of the seat in the position that is asked about. */
  get best(): string {
    const { before, seat } = this.mistake;
    return partOf(before.bestMove, before.toAct, seat);
  }

  /** The position on the board: after an answer, the one that it leads to. */
  get shown(): Position | null {
    const { phase, own, answer } = this;
    return phase === "asking" || phase === "shown" ? own.position : (answer?.after ?? own.position);
  }

  open(): Promise<void> {
    return this.own.open();
  }

  close(): void {
    this.isClosed = true;
    this.own.close();
  }

  readonly next = (): void => {
    if (this.isLast) return;
    this.number++;
    this.isFirst = true;
    this.clear("asking");
    this.own.close();
    this.own = this.asking();
    void this.open();
  };

  readonly tryAgain = (): void => {
    this.clear("asking");
    this.own.unstage();
  };

  readonly giveUp = (): void => {
    this.isFirst = false;
    this.clear("shown");
    this.own.unstage();
  };

  /** Has the answer judged that could not be before. */
  readonly judgeAgain = (): void => {
    if (this.phase === "refused" && this.answer !== null) void this.judge(this.answer);
  };

  private asking(): OwnMove {
    const { mistake, learnt } = this;
    const asked = {
      start: learnt,
      moves: historyUntil(learnt.history, mistake.ply),
      seat: mistake.seat,
      frameIn: (position: Position) => frameOf(mistake, position),
    };
    return new OwnMove(asked, (made) => this.judge(made), this.onChange);
  }

  private async judge(made: MadeMove): Promise<void> {
    const { mistake, number } = this;
    this.clear("judging");
    this.answer = made;
    if (made.move === mistake.move) this.end("wrong", mistake.played);
    else if (isKnownGood(mistake, made.move)) this.end("good", null);
    else {
      this.onChange();
      try {
        const played = await this.judged(made);
        if (this.isClosed || this.number !== number) return;
        this.end(played.judgement === null ? "good" : "wrong", played);
      } catch (error) {
        this.problem = sentence(error);
        this.end("refused", null);
      }
    }
  }

  private async judged({ move }: MadeMove): Promise<Played> {
    const { learnt, mistake, own } = this;
    const [before, behind] = own.frame ?? ["", ""];
    const moves = [...own.asked.moves, before + move + behind];
    const effort = { samples: learnt.samples };
    const studied = await analyseLastMove(learnt, moves, movesOf(moves).length, effort);
    const played = studied?.played.find(({ seat }) => seat === mistake.seat);
    if (played === undefined) throw new Error(texts.engineStopped);
    return played;
  }

  private end(phase: "good" | "wrong" | "refused", played: Played | null): void {
    this.played = played;
    this.phase = phase;
    if (phase === "good" && this.isFirst) this.found++;
    if (phase !== "refused") this.isFirst = false;
    this.onChange();
  }

  private clear(phase: MistakePhase): void {
    this.phase = phase;
    this.answer = null;
    this.played = null;
    this.problem = "";
  }
}
