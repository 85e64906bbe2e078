// What was played from a position.
import { decimal, number, percent } from "./formats";

export const heading = "Opening explorer";
export const gamesOf = "Games of";
export const ofServer = "Played on this server";
export const ofPlyhouse = "Come with Plyhouse";
export const selfPlay = "Engine against itself";
export const everybody = "Everybody";
export const people = "People";
export const bots = "Bots";
export const noFurtherGame = "No game went on from here.";
export const noSelfPlay = "No games of the engine in this variant come with Plyhouse.";
export const noGame = "No game reached this position.";
export const tooDeep = (depth: number): string => `Only the first ${depth} moves of games are counted.`;
export const lookAtSelfPlay = "Look at self-play";
export const games = (count: number): string => `${number(count)} ${count === 1 ? "game" : "games"}`;
export const selfPlayGames = (count: number, level: string): string =>
  `${games(count)} of the engine against itself, at level ${level}, not played on this server`;
export const movesFromHere = "Moves from this position";
export const move = "Move";
export const gamesHeading = "Games";
export const results = "Results";
export const latest = "Latest games";
export const meanPoints = (points: number): string => ` (${decimal(points, 1)} points)`;
export const draws = (share: number): string => `draws ${percent(share)}`;
