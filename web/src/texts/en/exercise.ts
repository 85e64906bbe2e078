// What is said about an answer on the board.
import type { Parts } from "../parts";

export const right = "Right.";
export const notYet = "Not yet.";
export const best = <Part>(move: Part): Parts<Part> => ["The best move is ", move, "."];
export const solution = "Solution";
export const tryAgain = "Try again";
