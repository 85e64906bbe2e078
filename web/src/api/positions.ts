// Positions that belong to no game: after any moves from any start.
import { call } from "./http";
import type { Position } from "./shapes";

/** A start; members that are absent have the game's defaults. */
export interface Start {
  readonly game: string;
  readonly variant?: string;
  readonly config?: Readonly<Record<string, unknown>>;
}

/** Seeds are below this. */
const SEEDS = 2 ** 31;

/**
 * The position after the moves; `staged` is the beginning of a further move, whose continuations are then `legal`. Where the
 * order is hidden, a move that does not tell what it revealed draws it by chance: `history` has it.
 */
export async function getPositionAfter(
  { game, variant, config = {} }: Start,
  moves: readonly string[],
  staged = "",
): Promise<Position> {
  const deal = Math.floor(Math.random() * SEEDS);
  const body = { game, config, moves, staged, deal, ...(variant === undefined ? {} : { variant }) };
  return (await call<{ position: Position }>("POST", "/api/positions", { body })).position;
}
