// The list and the tree of moves.

export const navigation = "Navigate the moves";
export const firstPosition = "First position";
export const previousMove = "Previous move";
export const nextMove = "Next move";
export const lastPosition = "Last position";
export const endOfLine = "End of the line";
export const codes = "Codes";
export const showCodes = "Show moves as codes";
export const none = "No moves yet";
export const moves = "Moves";
export const earlier = "Earlier moves";
export const later = "Later moves";
export const variations = "Moves and variations";
export const makeMove = "Make a move on the board.";
export const goOn = "Go on with this variation";
/** Of so many moves. */
export const place = (ply: number, last: number): string => `${ply} of ${last}`;
