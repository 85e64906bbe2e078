// What screen readers say when moves have been played. Pure; the game page shows it in a live region.
import type { Game } from "../api/shapes";
import { playerName } from "./labels";
import { moversOf, movesOf } from "./moves";

export interface Audience {
  /** The viewer's seat; null for spectators. */
  readonly own: number | null;
  /** Whether a move is a turn of all seats. */
  readonly isSimultaneous: boolean;
  /** A move in words. */
  readonly spell: (move: string) => string;
}

/** The last move, or all since the viewer's own: `Ada: Cat to b4. Bo: Pass.` */
export function announcement(
  { seats, position }: Pick<Game, "seats" | "position">,
  audience: Audience,
): string {
  const { own, isSimultaneous, spell } = audience;
  const moves = movesOf(position.history);
  const last = moves.at(-1);
  if (last === undefined) return "";
  if (isSimultaneous) return `${spell(last)}.`;
  const movers = moversOf(position.history, seats.length);
  const first = own === null ? moves.length - 1 : Math.min(movers.lastIndexOf(own) + 1, moves.length - 1);
  const said = moves.slice(first).map((move, index) => {
    const seat = seats[movers[first + index] ?? 0];
    return `${seat === undefined ? "" : playerName(seat, own)}: ${spell(move)}.`;
  });
  return said.join(" ");
}
