// Records of games, with or without variations, for the analysis board.
import * as texts from "#texts/variations";
import { readRecord } from "../api/variations";
import { boardPath } from "./board-address";
import { keepTree, keptTree } from "./kept-tree";
import { lineEnd, movesAt } from "./variations";
import { fromList, looksLikeTree, readTree, writeTree, type Written } from "./variations-file";

const NO_ROOM = texts.noRoomForFile;

/** A tree that was read; `notes` say what in its text was ignored, assumed or left out. */
export interface TakenTree {
  readonly written: Written;
  readonly notes: readonly string[];
}

/** Reads a file of variations, or a record of any format. Throws an Error with a sentence. */
export async function treeIn(text: string, format = "auto"): Promise<TakenTree> {
  if (format === "auto" && looksLikeTree(text)) return { written: readTree(text), notes: [] };
  const { notes, ...list } = await readRecord(text, format);
  return { written: fromList(list), notes };
}

/**
 * Keeps a tree for a board of its own, unless it is kept already, with what was changed since; returns the address of that
 * board, at the start or the end of the main line. Throws an Error with a sentence if there is no room.
 */
export function boardOf(written: Written, at: "start" | "end"): string {
  const { game, variant, config } = written.start;
  const record = hash(writeTree(written));
  if (keptTree(written.start, record) === null && !keepTree(written, record)) throw new Error(NO_ROOM);
  const root = { root: written.root, path: [] };
  const moves = at === "start" ? [] : movesAt({ ...root, path: lineEnd(root) });
  return boardPath(game, { record, variant, config, moves });
}

/** A short text that is the same for the same text (FNV-1a). */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (const char of text) value = Math.imul(value ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return (value >>> 0).toString(36);
}
