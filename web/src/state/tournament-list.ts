// The list of tournaments: as many pages of it as were asked for, and the order in which they are shown.
import { getTournaments, isLive, type ListedTournament } from "../api/tournaments";

export interface TournamentList {
  readonly tournaments: readonly ListedTournament[];
  /** How many pages were read. */
  readonly pages: number;
  /** Whether there are more pages. */
  readonly hasMore: boolean;
}

/** Reads up to `most` pages, at least one. */
export async function readTournaments(most: number): Promise<TournamentList> {
  let { tournaments, cursor } = await getTournaments(null);
  let pages = 1;
  for (; cursor !== undefined && pages < most; pages++) {
    const next = await getTournaments(cursor);
    tournaments = [...tournaments, ...next.tournaments];
    ({ cursor } = next);
  }
  return { tournaments, pages, hasMore: cursor !== undefined };
}

/** Those that are not over first, otherwise in the same order. */
export function liveFirst(tournaments: readonly ListedTournament[]): readonly ListedTournament[] {
  return [...tournaments.filter(isLive), ...tournaments.filter((one) => !isLive(one))];
}
