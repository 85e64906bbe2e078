// The elements on other sites.

export const open = "Open on Plyhouse, in a new tab";
export const badServer = (attribute: string): string =>
  `No game is shown: the attribute server, “${attribute}”, is no address.`;
export const noGameId =
  "No game is shown: the attribute game-id is missing. It is the last part of the address of a game.";
