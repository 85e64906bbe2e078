// What the pages of tournaments say.
import * as texts from "#texts/tournament";
import type { ListedTournament, System, Tournament, TournamentGame } from "../api/tournaments";

export const SYSTEMS: Readonly<Record<System, string>> = texts.systems;

type Progress = Pick<ListedTournament, "status" | "round" | "rounds" | "startsAt">;

/** What is played: `Swiss, 2 games of each pair`. */
export function formatText(tournament: Pick<Tournament, "system" | "seats" | "gamesPerPair">): string {
  const { system, seats, gamesPerPair } = tournament;
  const games = seats === 2 ? texts.gamesOfPair(gamesPerPair) : texts.gamesOfTable(gamesPerPair, seats);
  return `${SYSTEMS[system]}, ${games}`;
}

/** Where a tournament stands: `Round 2 of 5`. */
export function progressText({ status, round, rounds, startsAt }: Progress): string {
  switch (status) {
    case "waiting":
      return startsAt === null ? texts.openForEntries : texts.starts(startsAt);
    case "running":
      return round === 0 ? texts.starting : texts.roundOf(round, rounds);
    case "finished":
      return texts.finished;
    case "cancelled":
      return texts.cancelled;
  }
}

/** The score of a game, first seat first: `1–0`. */
export function scoreText({ points, status }: Pick<TournamentGame, "points" | "status">): string {
  if (points === null) return status === "playing" ? texts.playing : texts.toBePlayed;
  return points.map(pointsText).join("–");
}

/** Points with halves as a fraction: `2½`; others, such as thirds, with two decimals. */
export function pointsText(points: number): string {
  const whole = Math.floor(points);
  if (points === whole) return String(whole);
  return points - whole === 0.5 ? `${whole === 0 ? "" : whole}½` : String(Number(points.toFixed(2)));
}

/** The names of the players by their entries. */
export function namesOf({ entrants }: Pick<Tournament, "entrants">): ReadonlyMap<number, string> {
  return new Map(entrants.map(({ entry, name }) => [entry, name]));
}
