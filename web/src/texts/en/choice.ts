// The choices for a new game: time controls, and what is wrong with a choice.

export const clocks = {
  none: "No clock",
  bullet: "1 minute",
  blitz: "3 minutes + 2 s per move",
  rapid: "10 minutes + 2 s per move",
  classical: "30 minutes",
};
export const chooseColumns = (min: number, max: number): string => `Choose ${min} to ${max} columns.`;
export const chooseRows = (min: number, max: number): string => `Choose ${min} to ${max} rows.`;
export const chooseMoveSeconds = (min: number, max: number): string =>
  `Choose ${min} to ${max} seconds for each move.`;
export const chooseMinutes = (min: number, max: number): string => `Choose ${min} to ${max} minutes.`;
export const chooseIncrement = (min: number, max: number): string =>
  `Choose ${min} to ${max} whole seconds per move.`;
