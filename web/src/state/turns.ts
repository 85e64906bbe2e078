// Turns in which all seats act together, each without knowing the moves of the others. Pure.
import type { Game, Position } from "../api/shapes";
import { leaversIn, movesOf } from "./moves";

/** The player's part of a turn, as sent to the server. */
export interface SentMove {
  readonly ply: number;
  readonly move: string;
}

/** The seats that have made their moves in a turn that others have yet to complete. */
export function movedSeats({ position, seats }: Pick<Game, "position" | "seats">): number[] {
  const { pending, history } = position;
  if (pending === undefined) return [];
  const left = leaversIn(history);
  return seats.map(({ seat }) => seat).filter((seat) => !pending.includes(seat) && !left.includes(seat));
}

/** The viewer's move while the server keeps it sealed; null if there is none, or if it was sent from elsewhere. */
export function sealedMove(
  game: Pick<Game, "position" | "seats" | "seatIndex">,
  sent: SentMove | null,
): string | null {
  const isSealed = game.seatIndex !== null && movedSeats(game).includes(game.seatIndex);
  return isSealed && sent?.ply === game.position.ply ? sent.move : null;
}

/** The parts of a turn, by seat. */
export function partsOf(turn: string): readonly string[] {
  return turn.split("/");
}

/** Whether both follow the same moves. Seats may have left in between. */
export function hasSameMoves(one: Position, other: Position): boolean {
  return one.status === other.status && movesOf(one.history).join() === movesOf(other.history).join();
}

interface Options {
  readonly legal: readonly string[];
  readonly canFinish: boolean;
}

/** What the player may do next in the requested position. */
export function options({ seatIndex: seat, position }: Game): Options {
  const { toAct, legal, canFinish } = position;
  if (seat === null || !toAct.includes(seat)) return { legal: [], canFinish };
  const own = Array.isArray(legal) ? legal : (legal as Record<string, readonly string[]>)[seat];
  return { legal: (own as readonly string[] | undefined) ?? [], canFinish };
}
