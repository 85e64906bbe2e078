// Which steps of the lessons this browser's reader has solved.

const KEY = "plyhouse-learnt";

/** The titles of the solved steps of a game; none if the browser stores nothing. */
export function learntIn(game: string): ReadonlySet<string> {
  return new Set(all()[game]);
}

/** Stores that a step is solved, if the browser allows it. */
export function keepLearnt(game: string, title: string): void {
  const titles = [...new Set([...(all()[game] ?? []), title])];
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...all(), [game]: titles }));
  } catch {
    // The marks are lost when the page is left.
  }
}

function all(): Readonly<Record<string, readonly string[]>> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, readonly string[]>;
  } catch {
    return {};
  }
}
