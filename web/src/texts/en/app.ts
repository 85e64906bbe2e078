// The frame around every page.

/** For search engines. */
export const description = "Play board games against engines, bots and friends.";
export const lobby = "Lobby";
export const newGame = "New game";
export const bots = "Bots";
export const tournaments = "Tournaments";
export const analyse = "Analyse";
export const settings = "Settings";
export const notFound = "Page not found.";
export const notLoaded = "This page could not be loaded.";
export const loadAgain = "Load it again";
