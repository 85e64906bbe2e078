// The board of Wallwars.

type Piece = "cat" | "mouse" | "home";

export const lesson =
  "Each turn has two actions: choose a dot to move there, or an edge between two cells to build a wall.";
export const recordFormat = "text";
export const showBoard = "Show the board";
export const progress = (turns: number, all: number): string => `The cat has made ${turns} of ${all} turns.`;

export const catTo = (cell: string): string => `Cat to ${cell}`;
export const mouseTo = (cell: string): string => `Mouse to ${cell}`;
export const wallRightOf = (cell: string): string => `Wall right of ${cell}`;
export const wallAbove = (cell: string): string => `Wall above ${cell}`;
/** The same within a refusal of the rules. */
export const aWall = (wall: string): string => `A ${wall.charAt(0).toLowerCase()}${wall.slice(1)}`;
export const pass = "Pass";
export const borderLeftOf = (cell: string): string => `A wall left of ${cell} would be on the border.`;
export const borderBelow = (cell: string): string => `A wall below ${cell} would be on the border.`;

const PIECES: Readonly<Record<Piece, string>> = { cat: "cat", mouse: "mouse", home: "home" };
export const place = (player: number, piece: Piece): string => `Player ${player}: ${PIECES[piece]}`;
export const placeWall = (player: number): string => `Player ${player}: wall`;
export const neutralWall = "Neutral wall";
export const removeWalls = "Remove all walls";
export const pieceOf = (piece: Piece, player: number): string => `${PIECES[piece]} of player ${player}`;
export const rightOf = (cell: string): string => `Right of ${cell}`;
export const above = (cell: string): string => `Above ${cell}`;
/** What is on an edge, after its name. */
export const wallThere = ", wall";
export const wallOf = (player: number): string => `, wall of player ${player}`;
