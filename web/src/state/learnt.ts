// Which steps of the lessons this browser's reader has solved.
import { store, stored } from "./stored";

const KEY = "plyhouse-learnt";

/** The titles of the solved steps of a game. */
export function learntIn(game: string): ReadonlySet<string> {
  return new Set(all()[game]);
}

export function keepLearnt(game: string, title: string): void {
  store(KEY, { ...all(), [game]: [...new Set([...learntIn(game), title])] });
}

function all(): Readonly<Record<string, readonly string[]>> {
  return stored(KEY, {});
}
