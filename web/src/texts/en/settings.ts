// What a person can set for this browser.

export const heading = "Settings";
export const theme = "Theme";
export const themes = { system: "As the system", light: "Light", dark: "Dark" };
/** Each with what it changes. */
export const switches = {
  sounds: ["Sounds", "Moves, scores, your turn, low time and the end"],
  confirmation: ["Confirm moves", "A complete move waits for a button, except in PyRat"],
  coordinates: ["Coordinates", "The names of rows and columns, where a board has them"],
  animation: ["Animations", "Pieces glide to their places"],
  notifications: ["Notifications", "When it is your turn and this page is hidden"],
} as const satisfies Readonly<Record<string, readonly [string, string]>>;
export const done = "Done";
export const notSecure = "This browser notifies only for pages with an https address.";
export const notAllowed = "The browser's settings for this page do not allow notifications.";
