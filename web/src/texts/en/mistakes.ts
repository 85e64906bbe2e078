// A player's mistakes, to be made better.
import type { Parts } from "../parts";
import { moves } from "./counts";

export const learnFrom = (player: string): string => `Learn from mistakes: ${player}`;
export const heading = (number: number, count: number): string =>
  `Learn from mistakes · ${number} of ${count}`;
export const back = "Back to the analysis";
export const task = <Part>(ply: number, player: string, move: Part, loss: string): Parts<Part> => [
  `After ${moves(ply)}, ${player} played `,
  move,
  `, which lost ${loss}. Find a better move.`,
];
export const judging = "The engine judges this move…";
export const good = "Good.";
export const asGood = "This is as good as the best move.";
export const nearlyAsGood = (loss: string): string => `It is only ${loss} worse than the best move.`;
export const sameMove = (loss: string): string => `That is what was played: it loses ${loss}.`;
export const worse = (loss: string): string => `This move is ${loss} worse than the best one.`;
export const refused = (problem: string): string => `${problem} Your move is kept: try again.`;
export const found = (number: number, count: number): string =>
  `You found a better move at once in ${number} of ${count}.`;
export const next = "Next mistake";
export const judgeAgain = "Judge it again";
export const otherMove = "Another move";
export const engineStopped = "The engine has stopped before it was done.";
