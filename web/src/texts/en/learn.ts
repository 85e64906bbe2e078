// Learning a game step by step.

export const noLesson = (game: string): string => `There is no lesson for ${game}.`;
export const titleOf = (step: string, game: string): string => `${step} – Learn ${game}`;
export const stepCount = (count: number): string => `This lesson has ${count} steps.`;
export const begin = "Begin with the first";
export const step = (game: string, number: number, count: number): string =>
  `Learn ${game} · Step ${number} of ${count}`;
export const puzzle = (game: string, number: number, count: number): string =>
  `Learn ${game} · Puzzle ${number} of ${count}`;
export const steps = "Steps";
export const allRules = "All rules on one page";
export const playGame = "Play a game";
export const next = "Next";
export const playFirst = "Play your first game";
export const link = (number: number, title: string): string => `${number}: ${title}`;
export const solvedLink = (number: number, title: string): string => `${number}: ${title}, solved`;
