// The board on which moves are tried.

export const boardOf = (game: string): string => `${game} board`;
export const loading = "Loading the board…";
export const unassisted =
  "This game is played without assistance: until it is over, no engine helps on this board.";
export const engine = "Engine";
export const lines = "Lines";
export const by = "By";
export const analysedBy = "Analysed by";
export const thisServer = "This server";
export const hasLeft = (name: string): string => `${name} (has left)`;
export const gameOver = "The game is over in this position.";
export const noLines = (source: string, bestMove: string): string =>
  `${source} gives no lines. Its best move: ${bestMove}`;
export const setUp = "Set up";
export const rules = "Rules";
export const noGame = (game: string): string => `There is no game ${game}.`;
export const otherGame = (gameId: string): string => `Game ${gameId} is another game.`;

export const howToSetUp =
  "Choose what to place, then click on the board. With the keyboard, go to the board by Tab, to the place by the arrow keys, and press Enter.";
export const whatToPlace = "What to place";
export const onlyAsText = "Positions of this game are set up as text.";
export const asText = "As text";
export const configuration = "Configuration";
export const analysePosition = "Analyse this position";
export const notJson = "This is not a JSON object.";
