// What the ladder knows about a bot.
import type { Parts } from "../parts";
import { games, moves } from "./counts";
import { decimal } from "./formats";

export const latestGames = "Latest games";
export const noneEnded = "None has ended yet.";
export const against = "Against";
export const result = "Result";
export const ended = "Ended";
export { momentOf as endedAt } from "./times";
export const score = "Score";
export const analyse = "analyse";
export const results = { uncounted: "does not count", lost: "lost", drawn: "drawn", won: "won" };

export const version = <Part>(name: Part): Parts<Part> => ["Version ", name, ": "];
/** After the rating. */
export const place = (rank: number | null): string => (rank === null ? " (provisional)" : `, place ${rank}`);
/** `errors`: how many games it has lost by errors; null for none. */
export const record = <Part>(
  count: number,
  { wins, draws, losses }: { readonly wins: number; readonly draws: number; readonly losses: number },
  errors: Part | null,
): Parts<Part> => [
  `, ${games(count)} (${wins} won, ${draws} drawn, ${losses} lost`,
  ...(errors === null ? [] : [", ", errors]),
  ")",
];
export const byErrors = (count: number): string => `${count} by errors`;
export const curve = "The rating and its 95 % interval over its latest games";
export const curveIsOf = (low: number, high: number): string =>
  `Its latest games, by today's ratings of its opponents: between ${low} and ${high}, with the 95 % interval.`;

export const howItPlays = "How it plays";
export const slowest = "Slowest move";
export const latest = "Latest";
export const shortest = "Shortest";
export const weakOpenings = "Openings in which it scores less than its rating says";
export const weakOpening = <Part>(
  opening: Part,
  scored: string,
  count: number,
  expected: string,
): Parts<Part> => [opening, `: scores ${scored} in ${games(count)}, ${expected} expected.`];
export const analyseLost = "Analyse a lost one";
export const aboutOpenings = "Only openings are listed in which bad luck hardly explains the score.";

type Loss = "resignation" | "timeout" | "disconnection" | "error";

/** How it lost games, with which ones and when. */
export const lost: Readonly<Record<Loss, (which: string, when: string) => string>> = {
  resignation: (which, when) => `Resigned ${which}, ${when}.`,
  timeout: (which, when) => `Lost on time in ${which}, ${when}.`,
  disconnection: (which, when) => `Was disconnected in ${which}, ${when}.`,
  error: (which, when) => `Failed by an error in ${which}, ${when}.`,
};
export const lostGames = (count: number, looked: number): string =>
  looked === 1 ? "its only game" : `${count} of its latest ${looked} games`;
export const lostAfter = (plies: number): string => `after ${moves(plies)}`;
export const lostHalfAfter = (median: number, fewest: number): string =>
  `half of them after at most ${moves(median)}, the shortest after ${fewest}`;

export const thoughtOnce = (time: string, ply: number): string =>
  `Thought about its only move with a clock for ${time}, after ${moves(ply)} of a game.`;
export const thinks = (
  median: string,
  moveCount: number,
  gameCount: number,
  slowestTime: string,
  ply: number,
): string =>
  `Thinks ${median} about a move: the median of ${moveCount} in ${gameCount === 1 ? "its latest game" : `its latest ${gameCount} games`}. The slowest took ${slowestTime}, after ${moves(ply)} of a game.`;
export const milliseconds = (count: number): string => `${count} ms`;
export const seconds = (count: number): string => `${decimal(count, 1)} s`;
