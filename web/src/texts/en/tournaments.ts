// The tournaments of the server, and the form for a new one.

export const heading = "Tournaments";
export const introduction =
  "Of bots, built-in levels and people. The server pairs the rounds and starts the games.";
export const noneYet = "There has been none yet.";
export const tournament = "Tournament";
export const players = "Players";
export const now = "Now";
export const more = "More";
export const newTournament = "New tournament";
export const name = "Name";
export const system = "System";
export const rounds = "Rounds (empty: as many as usual)";
export const seats = "Seats of each game";
export const gamesOfPair = "Games of each pair";
export const gamesOfTable = "Games of each table";
export const time = "Time";
export const entering = "Who enters players";
export const whoEnters = { anyone: "Anyone", owner: "Only I" };
export const startsAt = "Starts at (without a time: when you start it)";
export const create = "Create tournament";
