// The board of Hive.

type Bug = "Q" | "A" | "G" | "S" | "B" | "L" | "M" | "P";
type Side = "west" | "east" | "north-west" | "south-east" | "south-west" | "north-east";

export const lesson = "Choose a piece from your reserve or the board, then one of the highlighted places.";
export const showHive = "Show the hive";
export const recordFormat = "GameString";

export const seats: readonly string[] = ["White", "Black"];
const BUGS: Readonly<Record<Bug, string>> = {
  Q: "queen",
  A: "ant",
  G: "grasshopper",
  S: "spider",
  B: "beetle",
  L: "ladybug",
  M: "mosquito",
  P: "pillbug",
};
const SIDES: Readonly<Record<Side, string>> = {
  west: "west",
  east: "east",
  "north-west": "north-west",
  "south-east": "south-east",
  "south-west": "south-west",
  "north-east": "north-east",
};

/** `White ant`. */
export const kind = (seat: string, bug: Bug): string => `${seat} ${BUGS[bug]}`;
/** `White ant 2`; `number` is 0 if there is only one. */
export const piece = (seat: string, bug: Bug, number: number): string =>
  number === 0 ? kind(seat, bug) : `${kind(seat, bug)} ${number}`;
const midSentence = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);
/** From the top down: `White beetle 1 on black queen`. */
export const stack = (pieces: readonly string[]): string =>
  pieces.map((name, depth) => (depth === 0 ? name : midSentence(name))).join(" on ");
export const pass = "Pass";
export const opens = (moved: string): string => `${moved} opens the game`;
export const onto = (moved: string, other: string): string => `${moved} onto ${midSentence(other)}`;
export const beside = (moved: string, side: Side, other: string): string =>
  `${moved} ${SIDES[side]} of ${midSentence(other)}`;

export const mustPass = "Pass (no legal move)";
export const passed = (seat: string): string => `${seat} passed.`;
export const chooseBelow = "Choose a piece from your hand below ↓";
export const chooseAbove = "Choose a piece from your hand above ↑";
export const hand = (seat: string): string => `${seat}'s pieces in hand`;
export const inHand = (kindName: string, count: number): string => `${kindName}, ${count} in hand`;
export const queen = (seat: string, occupied: number, around: number): string =>
  `${seat} queen: ${occupied} of ${around} surrounding cells are occupied`;
/** The ends of a stack. */
export const bottom = "bottom";
export const top = "top";

export const removePiece = "Remove a piece";
export const giveTurn = (seat: string): string => `Give the turn to ${seat}`;
export const emptyBoard = "Empty board";
export const emptyCell = (column: number, row: number): string => `Empty, column ${column}, row ${row}`;
export const left = (kindName: string, count: number): string => `${kindName} (${count} left)`;
