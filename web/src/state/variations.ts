// A tree of variations: the moves that were tried from a start, with comments and marks. Pure.
//
// A place in the tree is a path: which continuation was taken at each branching. The first continuation everywhere is the
// main line.

/** What a mark says about a move, as printed by most analysis programs. */
export const GLYPHS = ["!!", "!", "!?", "?!", "?", "??"] as const;

export type Glyph = (typeof GLYPHS)[number];

export interface Branch {
  /** The whole move; empty at the start. */
  readonly move: string;
  readonly comment: string;
  readonly glyph: Glyph | null;
  /** The continuations, the main one first. */
  readonly next: readonly Branch[];
}

export type Path = readonly number[];

/** A tree, and the place in it that is shown. */
export interface Place {
  readonly root: Branch;
  readonly path: Path;
}

export const START: Branch = { move: "", comment: "", glyph: null, next: [] };

/** The most moves of a tree, and of a line from the start. */
export const MOST_BRANCHES = 10_000;
export const LONGEST_LINE = 1000;

/** How many variations may be within each other. */
export const MOST_NESTED = 100;

export const LONGEST_COMMENT = 2000;

/** The branches from the start, which is the first one, to the end of a path. */
export function branchesOn({ root, path }: Place): readonly Branch[] {
  const branches = [root];
  for (const index of path) {
    const branch = branches.at(-1)?.next[index];
    if (branch === undefined) break;
    branches.push(branch);
  }
  return branches;
}

export function branchAt(place: Place): Branch {
  return branchesOn(place).at(-1) ?? place.root;
}

/** The moves that lead to the place. */
export function movesAt(place: Place): readonly string[] {
  return branchesOn(place)
    .slice(1)
    .map(({ move }) => move);
}

/** How many moves can be added at the place. */
export function roomAt(place: Place): number {
  const { root, path } = place;
  const isNested = branchAt(place).next.length > 0 && nesting(path) >= MOST_NESTED;
  return isNested ? 0 : Math.max(0, Math.min(LONGEST_LINE - path.length, MOST_BRANCHES - sizeOf(root)));
}

/** Within how many variations a place is. */
export function nesting(path: Path): number {
  return path.filter((index) => index > 0).length;
}

/** Plays moves from the place, as far as there is room; those that were played there before are followed. */
export function withMoves(place: Place, moves: readonly string[]): Place {
  const { root } = place;
  const path = [...place.path];
  let branch = branchAt(place);
  let played = 0;
  for (const move of moves) {
    const known = branch.next.findIndex((each) => each.move === move);
    const next = branch.next[known];
    if (next === undefined) break;
    path.push(known);
    branch = next;
    played++;
  }
  const added = moves.slice(played, played + roomAt({ root, path }));
  if (added.length === 0) return { root, path };
  const line = added.reduceRight<readonly Branch[]>((next, move) => [{ ...START, move, next }], []);
  const grown = changed(root, path, (each) => ({ ...each, next: [...each.next, ...line] }));
  return { root: grown, path: [...path, branch.next.length, ...added.slice(1).map(() => 0)] };
}

/**
 * The place with other texts for the moves that lead to it. A move without continuations and notes gives way to one that has
 * its text already.
 */
export function withTexts(place: Place, texts: readonly string[]): Place {
  return texts.reduce((so, text, ply) => withText(so, ply + 1, text), place);
}

function withText(place: Place, depth: number, text: string): Place {
  const { root, path } = place;
  const own = { root, path: path.slice(0, depth) };
  const branch = branchAt(own);
  if (path.length < depth || branch.move === text) return place;
  const before = branchAt({ root, path: path.slice(0, depth - 1) });
  const isPlain = branch.next.length === 0 && branch.comment === "" && branch.glyph === null;
  if (isPlain && before.next.some(({ move }) => move === text)) return withMoves(withoutBranch(own), [text]);
  return { root: changed(root, own.path, (each) => ({ ...each, move: text })), path };
}

/** Removes the branch at the place with all that follows. The start stays, without its continuations. */
export function withoutBranch({ root, path }: Place): Place {
  const index = path.at(-1);
  if (index === undefined) return { root: { ...root, next: [] }, path };
  const before = path.slice(0, -1);
  const cut = changed(root, before, (parent) => ({
    ...parent,
    next: parent.next.filter((_, other) => other !== index),
  }));
  return { root: cut, path: before };
}

/** Where the line of a path last leaves its main line: the length of the path up to that; 0 if it never does. */
export function departure(path: Path): number {
  return path.findLastIndex((index) => index > 0) + 1;
}

/** Makes the variation that the place is in the main one at its branching. */
export function promoted({ root, path }: Place): Place {
  const depth = departure(path);
  if (depth === 0) return { root, path };
  const index = path[depth - 1] ?? 0;
  const better = changed(root, path.slice(0, depth - 1), (parent) => {
    const { next } = parent;
    return {
      ...parent,
      next: [...next.slice(index, index + 1), ...next.filter((_, other) => other !== index)],
    };
  });
  return { root: better, path: path.with(depth - 1, 0) };
}

/** Changes the comment or the mark of a move. */
export function withNote({ root, path }: Place, note: Partial<Pick<Branch, "comment" | "glyph">>): Place {
  return { root: changed(root, path, (branch) => ({ ...branch, ...note })), path };
}

/** The end of the line through the place: the first continuation from there on. */
export function lineEnd(place: Place): Path {
  const path = [...place.path];
  for (let branch = branchAt(place); branch.next.length > 0;) {
    path.push(0);
    [branch = START] = branch.next;
  }
  return path;
}

/** Another continuation of the same position: the one `by` places further; the same path if there is none. */
export function sibling({ root, path }: Place, by: number): Path {
  const before = path.slice(0, -1);
  const index = (path.at(-1) ?? 0) + by;
  const { next } = branchAt({ root, path: before });
  return path.length > 0 && index >= 0 && index < next.length ? [...before, index] : path;
}

/** The number of moves in a tree. */
export function sizeOf(root: Branch): number {
  let size = -1;
  for (const open = [root]; open.length > 0; size++) open.push(...(open.pop()?.next ?? []));
  return size;
}

function changed(branch: Branch, path: Path, change: (branch: Branch) => Branch): Branch {
  const [index, ...rest] = path;
  if (index === undefined) return change(branch);
  const next = branch.next.map((each, other) => (other === index ? changed(each, rest, change) : each));
  return { ...branch, next };
}
