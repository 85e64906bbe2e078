// The bots that are here.
import type { Link, Parts } from "../parts";
import { games } from "./counts";

export const heading = "Bots";
export const introduction = <Part>(link: Link<Part>): Parts<Part> => [
  "Programs of their authors that play here. Write your own in any language: ",
  link("/docs", "the API"),
  ". They also play ",
  link("/tournaments", "tournaments"),
  ".",
];
export const ladders = "Ladders";
export const hereNow = "Here now";
export const onlyBuiltIn = "Only the built-in bots are here.";
export const bot = "Bot";
export const variants = "Variants";
export const clock = "Clock";
export const yes = "yes";
export const no = "no";
export const gamesNow = (count: number): string => `, ${games(count)} now`;
export const noRated = <Part>(command: Part): Parts<Part> => [
  "No bot plays rated games yet. One joins when its author starts it with ",
  command,
  ".",
];
