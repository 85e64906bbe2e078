// The game shown on the analysis page, the cursor in it, and the position there. The game is the one that was loaded
// when the page was opened. The analysis page reads the members and calls the methods, which never throw.
import type { Line } from "../api/analysis";
import { getGame } from "../api/client";
import { sentence } from "../api/http";
import { getRules } from "../api/lists";
import { getPositionAfter } from "../api/positions";
import { retryWhileWanted } from "../net/retry";
import type { Game, GameRules, Position } from "../api/shapes";
import { ahead, atPly, movesInLine, type Cursor } from "./cursor";
import { historyUntil, movesOf } from "./moves";
import { Positions } from "./positions";
import { reasonsIn, withNames, type Reasons } from "./labels";

/** How many positions are fetched ahead. */
const AHEAD = 8;

interface Place {
  readonly ply: number;
  /** Moves of a variation, after those of the game. */
  readonly further: readonly string[];
}

export class Study {
  /** Null until the first answer. */
  game: Game | null = null;
  /** What the catalogue says about the game, and the game's own words for how it ended. */
  about: GameRules["about"] = {};
  reasons: Reasons = {};
  /** Whether the seats act together. */
  isSimultaneous = false;
  /** The usual samples of an evaluation. */
  usualSamples = 1000;
  /** A sentence about the last failure; empty if there is none. */
  problem = "";
  cursor: Cursor = { ply: 0, line: null };
  private isClosed = false;
  /** The position on the board: the one at the cursor, or the previous one until that is loaded. */
  shown: Position | null = null;
  private readonly positions = new Positions<Place>(
    ({ ply, further }) => [ply, ...further].join(" "),
    (place) => this.position(place),
  );

  constructor(
    readonly gameId: string,
    private readonly onChange: () => void,
  ) {}

  get moves(): readonly string[] {
    return movesOf(this.game?.position.history ?? []);
  }

  get last(): number {
    return this.game?.position.ply ?? 0;
  }

  /** Loads the game as soon as the server answers, and shows it at `ply`; null: at its end. */
  async open(ply: number | null): Promise<void> {
    await this.ask(
      () => this.load(),
      () => true,
    );
    if (this.game !== null) await this.look(atPly(ply ?? this.last, this.last), []);
  }

  close(): void {
    this.isClosed = true;
  }

  private async load(): Promise<void> {
    const [game, catalogue] = await Promise.all([getGame(this.gameId), getRules()]);
    const about = catalogue.find((row) => row.game === game.game)?.about;
    this.about = about ?? {};
    this.reasons = reasonsIn(about, game.variant);
    this.usualSamples = about?.samples?.evaluation ?? this.usualSamples;
    this.isSimultaneous = about?.simultaneous ?? false;
    this.game = { ...game, seats: withNames(game.seats, about?.seats) };
  }

  /** Moves the cursor; `lines` are the suggested ones at its ply. */
  async look(cursor: Cursor, lines: readonly Line[]): Promise<void> {
    const before = this.cursor;
    this.cursor = cursor;
    this.onChange();
    const place = { ply: cursor.ply, further: movesInLine(cursor, lines) };
    const isWanted = (): boolean => this.cursor === cursor;
    await this.ask(async () => {
      const position = await this.positions.get(place);
      if (!isWanted()) return;
      this.shown = position;
      this.fetchAhead(before);
    }, isWanted);
  }

  /** Repeats a request until the server answers, and meanwhile shows what is wrong. */
  private async ask(request: () => Promise<void>, isStillWanted: () => boolean): Promise<void> {
    const isWanted = (): boolean => !this.isClosed && isStillWanted();
    const onFailure = (error: unknown): void => {
      if (isWanted()) this.report(sentence(error));
    };
    await retryWhileWanted(
      async () => {
        await request();
        if (isWanted()) this.report("");
      },
      { isWanted, onFailure },
    );
  }

  /** Fetches the next positions. Failures are ignored here; the position is requested again when it is needed. */
  private fetchAhead(before: Cursor): void {
    for (const { ply } of ahead(before, this.cursor, this.last, AHEAD))
      this.positions.get({ ply, further: [] }).catch(() => null);
  }

  private async position({ ply, further }: Place): Promise<Position> {
    if (this.game === null || further.length === 0) return (await getGame(this.gameId, { ply })).position;
    return getPositionAfter(this.game, [...historyUntil(this.game.position.history, ply), ...further]);
  }

  private report(problem: string): void {
    this.problem = problem;
    this.onChange();
  }
}
