// What is said about players, results and the status of games.
import { number } from "./formats";

type Reasons = Readonly<Record<string, string>>;

/** The ends of sentences about results, by their reasons. */
export const reasons: Reasons = {
  resignation: "by resignation",
  timeout: "on time",
  disconnect: "because the other player disconnected",
  "illegal-move": "after an illegal move",
  protocol: "after a protocol violation",
  desync: "because the players disagreed about the position",
  "draw-agreement": "by agreement",
  "ply-limit": "because the game was too long",
  unknown: "",
};
/** Those that differ in games for more than two, which end when a single player is left. */
export const reasonsForMany: Reasons = { disconnect: "because the last opponent disconnected" };
/** Those that differ in lists. */
export const listedReasons: Reasons = { disconnect: "by disconnection", "ply-limit": "", aborted: "" };
/** How one loses a game for two by something that the loser has done. */
export const losses: Reasons = {
  resignation: "by resignation",
  timeout: "on time",
  disconnect: "because you had left",
  "illegal-move": "by an illegal move",
};
export const noted = (reason: string, note: string): string => `${reason}: “${note}”`;

const sentence = (...parts: readonly string[]): string => `${parts.filter((part) => part !== "").join(" ")}.`;

export const drawn = (how: string): string => sentence("Draw", how);
export const wins = (name: string, how: string): string => sentence(name, "wins", how);
export const allWin = (names: string, how: string): string => sentence(names, "win", how);
export const won = (names: string, how: string): string => sentence(names, "won", how);
export const lost = (how: string): string => `You lost ${how}.`;
export const lostTo = (names: string, how: string): string => `You lost: ${won(names, how)}`;

export const you = "You";
export const openSeat = "Open seat";
export const player = (number: number): string => `Player ${number}`;
export const withEngine = (name: string): string => `${name} (engine)`;

export const yourTurn = "Your turn.";
export const aborted = "Game aborted.";
export const waitingFor = (names: string): string => `Waiting for ${names}.`;
export const toMove = (names: string): string => `${names} to move.`;
export const youHaveLeft = (turn: string): string => `You have left the game. ${turn}`;
export const openSeats = (count: number): string =>
  count > 1 ? `This game has ${count} open seats.` : "This game has an open seat.";
export const waitingForPlayers = (count: number): string =>
  count > 1 ? `Waiting for ${count} players.` : "Waiting for an opponent.";

export const noAssistance = ", no engine assistance";
export const evaluationAllowed = ", engine evaluation allowed";
export const evaluationOnFor = (names: string): string =>
  `, engine evaluation on for ${names.replace(/^You\b/, "you")}`;
/** The evaluator of a position and its work. */
export const basis = (source: string, visits: number): string =>
  `${source}, ${number(visits)} ${visits === 1 ? "visit" : "visits"}`;
