// What many parts of the page say.

export const loading = "Loading…";
export const loadingGame = "Loading the game…";
export const goToLobby = "Go to the lobby";
export const reconnecting = "Reconnecting…";
export const thinking = "thinking…";
export const flip = "Flip";
export const puzzles = "Puzzles";
export const board = "Board";
export const game = "Game";
export const variant = "Variant";
export const cancel = "Cancel";
export const yourName = "Your name";
/** In the field for it. */
export const anyName = "Player";
/** Who plays whom. */
export const versus = "vs";

/** After a request that failed, which the page makes again. */
export const retrying = (problem: string): string => `${problem} Trying again…`;

/** What completes a move, wherever one is made. */
export const confirmMove = (move: string): string => `Confirm: ${move}`;
export const undo = "Undo";
export const finishTurn = "Finish turn";
export const pass = "Pass";
