// Variations, their marks and comments, and files of them.

export const markOfMove = "Mark of the move";
export const comment = "Comment";
export const commentOnStart = "Comment on the start";
export const commentOnMove = "Comment on the move";
export const makeMain = "Make main line";
export const deleteAll = "Delete all moves";
export const deleteThem = "Delete them all";
export const keepThem = "Keep them";
export const deleteFromHere = "Delete from here";
export const replaceAll = "Replace all moves";
export const save = "Save file";
export const saveAs = (format: string): string => `Save ${format}`;
export const open = "Open file";

export const full = (moves: number, line: number, nested: number): string =>
  `The board keeps ${moves} moves, lines of ${line}, and ${nested} variations within each other.`;
export const noRoom = "This browser has no room to keep the variations. Save them as a file.";
export const noRoomForFile = "This browser has no room for the variations of the file.";
export const otherFormat = (format: string): string =>
  `This is no file of variations: its format is not "${format}".`;
export const noGame = "The file does not say which game its variations belong to.";
export const notJson = "This is no file of variations: it is not a JSON object.";
export const noObject = "A move of the file is not an object.";
export const noMove = "A branch of the file has no move.";
export const longComment = (most: number): string =>
  `A comment of the file has more than ${most} characters.`;
export const unknownMark = (marks: string): string => `A mark of the file is none of ${marks}.`;
export const noList = "The continuations of a move in the file are not a list.";
export const manyMoves = (most: number): string => `The file has more than ${most} moves.`;
export const longLine = (most: number): string => `A line of the file has more than ${most} moves.`;
export const deeplyNested = (most: number): string =>
  `The file has more than ${most} variations within each other.`;
