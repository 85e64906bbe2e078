// The player's own games: those whose seats this browser keeps, with friends too, which no list of the server shows.
// The list is requested game by game, and those that are not over again while the page is visible.
import { ApiError, getGame } from "../api/client";
import { sentence } from "../api/http";
import type { Game } from "../api/shapes";
import { clocksOf, type Clocks } from "./clock";
import { forgetSeats, markOver, takenSeats, type TakenSeat } from "./seats";

/** A game as the player of a seat sees it. */
export interface OwnGame {
  readonly game: Game;
  readonly seat: number;
  readonly clocks: Clocks;
}

/** How many more games are requested at a time. */
export const PAGE = 6;
const REFRESH_MS = 5000;
/** The server's codes for games that are deleted, and for seats that are somebody else's by now. */
const GONE: readonly string[] = ["not-found", "no-token"];

export class OwnGames {
  /** Null until the first answer. */
  games: readonly OwnGame[] | null = null;
  /** The games of kept seats that the server does not know, or not with this seat. */
  gone: readonly string[] = [];
  problem = "";
  private isOpen = false;
  private timer: ReturnType<typeof setInterval> | undefined;
  /** The seats that have not been requested yet; the next one is the last. */
  private rest: readonly TakenSeat[] = [];

  constructor(private readonly onChange: () => void) {}

  get hasMore(): boolean {
    return this.rest.length > 0;
  }

  open(): void {
    this.isOpen = true;
    this.timer = setInterval(() => {
      if (document.visibilityState === "visible") void this.refresh();
    }, REFRESH_MS);
    void this.reload();
  }

  close(): void {
    this.isOpen = false;
    clearInterval(this.timer);
  }

  /** Starts again from the seats that the browser keeps now. */
  async reload(): Promise<void> {
    const seats = takenSeats();
    this.rest = [...seats.filter(([, , isOver]) => isOver), ...seats.filter(([, , isOver]) => !isOver)];
    this.games = null;
    this.gone = [];
    await this.showMore();
  }

  /** Requests further games. */
  async showMore(): Promise<void> {
    const wanted = this.rest.slice(-PAGE);
    this.rest = this.rest.slice(0, -PAGE);
    const found = await Promise.all(wanted.toReversed().map((seat) => this.load(seat)));
    const fresh = found.filter((game) => game !== null);
    this.change([...(this.games ?? []), ...fresh]);
  }

  /** Deletes a seat; another server may still have its game, so only the player decides that. */
  forget(gameId: string): void {
    forgetSeats([gameId]);
    this.gone = this.gone.filter((id) => id !== gameId);
    this.onChange();
  }

  private async load([gameId, token]: TakenSeat): Promise<OwnGame | null> {
    try {
      const game = await getGame(gameId, { token });
      this.problem = "";
      if (isOver(game)) markOver(gameId);
      return game.seatIndex === null ? null : ownGame(game, game.seatIndex);
    } catch (error) {
      if (error instanceof ApiError && GONE.includes(error.code)) this.gone = [...this.gone, gameId];
      else this.problem = sentence(error);
      return null;
    }
  }

  /** Requests the running games again, without the tokens: to look at the list is no sign of life in a game. */
  private async refresh(): Promise<void> {
    const { games } = this;
    if (games === null) return;
    const now = await Promise.all(games.map((own) => (isOver(own.game) ? Promise.resolve(own) : again(own))));
    if (this.isOpen && this.games === games) this.change(now);
  }

  /** Those to move come first, then the other running games; otherwise the seat taken last. */
  private change(games: readonly OwnGame[]): void {
    this.games = games.toSorted((a, b) => rank(a) - rank(b));
    if (this.isOpen) this.onChange();
  }
}

async function again(own: OwnGame): Promise<OwnGame> {
  try {
    return ownGame(await getGame(own.game.gameId), own.seat);
  } catch {
    return own; // The next request may succeed.
  }
}

function ownGame(game: Game, seat: number): OwnGame {
  return { game: { ...game, seatIndex: seat }, seat, clocks: clocksOf(game.position, Date.now()) };
}

function isOver({ position }: Game): boolean {
  return position.status === "finished" || position.status === "aborted";
}

function rank(own: OwnGame): number {
  if (isOver(own.game)) return 2;
  return isToMove(own) ? 0 : 1;
}

export function isToMove({ game: { position }, seat }: OwnGame): boolean {
  return position.status === "playing" && position.toAct.includes(seat);
}
