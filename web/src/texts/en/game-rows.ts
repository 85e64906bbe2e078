// The games of lists, each in a row.

export const evaluationOn = ", evaluation on";
export const analysis = "Analysis";
export const noClock = "no clock";
export const secondsPerMove = (seconds: number): string => `${seconds} s per move`;
export const seconds = (count: number): string => `${count} s`;
