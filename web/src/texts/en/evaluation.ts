// The bar and the graph of evaluations.

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
export const andPoints = (points: number): string => ` and ${points} points`;
export const evaluation = (words: string): string => `Evaluation: ${words}`;
export const forFirst = "Evaluation for the first player";
export const forFirstIs = (words: string): string => `Evaluation for the first player: ${words}`;
export const ahead = (points: string): string => `${points} points`;
export const graph = "Evaluation graph";
export const start = "Start";
