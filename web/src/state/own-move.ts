// A position in which one seat is asked for a move, and the move that is being made there. The server knows the rules.
// Its owner reads the members and calls the methods, which never throw: errors are in `problem`.
import { ApiError, sentence, whyRefused } from "../api/http";
import { getPositionAfter, type Start } from "../api/positions";
import type { Position } from "../api/shapes";
import type { Blocked, BoardElement } from "../boards";
import { retryWhileWanted } from "../net/retry";
import { whileBusy } from "./busy";
import { legalOf, movesOf } from "./moves";

export interface AskedPosition {
  readonly start: Start;
  /** Lead to the position. */
  readonly moves: readonly string[];
  readonly seat: number;
  /** What stands before and after the seat's move in a record, such as another seat's part; null if nobody knows. */
  readonly frameIn: (position: Position) => Frame | null;
}

export type Frame = readonly [before: string, after: string];

/** A whole move of the seat, in canonical notation, and the position after it; null if nobody knows it. */
export interface MadeMove {
  readonly move: string;
  readonly after: Position | null;
}

type Composer = Pick<BoardElement, "compose">;

export class OwnMove {
  /** Null until the first answer. */
  position: Position | null = null;
  staged: readonly string[] = [];
  legal: readonly string[] = [];
  canFinish = false;
  isBusy = false;
  problem = "";
  private isClosed = false;

  /** `onMove` is called with each whole move; the board waits for it. */
  constructor(
    readonly asked: AskedPosition,
    private readonly onMove: (made: MadeMove) => Promise<void> | void,
    private readonly onChange: () => void,
  ) {}

  async open(): Promise<void> {
    await retryWhileWanted(
      async () => {
        this.position = await this.ask("");
        this.unstage();
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

  /** Adds an action to the move; a whole move is made. */
  async stage(action: string, board: Composer): Promise<void> {
    const staged = [...this.staged, action];
    await this.act(async () => {
      const move = board.compose(staged);
      if (this.isSimultaneous) {
        await this.make(move);
        return;
      }
      const { legal, canFinish } = await this.ask(move);
      const own = legalOf(legal, this.asked.seat);
      if (own.length === 0) await this.make(move);
      else this.change({ staged, legal: own, canFinish });
    });
  }

  /** Makes the move as it stands. */
  async finish(board: Composer): Promise<void> {
    await this.act(() => this.make(board.compose(this.staged)));
  }

  /** Drops what is staged. */
  readonly unstage = (): void => {
    const { position, asked } = this;
    if (position === null) return;
    const { canFinish, legal } = position;
    this.change({ staged: [], canFinish, legal: legalOf(legal, asked.seat), problem: "" });
  };

  /** Says why something is not possible; for a move, what the rules say. */
  async explain(tried: Blocked, board: Pick<BoardElement, "inWords">): Promise<void> {
    await this.act(async () => {
      const why = "why" in tried ? tried.why : await whyRefused(() => this.ask(tried.move), tried.move);
      if (why !== null) this.change({ problem: board.inWords?.(why) ?? why });
    });
  }

  get frame(): Frame | null {
    return this.position === null ? null : this.asked.frameIn(this.position);
  }

  private get isSimultaneous(): boolean {
    return (this.position?.toAct.length ?? 0) > 1;
  }

  private async make(move: string): Promise<void> {
    await this.onMove(await this.made(move));
  }

  private async made(move: string): Promise<MadeMove> {
    const { moves } = this.asked;
    const { frame } = this;
    if (frame === null) return { move, after: null };
    const [before, behind] = frame;
    const after = await this.after([...moves, before + move + behind]);
    if (after === null) return { move, after };
    const recorded = movesOf(after.history).at(-1) ?? "";
    return { move: recorded.slice(before.length, recorded.length - behind.length), after };
  }

  /** Null if a legal move cannot reveal what another one did. */
  private async after(moves: readonly string[]): Promise<Position | null> {
    try {
      return await getPositionAfter(this.asked.start, moves);
    } catch (error) {
      const mayReveal = this.frame?.[1] !== "";
      if (mayReveal && error instanceof ApiError && error.code === "illegal-move") return null;
      throw error;
    }
  }

  private ask(staged: string): Promise<Position> {
    return getPositionAfter(this.asked.start, this.asked.moves, staged);
  }

  private async act(work: () => Promise<void>): Promise<void> {
    if (this.isBusy) return;
    await whileBusy(work, (part) => {
      this.change(part);
    });
  }

  private change(
    part: Partial<Pick<OwnMove, "staged" | "legal" | "canFinish" | "isBusy" | "problem">>,
  ): void {
    Object.assign(this, part);
    if (!this.isClosed) this.onChange();
  }
}
