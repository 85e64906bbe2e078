// The strip of a player beside the board.

/** Whether the player is there. */
export const presence = { here: "here", away: "away", left: "left" };
export const pointsInMatch = "Points in this match";
export const toMove = "to move";
export const moved = "moved";
