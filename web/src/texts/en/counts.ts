// How many there are of something.

export const moves = (count: number): string => `${count} ${count === 1 ? "move" : "moves"}`;
export const games = (count: number): string => `${count} ${count === 1 ? "game" : "games"}`;
export const players = (count: number): string => `${count} ${count === 1 ? "player" : "players"}`;
export const points = (count: number): string => `${count} ${count === 1 ? "point" : "points"}`;
