// What is chosen on the page for a new game, and the request that it becomes. Pure.
import type { Assistance, Board, Bot, GameRules, NewGame, TimeControl } from "../api/shapes";

/** `friend`: whoever gets the link. `anybody`: whoever finds the game in the lobby. */
export type Opponent = "engine" | "bot" | "friend" | "anybody";

export interface Choice {
  readonly opponent: Opponent;
  /** Id of a bot; empty: the first that plays this board. */
  readonly botId: string;
  readonly variant: string;
  /** Null in games without a choice of boards. */
  readonly board: Board | null;
  /** The own seat. */
  readonly seat: number;
  /** Null: what is usual for the opponent. */
  readonly assistance: Assistance | null;
  /** Key of a row of `CLOCKS`, or `OWN_CLOCK`. */
  readonly clock: string;
  /** What the fields of an own time control say. */
  readonly ownClock: OwnClock;
}

export interface OwnClock {
  readonly minutes: number;
  readonly increment: number;
}

interface ClockRow {
  readonly key: string;
  readonly label: string;
  readonly control: TimeControl | null;
}

/** The time controls to choose from, in their order. */
export const CLOCKS: readonly ClockRow[] = [
  { key: "none", label: "No clock", control: null },
  {
    key: "bullet",
    label: "1 minute",
    control: { initialSeconds: 60, incrementSeconds: 0, preset: "bullet" },
  },
  {
    key: "blitz",
    label: "3 minutes + 2 s a move",
    control: { initialSeconds: 180, incrementSeconds: 2, preset: "blitz" },
  },
  {
    key: "rapid",
    label: "10 minutes + 2 s a move",
    control: { initialSeconds: 600, incrementSeconds: 2, preset: "rapid" },
  },
  {
    key: "classical",
    label: "30 minutes",
    control: { initialSeconds: 1800, incrementSeconds: 0, preset: "classical" },
  },
];

export const OWN_CLOCK = "own";

/** Limits of an own time control. */
export const MINUTES = { min: 0.5, max: 60 } as const;
export const INCREMENT = { min: 0, max: 60 } as const;

/** The client id of the built-in bots. */
const HOUSE = "plyhouse";

export function firstChoice({ variants: [variant = ""], about }: GameRules): Choice {
  const { boardWidth, boardHeight } = about;
  const board =
    boardWidth && boardHeight ? { boardWidth: boardWidth.default, boardHeight: boardHeight.default } : null;
  return {
    opponent: "engine",
    botId: "",
    variant,
    board,
    seat: 0,
    assistance: null,
    clock: "none",
    ownClock: { minutes: 5, increment: 3 },
  };
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

/** Attached bots play without a clock. */
export function hasClock({ opponent }: Choice): boolean {
  return opponent !== "bot";
}

/** Which limit the time control breaks, as a sentence; null if it is fine. */
export function clockProblem(choice: Choice): string | null {
  if (!hasClock(choice) || choice.clock !== OWN_CLOCK) return null;
  const { minutes, increment } = choice.ownClock;
  if (!(minutes >= MINUTES.min && minutes <= MINUTES.max))
    return `A clock has ${MINUTES.min} to ${MINUTES.max} minutes.`;
  if (!Number.isInteger(increment) || increment < INCREMENT.min || increment > INCREMENT.max)
    return `A move adds ${INCREMENT.min} to ${INCREMENT.max} whole seconds.`;
  return null;
}

function controlOf(choice: Choice): TimeControl | null {
  if (!hasClock(choice)) return null;
  const { minutes, increment } = choice.ownClock;
  if (choice.clock === OWN_CLOCK)
    return { initialSeconds: Math.round(minutes * 60), incrementSeconds: increment };
  return CLOCKS.find(({ key }) => key === choice.clock)?.control ?? null;
}

/** The bots of one kind of opponent; people are none. */
export function botsFor(opponent: Opponent, bots: readonly Bot[]): readonly Bot[] {
  return isPerson(opponent)
    ? []
    : bots.filter(({ clientId }) => (clientId === HOUSE) === (opponent === "engine"));
}

export function isPerson(opponent: Opponent): boolean {
  return opponent === "friend" || opponent === "anybody";
}

/** Strangers meet without the engine, unless they wish otherwise. */
export function assistanceOf({ assistance, opponent }: Choice): Assistance {
  return assistance ?? (opponent === "anybody" ? "none" : "open");
}

/** `name`: what the player wants to be called; may be empty. */
export function wishFor(rules: GameRules, choice: Choice, botId: string, name: string): NewGame {
  const own = { kind: "human", ...(name === "" ? {} : { name }) } as const;
  const other = isPerson(choice.opponent)
    ? ({ kind: "open" } as const)
    : ({ kind: "bot", bot: botId } as const);
  const control = controlOf(choice);
  return {
    game: rules.game,
    variant: choice.variant,
    config: { ...boardOf(rules, choice) },
    seats: choice.seat === 0 ? [own, other] : [other, own],
    assistance: assistanceOf(choice),
    ...(control === null ? {} : { timeControl: control }),
    ...(choice.opponent === "anybody" ? { listed: true } : {}),
  };
}
