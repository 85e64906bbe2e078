// The form for a new game.

export const newGame = "New game";
export const newGameOf = (game: string): string => `New game of ${game}`;
export const noGames = "The server has no games.";
export const opponent = "Opponent";
export const opponents = { engine: "Engine", bot: "Attached bot", friend: "Friend", anybody: "Anyone" };
export const level = "Level";
export const bot = "Bot";
export const noBotForVariant = "No attached bot plays this variant.";
export const noBotForBoard = "No attached bot plays this board.";
export const players = "Players";
export const guests = "Who can join";
/** Who can take the open seats of a game for more than two. */
export const whoCanJoin = { friend: "With the link", anybody: "Anyone" };
export const engineEvaluation = "Engine evaluation";
export const evaluation = { open: "During the game", none: "After the game" };
export const youMove = "You move";
/** Where the seats have names. */
export const youPlay = "You play";
/** The names of the sides in games that do not name their seats. */
export const sides: readonly string[] = ["First", "Second", "Third", "Fourth", "Fifth"];
export const create = "Create game";
export const play = "Play";

export const columns = "Columns";
export const rows = "Rows";

export const time = "Time";
export const fixedTime = "Fixed time per move";
export const otherClock = "Other…";
export const noClock = "This bot plays without a clock.";
export const minutes = "Minutes";
export const secondsPerMove = "Seconds per move";
export const lateMove = "A player whose time runs out makes no move, and the game goes on.";
