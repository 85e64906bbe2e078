// What this browser keeps of puzzles: which were seen, so that the next one is another, which were solved at the first
// attempt, and how many one after the other.
import { store, stored } from "./stored";

const KEY = "plyhouse-puzzles";

/** Ids that are kept for each game, so that the next puzzle is another one; the oldest are dropped. */
const KEPT = 1000;

interface Kept {
  /** The latest at the end. */
  readonly seen: readonly string[];
  readonly streak: number;
  readonly best: number;
}

const NOTHING: Kept = { seen: [], streak: 0, best: 0 };

function all(): Readonly<Record<string, Kept>> {
  return stored(KEY, {});
}

/** How many puzzles of the game were solved one after the other: now, and at most. */
export function streakIn(game: string): Pick<Kept, "streak" | "best"> {
  return all()[game] ?? NOTHING;
}

/** The ids of the puzzles that were solved or given up. */
export function seenIn(game: string): ReadonlySet<string> {
  return new Set((all()[game] ?? NOTHING).seen);
}

/** Notes the first result of a puzzle; later ones do not count. */
export function keepResult(game: string, id: string, isSolved: boolean): void {
  const { seen, streak, best } = all()[game] ?? NOTHING;
  const now = isSolved ? streak + 1 : 0;
  const kept = { seen: [...seen.filter((other) => other !== id), id].slice(-KEPT), streak: now };
  store(KEY, { ...all(), [game]: { ...kept, best: Math.max(best, now) } });
}
