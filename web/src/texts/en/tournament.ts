// One tournament: where it stands, its players, its table and its rounds.
import { games } from "./counts";
import { momentOf } from "./times";

/** The systems of pairing. */
export const systems = { "round-robin": "Round robin", swiss: "Swiss", gauntlet: "Gauntlet" };
export const gamesOfPair = (count: number): string => `${games(count)} of each pair`;
export const gamesOfTable = (count: number, seats: number): string =>
  `${games(count)} of each table of ${seats}`;
export const allTournaments = "All tournaments";
export const heading = "Tournament";

export const openForEntries = "Open for entries";
/** `at`: in milliseconds since the epoch. */
export const starts = (at: number): string => `Starts ${momentOf(at)}`;
export const starting = "Starting";
export const roundOf = (round: number, rounds: number): string => `Round ${round} of ${rounds}`;
export const finished = "Finished";
export const cancelled = "Cancelled";

export const youAreWithdrawn = "You are no longer entered: the owner has withdrawn you.";
export const yourGameIn = (tournament: string): string => `Your game in ${tournament}`;
export const playYourGame = "Play your game";
export const onlyOwnerEnters = "Only its owner enters players in this tournament.";
export const enter = "Enter";
export const enterBot = "Enter bot";
export const bot = "Bot";
export const start = "Start";
export const startNow = "Start now";
export const cancel = "Cancel tournament";
export const cancelNow = "Cancel it?";
export const goOn = "Go on";
export const nobodyYet = "Nobody has entered yet.";
export const players = "Players";
export const person = "person";
export const withdrawn = "withdrawn";
export const withdraw = "Withdraw";
export const withdrawNow = "Withdraw?";
export const stay = "Stay";

export const table = "Table";
export const player = "Player";
export const points = "Points";
export const byes = "Byes";
export const resultsAtTables =
  "The numbered columns have the results against each player: 1 for a better place, ½ for the same. A game is worth their mean.";
export const entry = "Entry";
export const asFiles = "As files:";
export const csv = "CSV";
export const text = "text";
export const round = (number: number): string => `Round ${number}`;
export const bye = (players: string): string => `Bye: ${players}`;
export const playing = "playing";
export const toBePlayed = "to be played";
/** The ends of sentences about games that were not played. */
export const forfeits: Readonly<Record<string, string>> = {
  absent: "by forfeit: not connected",
  unavailable: "by forfeit",
  withdrawn: "by forfeit: withdrawn",
  aborted: "without a result",
};
