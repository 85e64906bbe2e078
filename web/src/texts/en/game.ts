// A game to play or to watch, without its board.

export const boardAndPlayers = "Board and players";
export const noEvaluationYet = "Evaluations are available after the game.";
export const evaluation = "Evaluation";
export const giveTime = (seconds: number): string => `Give ${seconds} seconds`;
export const moreTime = (seconds: number): string => `+${seconds} s`;
export const pastPosition = (ply: number, last: number): string => `Position after move ${ply} of ${last}`;
export const backToGame = "Back to the game";
export const backToEnd = "Back to the end";
export const howToPlay = "How to play";

/** The title of a notification. */
export const yourTurn = "Your turn";
export const botIsAway = "Waiting for the bot to reconnect.";
export const closed = "The server closed the connection. Please reload the page.";
export const watching = "You are watching.";
export const hostKnowsOrder =
  "The creator of this game chose its seed, and so knows everything that will be drawn.";
export const join = "Join this game";

export const goToRematch = "Go to the rematch";
export const watchRematch = "Watch the rematch";
export const offerFrom = (name: string): string => `Offer from ${name}`;
export const accept = "Accept";
export const decline = "Decline";
export const absentPlayer = "Absent player";
export const playerHasLeft = "The player to move has left.";
export const claimWin = "Claim the win";
export const goOnWithout = "Go on without";
export const callDraw = "Call a draw";
export const takeback = "Takeback";
export const offerDraw = "Offer draw";
export const resign = "Resign";
export const resignNow = "Resign the game?";
export const abort = "Abort";
export const abortNow = "Abort the game?";
export const keepPlaying = "Keep playing";
export const rematch = "Rematch";
export const analysis = "Analysis";
export const record = "Record";
export const newGame = "New game";
export const goToTournament = "Go to the tournament";
export const yourGameIn = (tournament: string): string => `Your game in ${tournament}`;
export const nextGameOf = (tournament: string): string => `Your next game of ${tournament} has begun.`;
export const playNext = "Play it";

export const chat = "Chat";
export const newMessages = (count: number): string =>
  count === 1 ? "1 new message" : `${count} new messages`;
export const message = "Message";
export const writeMessage = "Write a message";
export const send = "Send";
export const readByAll = "The players and everybody who watches read this.";
export const readBySpectators = "Only spectators read this.";
