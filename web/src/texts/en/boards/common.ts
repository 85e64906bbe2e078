// The boards of all games.

export const board = "Board";
export const zoomOut = "Zoom out";
export const zoomIn = "Zoom in";
export const showEverything = "Show everything";
/** With the key that does the same. */
export const withKey = (what: string, key: string): string => `${what} (${key})`;
