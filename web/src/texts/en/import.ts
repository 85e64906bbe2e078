// Importing a record.

export const heading = "Analyse a game";
export const otherwise = "Or try moves on a board:";
export const earlier = "Imported in this browser";
export const instructions =
  "Paste the record of a game, or drop its file here. Hive: a GameString, PGN, or SGF from boardspace.net. Wallwars: a record with tags, as below, or a puzzle. PyRat: a replay (PRF). All games: JSON exported from Plyhouse.";
export const record = "Record";
export const analyse = "Analyse";
export const openOnBoard = "Open on a board";
export const chooseFile = "Choose a file";
export const analyseFirst = (moves: number): string =>
  moves === 1 ? "Analyse the first move" : `Analyse the first ${moves} moves`;
export const notes = "The record was read. Please note:";
/** By what the record is opened on. */
export const openOn = { analysis: "Open the analysis", board: "Open the board" };
export const tooLarge = (file: string, kilobytes: number): string =>
  `${file} is too large: records may have at most ${kilobytes} kB.`;
export const analyseRecord = "Analyse a record";
