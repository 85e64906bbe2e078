// How many there are of something.

export const moves = (count: number): string => `${count} ${count === 1 ? "move" : "moves"}`;
