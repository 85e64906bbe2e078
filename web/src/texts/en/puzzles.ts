// Puzzles: positions with one best move.
import type { Parts } from "../parts";

export const noGame = (game: string): string => `There is no game ${game}.`;
export const otherGame = (puzzleId: string): string => `Puzzle ${puzzleId} is of another game.`;
export const noSuch = "There is no such puzzle. Choose less, and you get more.";
export const noneYet = (game: string): string => `There are no puzzles of ${game} yet.`;
export const heading = (game: string): string => `${game} puzzles`;
/** `most`: the most so far, if that was more. */
export const inARow = <Part>(streak: Part, most: number | null): Parts<Part> => [
  "In a row: ",
  streak,
  most === null ? "" : ` · most so far: ${most}`,
];
export const next = "Next puzzle";
export const task = (side: string): string => `${side} to move: find the best move.`;
export const taskOfMany = (side: string, move: number, moves: number): string =>
  `${side} to move: find the best move. Move ${move} of ${moves}.`;
export const answered = "The other side has answered: go on.";
export const won = "You win.";
export const winsByForce = "This wins by force.";
export const expected = (score: string): string => `Expected score: ${score}.`;
export const notBest = "Not the best.";
export const otherIsBetter = "Another move is clearly better.";
export const answer = (move: string, score: string, best: string): string =>
  `The answer is ${move}. Expected score: ${score}, with the best move ${best}.`;
export const tryMoves = "Try moves on the analysis board";
export const difficulty = "Difficulty";
/** By the server's names. */
export const difficulties: Readonly<Record<string, string>> = {
  easy: "easy",
  medium: "medium",
  hard: "hard",
  "very-hard": "very hard",
};
export const anyDifficulty = (count: number): string => `All ${count}`;
export const theme = "Theme";
export const all = "All";
export const learnGame = "Learn the game";
export const allRules = "All rules";
