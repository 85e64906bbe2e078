// The choices for a new game, and the request made from them. Pure.
import * as texts from "#texts/choice";
import type { Assistance, Board, Bot, GameRules, NewGame, TimeControl } from "../api/shapes";

/** `friend`: anyone with the link. `anybody`: anyone who finds the game in the lobby. */
export type Opponent = "engine" | "bot" | "friend" | "anybody";

export interface Choice {
  readonly opponent: Opponent;
  /** Id of a bot; empty for the first one that plays this board. */
  readonly botId: string;
  readonly variant: string;
  /** Null in games without a choice of boards. */
  readonly board: Board | null;
  /** The player's seat. */
  readonly seat: number;
  /** Null for the default for the opponent. */
  readonly assistance: Assistance | null;
  /** Key of a row of `CLOCKS`, `OWN_CLOCK` or `MOVE_CLOCK`. */
  readonly clock: string;
  /** The fields of a custom time control. */
  readonly ownClock: OwnClock;
  /** The field of `MOVE_CLOCK`. */
  readonly moveSeconds: number;
  /** In games for more than two: everybody else in the order of their seats, each the id of a bot or `OPEN_SEAT`. */
  readonly others: readonly string[] | null;
}

/** Somebody can join: whoever gets the link or, if the opponent is `anybody`, finds the game in the lobby. */
export const OPEN_SEAT = "open";

export interface OwnClock {
  readonly minutes: number;
  readonly increment: number;
}

interface ClockRow {
  readonly key: string;
  readonly label: string;
  readonly control: TimeControl | null;
}

/** The time controls to choose from, in order. */
export const CLOCKS: readonly ClockRow[] = [
  { key: "none", label: texts.clocks.none, control: null },
  {
    key: "bullet",
    label: texts.clocks.bullet,
    control: { initialSeconds: 60, incrementSeconds: 0, preset: "bullet" },
  },
  {
    key: "blitz",
    label: texts.clocks.blitz,
    control: { initialSeconds: 180, incrementSeconds: 2, preset: "blitz" },
  },
  {
    key: "rapid",
    label: texts.clocks.rapid,
    control: { initialSeconds: 600, incrementSeconds: 2, preset: "rapid" },
  },
  {
    key: "classical",
    label: texts.clocks.classical,
    control: { initialSeconds: 1800, incrementSeconds: 0, preset: "classical" },
  },
];

export const OWN_CLOCK = "own";

/** A time for each move, for games with a move for players who are late. */
export const MOVE_CLOCK = "move";

/** Limits of a custom time control. */
export const MINUTES = { min: 0.5, max: 60 } as const;
export const INCREMENT = { min: 0, max: 60 } as const;

/** Limits of the time for each move. */
export const MOVE_SECONDS = { min: 0.1, max: 3600 } as const;

/** The client id of the built-in bots. */
const HOUSE = "plyhouse";

/** The opponent of players who choose none. */
const USUAL_BOT = `${HOUSE}:easy`;

/** The built-in bots by strength, weakest first, then the others. */
export function inOrder(bots: readonly Bot[]): readonly Bot[] {
  const rank = ({ level }: Bot): number => level ?? bots.length + 1;
  return bots.toSorted((one, other) => rank(one) - rank(other));
}

export function firstChoice({ variants: [variant = ""], about, seats = TWO }: GameRules): Choice {
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
    moveSeconds: 10,
    others: isForMany(seats) ? Array.from({ length: seats[0] - 1 }, () => "") : null,
  };
}

const TWO = [2, 2] as const;

/** Whether games can have more than two seats. */
export function isForMany([, most]: readonly [number, number] = TWO): boolean {
  return most > 2;
}

/** The same choice with so many seats. */
export function withSeats(choice: Choice, count: number): Choice {
  const before = choice.others ?? [];
  const others = Array.from({ length: count - 1 }, (_, index) => before[index] ?? before.at(-1) ?? "");
  return { ...choice, others, seat: Math.min(choice.seat, count - 1) };
}

/** The same choice without bots that are not offered: the first one that is takes their seats. */
export function withOffered(choice: Choice, bots: readonly Bot[]): Choice {
  const isOffered = (other: string): boolean => other === OPEN_SEAT || bots.some(({ id }) => id === other);
  return { ...choice, others: choice.others?.map((other) => (isOffered(other) ? other : "")) ?? null };
}

/** Whether people can join the game. */
export function isAwaited({ opponent, others }: Choice): boolean {
  return others === null ? isPerson(opponent) : others.includes(OPEN_SEAT);
}

/** The board to play on: some variants have only one. */
export function boardOf({ about }: GameRules, { variant, board }: Choice): Board | null {
  return about.fixedBoards?.[variant] ?? board;
}

/** Whether both choices have the same variant and board, and so the same bots. */
export function isSameBoard(one: Choice, other: Choice): boolean {
  return (
    one.variant === other.variant &&
    one.board?.boardWidth === other.board?.boardWidth &&
    one.board?.boardHeight === other.board?.boardHeight
  );
}

/** Which limit the board exceeds, as a sentence; null if none. */
export function boardProblem(rules: GameRules, choice: Choice): string | null {
  const board = boardOf(rules, choice);
  for (const [choose, member] of [
    [texts.chooseColumns, "boardWidth"],
    [texts.chooseRows, "boardHeight"],
  ] as const) {
    const limits = rules.about[member];
    if (board === null || limits === undefined) continue;
    const { min, max } = limits;
    const size = board[member];
    if (!Number.isInteger(size) || size < min || size > max) return choose(min, max);
  }
  return null;
}

/** The bot where none was chosen for a seat: the chosen opponent if it plays this board, else an easy one. */
export function chosenBot(choice: Choice, bots: readonly Bot[]): string {
  const offered = botsFor(choice.others === null ? choice.opponent : "engine", bots);
  const named = (wanted: string): Bot | undefined => offered.find(({ id }) => id === wanted);
  return (named(choice.botId) ?? named(USUAL_BOT) ?? offered[0])?.id ?? "";
}

/** Whether all bots in the seats play with a clock. */
export function hasClock(choice: Choice, bots: readonly Bot[]): boolean {
  const seated = othersOf(choice, chosenBot(choice, bots)).map(({ bot }) => bot);
  return bots.every(({ id, timed }) => timed || !seated.includes(id));
}

/** Which limit the time control exceeds, as a sentence; null if none. */
export function clockProblem(choice: Choice, bots: readonly Bot[]): string | null {
  if (!hasClock(choice, bots)) return null;
  if (choice.clock === MOVE_CLOCK) return moveTimeProblem(choice.moveSeconds);
  return choice.clock === OWN_CLOCK ? ownClockProblem(choice.ownClock) : null;
}

function moveTimeProblem(seconds: number): string | null {
  const { min, max } = MOVE_SECONDS;
  return seconds >= min && seconds <= max ? null : texts.chooseMoveSeconds(min, max);
}

function ownClockProblem({ minutes, increment }: OwnClock): string | null {
  if (!(minutes >= MINUTES.min && minutes <= MINUTES.max))
    return texts.chooseMinutes(MINUTES.min, MINUTES.max);
  if (!Number.isInteger(increment) || increment < INCREMENT.min || increment > INCREMENT.max)
    return texts.chooseIncrement(INCREMENT.min, INCREMENT.max);
  return null;
}

function controlOf(choice: Choice, bots: readonly Bot[]): TimeControl | null {
  if (!hasClock(choice, bots)) return null;
  const { minutes, increment } = choice.ownClock;
  if (choice.clock === OWN_CLOCK)
    return { initialSeconds: Math.round(minutes * 60), incrementSeconds: increment };
  if (choice.clock === MOVE_CLOCK)
    return { initialSeconds: 0, incrementSeconds: 0, moveMs: Math.round(choice.moveSeconds * 1000) };
  return CLOCKS.find(({ key }) => key === choice.clock)?.control ?? null;
}

/** The bots of one kind of opponent; none if it is a person. */
export function botsFor(opponent: Opponent, bots: readonly Bot[]): readonly Bot[] {
  return isPerson(opponent)
    ? []
    : bots.filter(({ clientId }) => (clientId === HOUSE) === (opponent === "engine"));
}

export function isPerson(opponent: Opponent): boolean {
  return opponent === "friend" || opponent === "anybody";
}

/** Games between people are played without engine evaluations, unless chosen otherwise. */
export function assistanceOf(choice: Choice): Assistance {
  return choice.assistance ?? (isAwaited(choice) ? "none" : "open");
}

function isListed(choice: Choice): boolean {
  return choice.opponent === "anybody" && isAwaited(choice);
}

/** The seats besides the own one. `botId`: the bot where none was chosen. */
function othersOf({ opponent, others }: Choice, botId: string): NewGame["seats"] {
  const chosen = others ?? [isPerson(opponent) ? OPEN_SEAT : botId];
  return chosen.map((other) =>
    other === OPEN_SEAT ? { kind: "open" } : { kind: "bot", bot: other === "" ? botId : other },
  );
}

/** The request for the chosen game; `bots` play this board, and `name` is the player's and may be empty. */
export function requestFor(rules: GameRules, choice: Choice, bots: readonly Bot[], name: string): NewGame {
  const own = { kind: "human", ...(name === "" ? {} : { name }) } as const;
  const others = othersOf(choice, chosenBot(choice, bots));
  const control = controlOf(choice, bots);
  return {
    game: rules.game,
    variant: choice.variant,
    config: { ...boardOf(rules, choice) },
    seats: [...others.slice(0, choice.seat), own, ...others.slice(choice.seat)],
    assistance: assistanceOf(choice),
    ...(control === null ? {} : { timeControl: control }),
    ...(isListed(choice) ? { listed: true } : {}),
  };
}
