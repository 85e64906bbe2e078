// The games of the lobby's lists as rows to show. Pure.
import * as counts from "#texts/counts";
import * as texts from "#texts/game-rows";
import * as times from "#texts/times";
import * as clock from "#texts/clock";
import type { Game, GameRules, LiveGame, PastGame, Seat, TimeControl, WaitingGame } from "../api/shapes";
import { analysisPath, gamePath } from "./route";
import { gameLine, playerName, reasonsIn, resultText, withNames } from "./labels";

/** One game as a row. */
export interface GameRow {
  readonly id: string;
  readonly href: string;
  /** The players, in seat order. */
  readonly players: readonly string[];
  /** The game and its settings. */
  readonly about: string;
  readonly note: string;
  /** Whether the viewer plays it. */
  readonly isOwn?: boolean;
  /** A second link, such as to the analysis. */
  readonly more?: { readonly href: string; readonly label: string };
}

type Catalogue = ReadonlyMap<string, GameRules>;

export function liveRow(game: LiveGame, rules: Catalogue): GameRow {
  return {
    id: game.id,
    href: gamePath(game.id, null),
    players: names(game, rules),
    about: lineOf(game, rules),
    note: counts.moves(game.moveCount),
  };
}

export function waitingRow(game: WaitingGame, rules: Catalogue): GameRow {
  return {
    id: game.id,
    href: gamePath(game.id, null),
    players: names({ ...game, seats: game.seats.filter(({ kind }) => kind !== "open") }, rules),
    about:
      gameLine(rules.get(game.game)?.about, game) + (game.assistance === "open" ? texts.evaluationOn : ""),
    note: clockLabel(game.config.timeControl),
  };
}

export function pastRow(game: PastGame, rules: Catalogue): GameRow {
  const about = rules.get(game.game)?.about;
  const named = withNames(game.seats, about?.seats);
  const reasons = reasonsIn(about, game.variant);
  const ending = game.result === undefined ? "" : resultText(game.result, named, null, reasons);
  return {
    id: game.gameId,
    href: gamePath(game.gameId, null),
    players: names(game, rules),
    about: [lineOf(game, rules), ending].filter((part) => part !== "").join(" · "),
    note: `${dateText(game.updatedAt, Date.now())} · ${counts.moves(game.ply)}`,
    more: { href: analysisPath(game.gameId), label: texts.analysis },
  };
}

/** A game that was imported in this browser; it leads to its analysis. */
export function importedRow(game: Game, rules: Catalogue): GameRow {
  const about = rules.get(game.game)?.about ?? {};
  const { reasons = {}, seats } = about;
  const named = withNames(game.seats, seats);
  const { result, ply } = game.position;
  const ending = result === undefined ? "" : ` · ${resultText(result, named, null, reasons)}`;
  return {
    id: game.gameId,
    href: analysisPath(game.gameId, 0),
    players: named.map((seat) => playerName(seat, null)),
    about: gameLine(about, game) + ending,
    note: counts.moves(ply),
  };
}

/** Marks the viewer's games and puts them first. `seatIn` returns the token of the viewer's seat. */
export function withSeats(rows: readonly GameRow[], seatIn: (gameId: string) => string | null): GameRow[] {
  const seen = rows.map((row) => (seatIn(row.id) === null ? row : { ...row, isOwn: true }));
  return seen.toSorted((a, b) => Number(b.isOwn ?? false) - Number(a.isOwn ?? false));
}

/** `3 + 2`: minutes, and seconds added per move. A day or more stands for no clock. */
export function clockLabel(control: TimeControl | undefined): string {
  if (control === undefined || control.initialSeconds >= 86_400) return clock.none;
  if (control.moveMs !== undefined) return clock.secondsPerMove(control.moveMs / 1000);
  const { initialSeconds: initial, incrementSeconds: increment } = control;
  const time = initial < 60 ? clock.seconds(initial) : `${Math.round(initial / 6) / 10}`;
  return `${time} + ${increment}`;
}

/** The time of a moment today, else its date, both in milliseconds since the epoch. */
export function dateText(at: number, now: number): string {
  const [day, today] = [new Date(at), new Date(now)];
  if (day.toDateString() === today.toDateString()) return times.timeOf(day);
  return day.getFullYear() === today.getFullYear() ? times.dayOf(day) : times.dateOf(day);
}

function lineOf(game: LiveGame | PastGame, rules: Catalogue): string {
  const { boardWidth, boardHeight } = game;
  return gameLine(rules.get(game.game)?.about, { ...game, config: { boardWidth, boardHeight } });
}

function names({ game, seats }: { game: string; seats: readonly Seat[] }, rules: Catalogue): string[] {
  return withNames(seats, rules.get(game)?.about.seats).map((seat) => playerName(seat, null));
}
