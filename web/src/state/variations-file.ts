// Trees of variations as text: what the board exports, imports and keeps over a reload. Pure.
import * as texts from "#texts/variations";
import type { Start } from "../api/positions";
import type { ListedMove, ListedTree } from "../api/variations";
import {
  GLYPHS,
  LONGEST_COMMENT,
  LONGEST_LINE,
  MOST_BRANCHES,
  MOST_NESTED,
  START,
  type Branch,
  type Glyph,
} from "./variations";

const FORMAT = "plyhouse variations 1";

export interface Written {
  readonly start: Required<Start>;
  readonly root: Branch;
}

/** A branch as it is written: members without content are left out. */
interface WrittenBranch {
  readonly move?: string;
  readonly comment?: string;
  readonly glyph?: Glyph;
  readonly next?: readonly WrittenBranch[];
}

export function writeTree({ start, root }: Written): string {
  const { game, variant, config } = start;
  return JSON.stringify({ format: FORMAT, game, variant, config, ...short(root) });
}

function short({ move, comment, glyph, next }: Branch): WrittenBranch {
  return {
    ...(move === "" ? {} : { move }),
    ...(comment === "" ? {} : { comment }),
    ...(glyph === null ? {} : { glyph }),
    ...(next.length === 0 ? {} : { next: next.map(short) }),
  };
}

/** Reads a written tree; throws an Error with a sentence if it is not one. Whether moves are legal is not examined. */
export function readTree(text: string): Written {
  const read = parsed(text);
  const { game, variant, config, format } = read;
  if (format !== FORMAT) throw new Error(texts.otherFormat(FORMAT));
  if (typeof game !== "string" || typeof variant !== "string" || !isObject(config))
    throw new Error(texts.noGame);
  const count = { moves: 0 };
  return { start: { game, variant, config }, root: { ...readBranch(read, 0, 0, count), move: "" } };
}

/** Whether a text is meant as a written tree, correct or not. */
export function looksLikeTree(text: string): boolean {
  return /^\s*\{[^{}]*"plyhouse variations/.test(text);
}

/** The tree as the list in which the server takes and sends it. */
export function listed({ start, root }: Written): ListedTree {
  const moves: ListedMove[] = [];
  const add = (branch: Branch, after: number): void => {
    for (const next of branch.next) {
      const { move, comment, glyph } = next;
      moves.push({
        after,
        move,
        ...(comment === "" ? {} : { comment }),
        ...(glyph === null ? {} : { glyph }),
      });
      add(next, moves.length);
    }
  };
  add(root, 0);
  return { ...start, ...(root.comment === "" ? {} : { comment: root.comment }), moves };
}

export function fromList({ game, variant, config, comment = "", moves }: ListedTree): Written {
  const branches: { -readonly [Member in keyof Branch]: Branch[Member] }[] = [{ ...START, comment }];
  for (const { after, move, comment: text = "", glyph } of moves) {
    const branch = { ...START, move, comment: text, glyph: isGlyph(glyph) ? glyph : null };
    const parent = branches[after];
    if (parent !== undefined) parent.next = [...parent.next, branch];
    branches.push(branch);
  }
  return { start: { game, variant, config }, root: branches[0] ?? START };
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(text);
    if (isObject(read)) return read;
  } catch {
    // Said below.
  }
  throw new Error(texts.notJson);
}

function readBranch(read: unknown, depth: number, nested: number, count: { moves: number }): Branch {
  if (!isObject(read)) throw new Error(texts.noObject);
  const { move = "", comment = "", glyph = null, next = [] } = read;
  if (typeof move !== "string" || (depth > 0 && move === "")) throw new Error(texts.noMove);
  if (typeof comment !== "string" || comment.length > LONGEST_COMMENT)
    throw new Error(texts.longComment(LONGEST_COMMENT));
  if (glyph !== null && !isGlyph(glyph)) throw new Error(texts.unknownMark(GLYPHS.join(" ")));
  if (!Array.isArray(next)) throw new Error(texts.noList);
  count.moves += next.length;
  if (count.moves > MOST_BRANCHES) throw new Error(texts.manyMoves(MOST_BRANCHES));
  if (depth >= LONGEST_LINE && next.length > 0) throw new Error(texts.longLine(LONGEST_LINE));
  if (nested > MOST_NESTED) throw new Error(texts.deeplyNested(MOST_NESTED));
  const branchOf = (each: unknown, index: number): Branch =>
    readBranch(each, depth + 1, nested + Math.min(index, 1), count);
  return { ...START, move, comment, glyph, next: next.map(branchOf) };
}

function isObject(read: unknown): read is Readonly<Record<string, unknown>> {
  return typeof read === "object" && read !== null && !Array.isArray(read);
}

function isGlyph(read: unknown): read is Glyph {
  return GLYPHS.some((glyph) => glyph === read);
}
