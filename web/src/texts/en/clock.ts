// Clocks and time controls.

export const timeLeft = "Time left";
export const none = "no clock";
export const secondsPerMove = (seconds: number): string => `${seconds} s per move`;
export const seconds = (count: number): string => `${count} s`;
