// The buttons below the board of a game, besides those that all pages with boards have.

export const confirm = "Confirm";
export const undoAction = "Undo action";
export const playMove = "Play move";
export const passTurn = "Pass the turn";
export const doNotPass = "Do not pass";
export const premove = "Premove: played when it is your turn";
