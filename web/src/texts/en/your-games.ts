// The viewer's games, and how to take them to another browser.

export const heading = "Your games";
export const none = "The games that you play in this browser appear here.";
export const showMore = "Show more";
export const gone = (gameId: string): string => `This server has no game ${gameId} with your seat.`;
export const remove = "Remove";
export const removeGame = (gameId: string): string => `Remove the game ${gameId}`;
export const transfer = "Continue in another browser";
export const aboutTransfer =
  "This browser keeps the keys to your seats. Save them to a file here and open it there. Whoever has the file can play your games.";
export const save = "Save to a file";
export const open = "Open a file";
export const added = (count: number): string =>
  count === 1 ? "One game was added." : `${count} games were added.`;
export const notExported = "This is not a list of seats that a Plyhouse page has exported.";
