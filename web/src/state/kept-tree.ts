// The variations on the analysis board, which this tab keeps over a reload: those of the start that was shown last.
import type { Start } from "../api/positions";
import { readTree, writeTree, type Written } from "./variations-file";

const KEY = "plyhouse.variations";

/** Keeps a tree; returns whether there was room. */
export function keepTree(written: Written): boolean {
  try {
    sessionStorage.setItem(KEY, writeTree(written));
    return true;
  } catch {
    return false;
  }
}

/** The kept tree, if it is of this start. */
export function keptTree(start: Required<Start>): Written | null {
  try {
    const kept = readTree(sessionStorage.getItem(KEY) ?? "");
    return JSON.stringify(kept.start) === JSON.stringify(start) ? kept : null;
  } catch {
    return null; // Nothing is kept, or the browser keeps nothing.
  }
}
