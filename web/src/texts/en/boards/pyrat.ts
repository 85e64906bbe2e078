// The board of PyRat.
import type { Parts } from "../../parts";

type Direction = "UP" | "RIGHT" | "DOWN" | "LEFT" | "STAY";

const PLAY = "Collect more cheese than the other player. Both move at the same time:";
export const lessonForTouch = `${PLAY} swipe, or tap a cell next to you. A tap on your own cell stays.`;
export const lesson = `${PLAY} press an arrow key or W, A, S or D, or click a cell next to you. The space bar or a click on your own cell stays.`;
export const recordFormat = "PRF";
export const steeredBoard = "Board: arrow keys or W, A, S, D move, the space bar stays";
export const showSurroundings = "Show your surroundings";

export const seats = ["Rat", "Python"] as const;
export const directions: Readonly<Record<Direction, string>> = {
  UP: "Up",
  RIGHT: "Right",
  DOWN: "Down",
  LEFT: "Left",
  STAY: "Stay",
};
const DONE: Readonly<Record<Direction, string>> = {
  UP: "up",
  RIGHT: "right",
  DOWN: "down",
  LEFT: "left",
  STAY: "stays",
};
/** One player's part of a turn: `Rat up`. */
export const step = (seat: string, direction: Direction): string => `${seat} ${DONE[direction]}`;
export const throughMud = (direction: string, turns: number): string =>
  `${direction}, through mud of ${turns} turns`;
export const held = (turns: number): string =>
  `held by mud for ${turns === 1 ? "one more turn" : `${turns} more turns`}`;
export const player = (seat: string, x: number, y: number, points: number): string =>
  `${seat} on ${x}, ${y}, points: ${points}`;
export const mudOf = (turns: number): string => `Mud of ${turns} turns`;

export const score = (first: number, second: number, cheese: number, total: number): string =>
  `Rat ${first}, Python ${second}, cheese left: ${cheese} of ${total}`;
/** `shown`: the turn's number. */
export const turn = <Part>(shown: Part, last: number): Parts<Part> => ["Turn ", shown, ` of ${last}`];
export const cheeseLeft = <Part>(shown: Part, total: number): Parts<Part> => [
  shown,
  ` of ${total} cheese left`,
];
export const you = "you";
export const heldFor = (player: string, turns: number): string => `${player} for ${turns}`;
export const inMud = (players: string): string => `In mud: ${players}`;

export const cheese = "Cheese";
export const wall = "Wall";
export const mud = "Mud";
export const removeWalls = "Remove walls and mud";
/** What is on a cell besides players. */
export const cheeseThere = "cheese";
export const edge = (one: string, other: string): string => `Between ${one} and ${other}`;
export const walledEdge = (one: string, other: string): string => `Between ${one} and ${other}, wall`;
export const muddyEdge = (one: string, other: string, turns: number): string =>
  `Between ${one} and ${other}, mud ${turns}`;
