// Requests about the ladder of bots.
import { call } from "./http";

export interface LadderPool {
  readonly game: string;
  readonly variant: string;
  readonly players: number;
  readonly running: number;
}

/** A rated player: a version of a bot, or a built-in level. */
export interface Rated {
  /** Null while the rating is provisional. */
  readonly rank: number | null;
  readonly player: string;
  readonly bot: string;
  readonly name: string;
  readonly rating: number;
  /** Half the width of the 95 % interval. */
  readonly error: number;
  readonly games: number;
  readonly wins: number;
  readonly draws: number;
  readonly losses: number;
  readonly void: number;
  readonly errors: number;
  readonly level: boolean;
  readonly here: boolean;
  /** The ids of its running games. */
  readonly playing: readonly string[];
  /** Why it starts no game now, if there is a reason. */
  readonly waiting: string | null;
}

export interface Ratings {
  readonly game: string;
  readonly variant: string;
  readonly players: readonly Rated[];
}

export interface Moment {
  readonly at: number;
  readonly rating: number;
  readonly error: number;
}

export interface Version extends Rated {
  readonly progress: readonly Moment[];
}

export interface Meeting {
  readonly game: string;
  readonly variant: string;
  readonly opponent: string;
  /** The bot that the opponent is a version of. */
  readonly bot: string;
  readonly name: string;
  readonly wins: number;
  readonly draws: number;
  readonly losses: number;
}

export interface RatedResult {
  readonly gameId: string;
  readonly game: string;
  readonly variant: string;
  readonly players: readonly string[];
  readonly names: readonly string[];
  /** The seat of the bot that was asked for. */
  readonly seat: number;
  /** By seat, 1 being the best; null if the game does not count. */
  readonly places: readonly number[] | null;
  readonly reason: string;
  readonly note: string | null;
  readonly lostByError: readonly number[];
  readonly endedAt: number;
}

/** Openings with the same first moves, in which a bot scores less than its rating says. */
export interface WeakOpening {
  readonly game: string;
  readonly variant: string;
  readonly moves: readonly string[];
  readonly games: number;
  readonly score: number;
  readonly expected: number;
  readonly gameId: string;
}

export type LossKind = "resignation" | "timeout" | "disconnection" | "error";

/** The games that a bot lost in one way, which the rules did not decide. */
export interface Loss {
  readonly kind: LossKind;
  readonly games: number;
  readonly medianPlies: number;
  readonly fewestPlies: number;
  readonly gameId: string;
  readonly shortestGameId: string;
}

export interface Thinking {
  readonly games: number;
  readonly moves: number;
  readonly medianMs: number;
  readonly slowestMs: number;
  readonly slowestGameId: string;
  readonly slowestPly: number;
}

export interface BotReport {
  readonly bot: string;
  readonly pools: readonly { game: string; variant: string; versions: readonly Version[] }[];
  readonly opponents: readonly Meeting[];
  /** How many of its latest games were looked at for `weakOpenings` and `losses`. */
  readonly looked: number;
  readonly weakOpenings: readonly WeakOpening[];
  readonly losses: readonly Loss[];
  readonly thinking: Thinking | null;
  readonly results: readonly RatedResult[];
}

/** A bot as the list of all bots shows it. */
export interface ListedBot {
  readonly id: string;
  readonly name: string;
  readonly game: string;
  readonly timed: boolean;
  /** Whether it plays rated games. */
  readonly ladder?: boolean;
  /** Whether it plays in tournaments; absent: it does. */
  readonly tournaments?: false;
  /** The protocol by which it is asked for its moves; absent: the bot protocol. */
  readonly protocol?: string;
  readonly level?: number;
  readonly variants: Readonly<Record<string, unknown>>;
}

export async function getPools(): Promise<readonly LadderPool[]> {
  return (await call<{ pools: readonly LadderPool[] }>("GET", "/api/ladder")).pools;
}

/** `variant` null: the one with the most players. */
export function getRatings(game: string, variant: string | null): Promise<Ratings> {
  const query = variant === null ? "" : `?${new URLSearchParams({ variant })}`;
  return call("GET", `/api/ladder/${encodeURIComponent(game)}${query}`);
}

export function getBotReport(bot: string): Promise<BotReport> {
  return call("GET", `/api/ladder/bots/${encodeURIComponent(bot)}`);
}

/** All bots that can be played against now, of all games. */
export async function getAllBots(): Promise<readonly ListedBot[]> {
  return (await call<{ bots: readonly ListedBot[] }>("GET", "/api/bots?game=all")).bots;
}
