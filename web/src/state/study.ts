// One game that is looked through on this page: where somebody looks, and the position there. The game is as it was
// when the page was opened. The analysis page reads the members and calls the methods, which never throw.
import { getPositionAfter, type Line } from "../api/analysis";
import { getGame } from "../api/client";
import { sentence } from "../api/http";
import { getRules } from "../api/lists";
import { untilAnswered } from "../net/patience";
import type { Game, Position } from "../api/shapes";
import { ahead, atPly, movesInLine, type Cursor } from "./cursor";
import { Positions } from "./positions";
import { withNames, type Reasons } from "./words";

/** Positions that are fetched before they are asked for. */
const AHEAD = 8;

interface Place {
  readonly ply: number;
  /** Moves that nobody has played, after those of the game. */
  readonly further: readonly string[];
}

export class Study {
  /** Null until the first answer. */
  game: Game | null = null;
  /** What people call the game, and its own words for how it ended. */
  title = "";
  reasons: Reasons = {};
  /** A sentence about the last thing that failed; empty when all is well. */
  problem = "";
  cursor: Cursor = { ply: 0, line: null };
  private isClosed = false;
  /** What is on the board: the position at the cursor, or the one before it until that one is here. */
  shown: Position | null = null;
  private readonly positions = new Positions<Place>(
    ({ ply, further }) => [ply, ...further].join(" "),
    (place) => this.position(place),
  );

  constructor(
    readonly gameId: string,
    private readonly onChange: () => void,
  ) {}

  get history(): readonly string[] {
    return this.game?.position.history ?? [];
  }

  get last(): number {
    return this.game?.position.ply ?? 0;
  }

  /** Gets the game, as soon as the server answers, and shows it at `ply`; null: at its end. */
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
    this.title = about?.title ?? game.game;
    this.reasons = about?.reasons ?? {};
    this.game = { ...game, seats: withNames(game.seats, about?.seats) };
  }

  /** Shows another place; `lines` are those suggested at its ply. */
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

  /** Asks until the server answers, and says meanwhile what is wrong. */
  private async ask(request: () => Promise<void>, isStillWanted: () => boolean): Promise<void> {
    const isWanted = (): boolean => !this.isClosed && isStillWanted();
    const onFailure = (error: unknown): void => {
      if (isWanted()) this.report(sentence(error));
    };
    await untilAnswered(
      async () => {
        await request();
        if (isWanted()) this.report("");
      },
      { isWanted, onFailure },
    );
  }

  /** What fails here is asked for again, and reported, when somebody gets there. */
  private fetchAhead(before: Cursor): void {
    for (const { ply } of ahead(before, this.cursor, this.last, AHEAD))
      this.positions.get({ ply, further: [] }).catch(() => null);
  }

  private async position({ ply, further }: Place): Promise<Position> {
    if (this.game === null || further.length === 0) return (await getGame(this.gameId, { ply })).position;
    return getPositionAfter(this.game, [...this.history.slice(0, ply), ...further]);
  }

  private report(problem: string): void {
    this.problem = problem;
    this.onChange();
  }
}
