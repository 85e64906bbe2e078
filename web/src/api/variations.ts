// Trees of variations from and as text, as the server reads and writes them. Nothing is stored.
import { call } from "./http";
import type { Start } from "./positions";

/** A move of a tree in a list; `after`: which move of the list it follows, counted from 1; 0: the start. */
export interface ListedMove {
  readonly after: number;
  readonly move: string;
  readonly comment?: string;
  readonly glyph?: string;
}

/** A tree as a list: of the moves that follow the same one, the main one comes first. */
export interface ListedTree extends Required<Start> {
  readonly comment?: string;
  readonly moves: readonly ListedMove[];
}

/** The moves of a record in any format, with its variations; `notes` say what was ignored, assumed or left out. */
export function readRecord(
  text: string,
  format = "auto",
): Promise<ListedTree & { readonly notes: readonly string[] }> {
  return call("POST", "/api/variations", { body: { text, format } });
}

/** The tree as text, in one of its game's `variationFormats`. */
export function writeRecord(tree: ListedTree, format: string): Promise<string> {
  return call("POST", "/api/variations/text", { body: { ...tree, format } });
}
