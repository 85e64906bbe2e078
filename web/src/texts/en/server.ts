// What is wrong when the server does not say it.

export const silent = "The server does not respond.";
export const failed = (status: number): string => `The server answered with an error (${status}).`;
export const closed = "The server closed the connection.";
export const noGame = (game: string): string => `This server has no game named ${game}.`;
export const noBoard = (game: string): string => `This page has no board for ${game}.`;
