// The bar and the graph of evaluations.
import { points } from "./counts";

/** Why the bar does not show the latest. */
export const statuses = {
  off: "off",
  connecting: "connecting",
  pending: "thinking",
  live: "live",
  frozen: "not up to date",
  forbidden: "not available for this game",
};
export const player = (number: number, share: string): string => `player ${number} ${share}`;
export const andPoints = (count: number): string => ` and ${points(count)}`;
export const evaluation = (words: string): string => `Evaluation: ${words}`;
export const forFirst = "Evaluation for the first player";
export const forFirstIs = (words: string): string => `Evaluation for the first player: ${words}`;
export const ahead = (difference: string): string => `${difference} points`;
export const graph = "Evaluation graph";
export const start = "Start";
