// The lobby: what this place is, the games to play, and lists of games.
import type { Link, Parts } from "../parts";
import { number } from "./formats";

export const heading = "Board games against people and engines";
export const introduction = "No account needed. After a game, our engine shows where it was won and lost.";

const counted = (count: number, one: string, many: string): string =>
  count === 0 ? "" : `${number(count)} ${count === 1 ? one : many}`;

/** Who is here, in a sentence; empty if there is nobody. */
export function here(people: number, bots: number, games: number): string {
  const parts = [
    counted(people, "playing or watching", "playing or watching"),
    counted(bots, "attached bot", "attached bots"),
    counted(games, "live game", "live games"),
  ].filter((part) => part !== "");
  return parts.length === 0 ? "" : `Now: ${parts.join(", ")}.`;
}

export const further = <Part>(link: Link<Part>): Parts<Part> => [
  "See the ",
  link("/bots", "bots and their ratings"),
  ". Look at a game played elsewhere: ",
  link("/analysis", "analyse a record"),
  ". ",
  link("/docs/playing", "How to play here"),
  ". Write a ",
  link("/docs/bots", "bot"),
  " or a ",
  link("/docs/api", "client"),
  "; all operations of ",
  link("/docs", "the API"),
  ".",
];

export const shown = "Show";
export const allGames = "All games";
export const openGames = "Open games";
export const noOpenGames = "No open games. Create one for anyone, and it appears here.";
export const liveGames = "Live games";
export const noLiveGames = "No live games.";
export const finishedGames = "Finished games";
export const noFinishedGames = "No finished games yet.";
export const olderGames = "Older games";
export const watch = "Watch";
export const showAll = (count: number): string => `Show all ${count}`;
export const yourGame = "Your game";

export const play = "Play";
export const playGame = (game: string): string => `Play ${game}`;
export const options = "Options";
export const optionsOf = (game: string): string => `Options for a game of ${game}`;
export const learn = "Learn";
export const learnGame = (game: string): string => `Learn ${game}`;
export const puzzles = "Puzzles";
export const puzzlesOf = (game: string): string => `Puzzles of ${game}`;
