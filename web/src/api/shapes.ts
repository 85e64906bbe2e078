// The members of requests and answers that the page uses. Types only; `client.ts` fetches them.

export interface Result {
  /** Seats; empty for a draw. */
  readonly winners: readonly number[];
  readonly reason: string;
  /** The loser's message. */
  readonly note?: string;
}

/** Whether evaluations of a running game are available. */
export type Assistance = "open" | "none";

/** The probability of each move of a seat, where seats move together. */
export type Policy = Readonly<Record<string, number>>;

/** A position of a game. Seats count from 0 in turn order. */
export interface Position {
  readonly ply: number;
  /** Seats that have to move now. */
  readonly toAct: readonly number[];
  /** The seats that have not moved, once others have made their part of a simultaneous move. */
  readonly pending?: readonly number[];
  readonly status: "open" | "playing" | "finished" | "aborted";
  readonly result?: Result;
  /** The board, in a form that only the game's own board element understands. */
  readonly view: unknown;
  /** By seat, of those still to move, where the seats act together. */
  readonly legal: readonly string[] | Readonly<Record<string, readonly string[]>>;
  /** Whether the staged beginning of a move, or an empty move, is a complete move. */
  readonly canFinish: boolean;
  readonly history: readonly string[];
  /** In frames of long games: the number of moves before those in `history`. */
  readonly historyFrom?: number;
  /** Milliseconds left per seat; null without a clock. */
  readonly clocks: readonly (number | null)[];
  /** The seats whose clocks run, in games with clocks. */
  readonly running?: readonly number[];
}

export interface Seat {
  readonly seat: number;
  readonly kind: "human" | "bot" | "open";
  readonly name?: string;
  /** The protocol by which an engine plays the seat, such as `uhp`. */
  readonly via?: string;
  /** Only in the answer to the creator of the game. */
  readonly token?: string;
  readonly inviteUrl?: string;
}

export interface Game {
  readonly gameId: string;
  readonly game: string;
  readonly variant: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly seats: readonly Seat[];
  readonly assistance: Assistance;
  /** Whether the creator chose the seed, and with it what the players draw. */
  readonly hostKnowsOrder?: boolean;
  readonly position: Position;
  /** The seat of the token that was sent; null for spectators. */
  readonly seatIndex: number | null;
  readonly matchStatus?: Snapshot;
}

/** Presence, score and time control. */
export interface Snapshot {
  /** How the players came together: `tournament`, for example. */
  readonly matchType?: string;
  /** The tournament that the game belongs to. */
  readonly tournamentId?: string;
  /** When something last happened in the game. */
  readonly updatedAt?: number;
  readonly config?: { readonly timeControl?: TimeControl };
  /** `evaluation`: whether the player is shown evaluations of the game. */
  readonly players: readonly { readonly connected: boolean; readonly evaluation?: boolean }[];
  /** Points over this game and those it is a rematch of, by the number of the player (from 1). */
  readonly matchScore?: Readonly<Record<string, number>>;
}

/** A newly created game, with the tokens of its seats. */
export type Created = Omit<Game, "seatIndex">;

export interface Joined {
  readonly gameId: string;
  readonly seatIndex: number;
  readonly token: string;
}

/** The rematch of a game, with the token of the player's seat. */
export interface NextGame {
  readonly gameId: string;
  readonly token: string;
}

export interface Limits {
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

/** A row of `GET /api/rules`. Members that do not apply to a game are absent from its `about`. */
export interface GameRules {
  readonly game: string;
  /** Default first. */
  readonly variants: readonly string[];
  /** The fewest and the most. */
  readonly seats?: readonly [number, number];
  /** The formats in which trees of variations can be written, besides JSON. */
  readonly variationFormats?: readonly string[];
  readonly about: {
    readonly title?: string;
    /** What the game is, in a sentence. */
    readonly sentence?: string;
    /** The names of variants that differ from those in requests. */
    readonly variantTitles?: Readonly<Record<string, string>>;
    /** How moves are written. */
    readonly notation?: string;
    readonly notes?: readonly string[];
    /** The names of the seats, in order. */
    readonly seats?: readonly string[];
    /** Whether a turn consists of a move of each seat, made without knowing those of the others. */
    readonly simultaneous?: boolean;
    /** The usual samples of an evaluation, if the game has a number of its own. */
    readonly samples?: { readonly evaluation?: number };
    /** The move that the server makes for a seat whose time for a move has run out. */
    readonly lateMove?: string;
    readonly boardWidth?: Limits;
    readonly boardHeight?: Limits;
    /** The board of each variant that has only one. */
    readonly fixedBoards?: Readonly<Record<string, Board>>;
    /** A sentence about each variant. */
    readonly variants?: Readonly<Record<string, string>>;
    /** The end of a sentence such as "You win by capture." for each reason for a result. */
    readonly reasons?: Readonly<Record<string, string>>;
    /** The same for the reasons that have another meaning in a variant. */
    readonly variantReasons?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
}

export interface Board {
  readonly boardWidth: number;
  readonly boardHeight: number;
}

export interface Bot {
  readonly id: string;
  readonly clientId: string;
  readonly name: string;
  /** Whether it plays with a clock. */
  readonly timed: boolean;
  /** The protocol by which it is asked for its moves; absent: the bot protocol. */
  readonly protocol?: string;
  /** Whether it analyses positions for anybody; absent: no. */
  readonly analyses?: boolean;
  /** The strength of a built-in bot, 1 for the weakest; absent for others. */
  readonly level?: number;
  /** A sentence for players; of built-in bots only. */
  readonly about?: string;
}

export interface NewGame {
  readonly game: string;
  readonly variant: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly seats: readonly { kind: "human" | "bot" | "open"; bot?: string; name?: string }[];
  readonly timeControl?: TimeControl;
  /** Whether the lobby shows the game. */
  readonly listed?: boolean;
  readonly assistance: Assistance;
}

/** Time for the whole game, and the increment per move; or a time for each move, after which the game goes on. */
export interface TimeControl {
  readonly initialSeconds: number;
  readonly incrementSeconds: number;
  readonly moveMs?: number;
  readonly preset?: string;
}

/** What the lists of games have in common. */
interface ListedRow extends Partial<Board> {
  readonly game: string;
  readonly variant: string;
  readonly seats: readonly Seat[];
  readonly assistance?: Assistance;
}

/** A live game, as sent by `/ws/live-games` with extensions. */
export interface LiveGame extends ListedRow {
  readonly id: string;
  readonly moveCount: number;
  readonly lastMoveAt: number;
  readonly spectatorCount: number;
}

/** A game that anyone can join. */
export interface WaitingGame extends Omit<ListedRow, keyof Board> {
  readonly id: string;
  readonly config: Partial<Board> & { readonly timeControl?: TimeControl };
  readonly createdAt: number;
}

/** A finished game. */
export interface PastGame extends ListedRow {
  /** Whether it was imported from a record. */
  readonly imported?: boolean;
  readonly gameId: string;
  readonly ply: number;
  readonly result?: Result;
  readonly updatedAt: number;
}
