// The buttons that complete a move.

export const confirmMove = (move: string): string => `Confirm: ${move}`;
export const confirm = "Confirm";
export const undo = "Undo";
export const undoAction = "Undo action";
export const finishTurn = "Finish turn";
export const playMove = "Play move";
export const pass = "Pass";
export const passTurn = "Pass the turn";
export const doNotPass = "Do not pass";
export const premove = "Premove: played when it is your turn";
