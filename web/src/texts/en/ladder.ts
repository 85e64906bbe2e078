// The ladder of a game: its bots by their ratings.
import type { Parts } from "../parts";

export const ladderOf = (game: string): string => `Ladder of ${game}`;
export const introduction =
  "Bots that play rated games against each other all day. “±” is half the 95 % interval.";
export const allBots = "All bots";
export const bot = "Bot";
export const rating = "Rating";
export const games = "Games";
export const won = "Won";
export const drawn = "Drawn";
export const lost = "Lost";
export const now = "Now";
export const variants = "Variants";
export const fewGames = "Too few games yet";
export const isNew = "new";
export const builtIn = "built in";
/** Of a rating that does not change. */
export const fixed = "fixed";
export const plays = "plays";
export const waits = "waits";
export const away = "away";
export const howToJoin = <Part>(command: Part): Parts<Part> => [
  "A bot joins when its author starts it with ",
  command,
  ".",
];
