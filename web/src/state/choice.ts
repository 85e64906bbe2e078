// What is chosen on the page for a new game, and the request that it becomes. Pure.
import type { Board, Bot, GameRules, NewGame } from "../api/shapes";

export type Opponent = "engine" | "bot" | "friend";

export interface Choice {
  readonly opponent: Opponent;
  /** Id of a bot; empty: the first that plays this board. */
  readonly botId: string;
  readonly variant: string;
  /** Null in games without a choice of boards. */
  readonly board: Board | null;
  /** The own seat. */
  readonly seat: number;
}

/** The client id of the built-in bots. */
const HOUSE = "plyhouse";

export function firstChoice({ variants: [variant = ""], about }: GameRules): Choice {
  const { boardWidth, boardHeight } = about;
  const board =
    boardWidth && boardHeight ? { boardWidth: boardWidth.default, boardHeight: boardHeight.default } : null;
  return { opponent: "engine", botId: "", variant, board, seat: 0 };
}

/** The board that will be played on: some variants leave no choice. */
export function boardOf({ about }: GameRules, { variant, board }: Choice): Board | null {
  return about.fixedBoards?.[variant] ?? board;
}

/** Whether the same bots play both. */
export function isSameBoard(one: Choice, other: Choice): boolean {
  return (
    one.variant === other.variant &&
    one.board?.boardWidth === other.board?.boardWidth &&
    one.board?.boardHeight === other.board?.boardHeight
  );
}

/** Which limit the board breaks, as a sentence; null if it is fine. */
export function boardProblem(rules: GameRules, choice: Choice): string | null {
  const board = boardOf(rules, choice);
  for (const [name, member] of [
    ["columns", "boardWidth"],
    ["rows", "boardHeight"],
  ] as const) {
    const limits = rules.about[member];
    if (board === null || limits === undefined) continue;
    const { min, max } = limits;
    const size = board[member];
    if (!Number.isInteger(size) || size < min || size > max) return `A board has ${min} to ${max} ${name}.`;
  }
  return null;
}

/** The bots of one kind of opponent; a friend is none. */
export function botsFor(opponent: Opponent, bots: readonly Bot[]): readonly Bot[] {
  return opponent === "friend"
    ? []
    : bots.filter(({ clientId }) => (clientId === HOUSE) === (opponent === "engine"));
}

export function wishFor(rules: GameRules, choice: Choice, botId: string): NewGame {
  const own = { kind: "human" } as const;
  const other =
    choice.opponent === "friend" ? ({ kind: "open" } as const) : ({ kind: "bot", bot: botId } as const);
  return {
    game: rules.game,
    variant: choice.variant,
    config: { ...boardOf(rules, choice) },
    seats: choice.seat === 0 ? [own, other] : [other, own],
  };
}
