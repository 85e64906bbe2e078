// What the server sends and takes, as far as the page uses it. Shapes only; `client.ts` fetches them.

export interface Result {
  /** Seats; empty for a draw. */
  readonly winners: readonly number[];
  readonly reason: string;
  /** What the loser has said to it. */
  readonly note?: string;
}

/** Whether anybody is shown the engine's evaluations of a game while it is played. */
export type Assistance = "open" | "none";

/** A state of play. Seats count from 0 in turn order. */
export interface Position {
  readonly ply: number;
  /** Seats that have to move now. */
  readonly toAct: readonly number[];
  readonly status: "open" | "playing" | "finished" | "aborted";
  readonly result?: Result;
  /** The board, in a form that only the game's own board element reads. */
  readonly view: unknown;
  readonly legal: readonly string[] | Readonly<Record<string, readonly string[]>>;
  /** The staged beginning of a move, or nothing at all, may be played as the whole move. */
  readonly canFinish: boolean;
  readonly history: readonly string[];
  /** In frames of long games: the number of moves before those of `history`. */
  readonly historyFrom?: number;
  /** Milliseconds left per seat; null without a clock. */
  readonly clocks: readonly (number | null)[];
  /** The seats whose clocks run, where there are clocks. */
  readonly running?: readonly number[];
}

export interface Seat {
  readonly seat: number;
  readonly kind: "human" | "bot" | "open";
  readonly name?: string;
  /** The protocol by which an engine plays the seat, such as `uhp`. */
  readonly via?: string;
  /** Only in the answer to whoever created the game. */
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
  readonly position: Position;
  /** The seat of the token that was sent; null for spectators. */
  readonly seatIndex: number | null;
  readonly matchStatus?: Snapshot;
}

/** Who is there. */
export interface Snapshot {
  readonly players: readonly { readonly connected: boolean }[];
  /** Points over this game and those it is a rematch of, by the number of the player (from 1). */
  readonly matchScore?: Readonly<Record<string, number>>;
}

/** A game just opened, with the tokens of its seats. */
export type Created = Omit<Game, "seatIndex">;

export interface Joined {
  readonly gameId: string;
  readonly seatIndex: number;
  readonly token: string;
}

/** The game after a rematch, with the token of the own seat in it. */
export interface NextGame {
  readonly gameId: string;
  readonly token: string;
}

export interface Limits {
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

/** A row of `GET /api/rules`. What a game does not have is absent from its `about`. */
export interface GameRules {
  readonly game: string;
  /** Default first. */
  readonly variants: readonly string[];
  readonly about: {
    readonly title?: string;
    /** What people call the seats, in their order. */
    readonly seats?: readonly string[];
    readonly boardWidth?: Limits;
    readonly boardHeight?: Limits;
    /** The only board of variants that leave no choice. */
    readonly fixedBoards?: Readonly<Record<string, Board>>;
    /** A sentence about each variant. */
    readonly variants?: Readonly<Record<string, string>>;
    /** Ends of a sentence such as "You win by capture." about each reason for a result. */
    readonly reasons?: Readonly<Record<string, string>>;
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
}

export interface NewGame {
  readonly game: string;
  readonly variant: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly seats: readonly { kind: "human" | "bot" | "open"; bot?: string; name?: string }[];
  readonly timeControl?: TimeControl;
  /** Anybody finds it in the lobby. */
  readonly listed?: boolean;
  readonly assistance: Assistance;
}

/** Time for the whole game, and what each move adds. */
export interface TimeControl {
  readonly initialSeconds: number;
  readonly incrementSeconds: number;
  readonly preset?: string;
}

/** What the lists of games have in common. */
interface ListedRow extends Partial<Board> {
  readonly game: string;
  readonly variant: string;
  readonly seats: readonly Seat[];
  readonly assistance?: Assistance;
}

/** A game being played, as `/ws/live-games` with extensions tells of it. */
export interface LiveGame extends ListedRow {
  readonly id: string;
  readonly moveCount: number;
  readonly lastMoveAt: number;
  readonly spectatorCount: number;
}

/** A game with a seat for anybody. */
export interface WaitingGame extends Omit<ListedRow, keyof Board> {
  readonly id: string;
  readonly config: Partial<Board> & { readonly timeControl?: TimeControl };
  readonly createdAt: number;
}

/** A game that is over. */
export interface PastGame extends ListedRow {
  readonly gameId: string;
  readonly ply: number;
  readonly result?: Result;
  readonly updatedAt: number;
}
