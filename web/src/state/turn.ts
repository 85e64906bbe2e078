// What the viewer does on the board: makes the move of a turn, or, with a clock and while others move, one in advance.
// That is played when the turn comes, as far as it is legal then. Called by the game page.
import type { BoardElement } from "../boards";
import type { GameSession } from "./session";

/** A move made in advance. */
interface Premove {
  readonly staged: readonly string[];
  readonly isComplete: boolean;
  /** Number of moves played when it was made. */
  readonly ply: number;
}

const NONE: Premove = { staged: [], isComplete: false, ply: 0 };

export class Turn {
  board: BoardElement | null = null;
  private premove = NONE;

  constructor(
    private readonly session: GameSession,
    private readonly onChange: () => void,
  ) {}

  /** Whether what is picked now is for the viewer's next turn. */
  get isAhead(): boolean {
    const { position } = this.session.state.game ?? {};
    const { seat } = this.session;
    if (position?.status !== "playing" || seat === null || this.board?.premoves === undefined) return false;
    return position.clocks[seat] != null && !position.toAct.includes(seat);
  }

  get staged(): readonly string[] {
    return this.isAhead ? this.premove.staged : this.session.state.staged;
  }

  get legal(): readonly string[] {
    const { isBusy, legal } = this.session.state;
    if (isBusy) return [];
    if (!this.isAhead) return legal;
    return this.premove.isComplete ? [] : (this.board?.premoves?.(this.premove.staged) ?? []);
  }

  /** Whether the move can be finished as it is, or passed. */
  get canFinish(): boolean {
    const { staged, isComplete } = this.premove;
    return this.isAhead ? staged.length > 0 && !isComplete : this.session.state.canFinish;
  }

  act(action: string): void {
    const { board } = this;
    if (board === null) return;
    if (!this.isAhead) void this.session.stage(action, board);
    else {
      const staged = [...this.premove.staged, action];
      this.prepare(staged, board.premoves?.(staged).length === 0);
    }
  }

  /** Takes back the staged actions from an index on. */
  takeBack(from: number): void {
    if (this.isAhead) this.prepare(this.premove.staged.slice(0, from), false);
    else if (this.board !== null) this.session.takeBack(from, this.board);
  }

  finish(): void {
    if (this.isAhead) this.prepare(this.premove.staged, true);
    else if (this.board !== null) void this.session.finish(this.board);
  }

  private prepare(staged: readonly string[], isComplete: boolean): void {
    const ply = this.session.state.game?.position.ply ?? 0;
    this.premove = staged.length === 0 ? NONE : { staged, isComplete, ply };
    this.onChange();
  }

  /** Plays what was made in advance if its turn has come. Called when the board shows the position. */
  follow(): void {
    const { position } = this.session.state.game ?? {};
    if (this.premove === NONE || position === undefined) return;
    const { premove } = this;
    if (position.status !== "playing" || position.ply < premove.ply) this.premove = NONE;
    if (this.isAhead || this.session.state.isBusy || this.premove === NONE) return;
    this.premove = NONE;
    void this.play(premove);
  }

  private async play({ staged, isComplete }: Premove): Promise<void> {
    const { board, session } = this;
    if (board === null) return;
    for (const action of staged) {
      const text = board.renewed?.(action) ?? action;
      if (!session.state.legal.includes(text)) {
        session.unstage();
        return;
      }
      await session.stage(text, board);
    }
    if (isComplete && session.state.staged.length > 0) await session.finish(board);
  }
}
