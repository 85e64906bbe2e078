// Requests for puzzles, one function each.
import { call } from "./http";

export interface Puzzle {
  readonly id: string;
  readonly game: string;
  readonly variant: string;
  readonly config: Readonly<Record<string, unknown>>;
  /** Lead to the position. */
  readonly moves: readonly string[];
  /** The seat that is asked for its move. */
  readonly seat: number;
  readonly difficulty: string;
  readonly themes: readonly string[];
  /** Moves of the seat, and after each but the last the answer of the other one. */
  readonly solution: readonly string[];
  /** The seat's expected score after the first of them, from 0 to 1. */
  readonly share: number;
  /** What follows a move of the seat in the record, in games in which moves reveal something. */
  readonly tail: string;
}

/** The puzzles of a game: how many there are of each kind. */
export interface PuzzleGame {
  readonly game: string;
  readonly count: number;
  readonly variants: Readonly<Record<string, number>>;
  /** Easiest first. */
  readonly difficulties: Readonly<Record<string, number>>;
  readonly themes: readonly { readonly theme: string; readonly title: string; readonly count: number }[];
}

/** Which puzzles are wanted; an empty text stands for all. */
export interface PuzzleWish {
  readonly variant: string;
  readonly theme: string;
  readonly difficulty: string;
}

export async function getPuzzleGames(): Promise<readonly PuzzleGame[]> {
  return (await call<{ games: readonly PuzzleGame[] }>("GET", "/api/puzzles/games")).games;
}

/** Up to so many puzzles, drawn at random. */
export async function drawPuzzles(game: string, wish: PuzzleWish, count: number): Promise<readonly Puzzle[]> {
  const query = new URLSearchParams({ game, order: "random", pageSize: String(count) });
  for (const [name, value] of Object.entries(wish)) if (value !== "") query.set(name, value as string);
  return (await call<{ puzzles: readonly Puzzle[] }>("GET", `/api/puzzles?${query}`)).puzzles;
}

export function getPuzzle(id: string): Promise<Puzzle> {
  return call("GET", `/api/puzzles/${encodeURIComponent(id)}`);
}
