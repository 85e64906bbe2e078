// The analysis of a game, the engine's lines, and its mistakes to learn from.
import { decimal, number } from "./formats";

type Judgement = "inaccuracy" | "mistake" | "blunder";

export const analysisOf = (game: string): string => `Analysis of ${game}`;
export const boardAndGraph = "Board and graph";
export const gameOver = "The game is over in this position.";
export const notAnalysed = "This position was not analysed.";
export const notYetAnalysed = "This position has not been analysed yet.";
export const inProgress =
  "This game is still in progress. The analysis covers the moves made before you opened this page.";
export const goToGame = "Go to the game";
export const tryMoves = "Try moves";
export const record = "Record:";
export const json = "JSON";

export const depth = "Depth";
export const depths = { quick: "Quick", normal: "Normal", deep: "Deep" };
export const samplesAt = (samples: number): string => `Up to ${number(samples)} samples per position`;
export const progress = "Analysed positions";
export const again = "Analyse again";
export const starting = "Starting the analysis…";
export const reached = (count: number, total: number): string => `Analysing: ${count} of ${total} positions`;
export const done = (samples: number): string => `Done: up to ${number(samples)} samples per position.`;
export const stopped = "The analysis was stopped.";
export const failed = (problem: string): string => `The analysis failed: ${problem}`;
export const engineIsBusy = "The engine is busy.";
export const hasFailed = "The analysis has failed.";

export const accuracy = "Accuracy";
export const pointsLost = (points: number): string => `${decimal(points, 2)} points lost per move`;
export const judgement: Readonly<Record<Judgement, string>> = {
  inaccuracy: "inaccuracy",
  mistake: "mistake",
  blunder: "blunder",
};
export const judgements: Readonly<Record<Judgement, string>> = {
  inaccuracy: "inaccuracies",
  mistake: "mistakes",
  blunder: "blunders",
};
export const counted = (count: number, kind: Judgement): string =>
  `${count} ${count === 1 ? judgement[kind] : judgements[kind]}`;
export const showNext = (kind: Judgement): string => `Show the next ${judgement[kind]}`;
/** What a move loses. */
export const lostPoints = (points: number): string => `${decimal(points, 1)} points`;

export const bestMoves = "Best moves";
export const bestMovesOf = (name: string): string => `Best moves of ${name}`;
export const worthToPlayer = (player: number, worth: string): string => `Player ${player}: ${worth}`;
export const enginesChoice = (move: string, share: string): string =>
  `${move}: ${share}, the engine's choice`;
