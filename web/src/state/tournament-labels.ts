// What the pages of tournaments say.
import type { ListedTournament, System, Tournament, TournamentGame } from "../api/tournaments";

export const SYSTEMS: Readonly<Record<System, string>> = {
  "round-robin": "Round robin",
  swiss: "Swiss",
  gauntlet: "Gauntlet",
};

type Progress = Pick<ListedTournament, "status" | "round" | "rounds" | "startsAt">;

/** What is played: `Swiss, 2 games of each pair`. */
export function formatText(tournament: Pick<Tournament, "system" | "seats" | "gamesPerPair">): string {
  const { system, seats, gamesPerPair } = tournament;
  const games = `${gamesPerPair} ${gamesPerPair === 1 ? "game" : "games"}`;
  return `${SYSTEMS[system]}, ${games} of each ${seats === 2 ? "pair" : `table of ${seats}`}`;
}

/** Where a tournament stands: `Round 2 of 5`. */
export function progressText({ status, round, rounds, startsAt }: Progress): string {
  switch (status) {
    case "waiting":
      return startsAt === null ? "Open for entries" : `Starts ${timeText(startsAt)}`;
    case "running":
      return round === 0 ? "Starting" : `Round ${round} of ${rounds}`;
    case "finished":
      return "Finished";
    case "cancelled":
      return "Cancelled";
  }
}

/** The score of a game, first seat first: `1–0`. */
export function scoreText({ points, status }: Pick<TournamentGame, "points" | "status">): string {
  if (points === null) return status === "playing" ? "playing" : "to be played";
  return points.map(pointsText).join("–");
}

/** Points with halves as a fraction: `2½`; others, such as thirds, with two decimals. */
export function pointsText(points: number): string {
  const whole = Math.floor(points);
  if (points === whole) return String(whole);
  return points - whole === 0.5 ? `${whole === 0 ? "" : whole}½` : String(Number(points.toFixed(2)));
}

export function timeText(at: number): string {
  return new Date(at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
}

/** The names of the players by their entries. */
export function namesOf({ entrants }: Pick<Tournament, "entrants">): ReadonlyMap<number, string> {
  return new Map(entrants.map(({ entry, name }) => [entry, name]));
}
