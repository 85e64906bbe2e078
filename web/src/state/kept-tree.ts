// The variations on analysis boards, which this tab keeps over a reload: those of the boards that were changed last. A board
// is known by its start, or by what it was opened from: a game of the server, or a record.
import type { Start } from "../api/positions";
import { readTree, writeTree, type Written } from "./variations-file";

const PREFIX = "plyhouse.variations ";

/** How many trees are kept. */
const KEPT = 8;

function keyOf(start: Required<Start>, source: string | null): string {
  return PREFIX + (source ?? JSON.stringify(start));
}

/** Keeps a tree; returns whether there was room. */
export function keepTree(written: Written, source: string | null): boolean {
  const key = keyOf(written.start, source);
  try {
    sessionStorage.removeItem(key); // The latest key comes last in the list.
    const keys = keptKeys().filter((other) => other !== key);
    keptList([...keys, key]);
    sessionStorage.setItem(key, writeTree(written));
    return true;
  } catch {
    return false;
  }
}

/** The kept tree of a board. */
export function keptTree(start: Required<Start>, source: string | null): Written | null {
  try {
    const kept = readTree(sessionStorage.getItem(keyOf(start, source)) ?? "");
    return JSON.stringify(kept.start) === JSON.stringify(start) ? kept : null;
  } catch {
    return null; // Nothing is kept, or the browser keeps nothing.
  }
}

function keptKeys(): readonly string[] {
  return JSON.parse(sessionStorage.getItem(PREFIX) ?? "[]") as readonly string[];
}

/** Notes which trees are kept, the oldest first, and forgets those that are too many. */
function keptList(keys: readonly string[]): void {
  for (const key of keys.slice(0, -KEPT)) sessionStorage.removeItem(key);
  sessionStorage.setItem(PREFIX, JSON.stringify(keys.slice(-KEPT)));
}
