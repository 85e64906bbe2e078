// Laws of trees of variations over random walks, and their files and addresses.
import { describe, expect, it } from "vitest";
import { boardPath, shownIn } from "../src/state/board-address";
import { commonBeginning } from "../src/state/board-study";
import { historyUntil } from "../src/state/moves";
import {
  GLYPHS,
  LONGEST_LINE,
  MOST_BRANCHES,
  MOST_NESTED,
  START,
  branchAt,
  departure,
  lineEnd,
  movesAt,
  promoted,
  roomAt,
  sibling,
  sizeOf,
  withMoves,
  withTexts,
  withNote,
  withoutBranch,
  type Branch,
  type Place,
} from "../src/state/variations";
import { fromList, listed, looksLikeTree, readTree, writeTree } from "../src/state/variations-file";

const EMPTY: Place = { root: START, path: [] };

/** Numbers in [0, 1) that are the same in every run: Lehmer's generator. */
function randomFrom(seed: number): () => number {
  let state = seed + 1;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** The tree that random steps make: moves, steps back, notes, promotions and deletions. */
function walk(seed: number, steps: number): Place {
  const random = randomFrom(seed);
  const pick = (count: number): number => Math.floor(random() * count);
  let place = EMPTY;
  for (let step = 0; step < steps; step++) {
    const kind = pick(10);
    if (kind < 5) place = withMoves(place, ["abcd".charAt(pick(4))]);
    else if (kind < 8) place = { ...place, path: place.path.slice(0, pick(place.path.length + 1)) };
    else if (kind === 8) place = promoted(place);
    else if (pick(3) > 0) place = withNote(place, { comment: `${step} "é`, glyph: GLYPHS[pick(6)] ?? null });
    else if (place.path.length > 2) place = withoutBranch(place);
  }
  return place;
}

/** Every line from the start to an end. */
function lines({ move, next }: Branch): string[] {
  return next.length === 0 ? [move] : next.flatMap(lines).map((rest) => move + rest);
}

const WALKS = Array.from({ length: 25 }, (_, seed) => seed);

describe.each(WALKS)("random walk %i", (seed) => {
  const place = walk(seed, 80);
  const { root, path } = place;

  it("has no two continuations with one move", () => {
    const check = ({ next }: Branch): void => {
      expect(new Set(next.map(({ move }) => move)).size).toBe(next.length);
      next.forEach(check);
    };
    check(root);
  });

  it("finds what was played", () => {
    const moves = [...movesAt(place), "x", "y"];
    const played = withMoves({ root, path: [] }, moves);
    expect(movesAt(played)).toEqual(moves);
    expect(sizeOf(played.root)).toBe(sizeOf(root) + 2);
    expect(withMoves({ ...played, path: [] }, moves)).toEqual(played);
  });

  it("keeps all lines and the place when a variation becomes the main one", () => {
    let better = place;
    for (let count = departure(path); count > 0; count = departure(better.path)) {
      better = promoted(better);
      expect(departure(better.path)).toBeLessThan(count);
    }
    expect(movesAt(better)).toEqual(movesAt(place));
    expect(lines(better.root).toSorted()).toEqual(lines(root).toSorted());
    expect(better.path.every((index) => index === 0)).toBe(true);
  });

  it("deletes a branch with what follows, and nothing else", () => {
    const less = withoutBranch(place);
    const gone = path.length === 0 ? sizeOf(root) : 1 + sizeOf(branchAt(place));
    expect(sizeOf(less.root)).toBe(sizeOf(root) - gone);
    expect(movesAt(less)).toEqual(movesAt(place).slice(0, -1));
  });

  it("leads to the end of the line and to the neighbours", () => {
    const end = lineEnd(place);
    expect(end.slice(0, path.length)).toEqual(path);
    expect(branchAt({ root, path: end }).next).toEqual([]);
    const next = sibling(place, 1);
    if (next !== path) expect(sibling({ root, path: next }, -1)).toEqual(path);
  });

  it("is the same after it was written and read", () => {
    const start = { game: "g", variant: "v", config: { seed: seed } };
    expect(readTree(writeTree({ start, root }))).toEqual({ start, root });
    const unmarked = { start, root: { ...root, glyph: null } }; // Marks are for moves.
    expect(fromList(listed({ start, root }))).toEqual(unmarked);
    expect(looksLikeTree(writeTree({ start, root }))).toBe(true);
  });
});

it("gives moves other texts", () => {
  const place = withMoves(EMPTY, ["a", "b", "c"]);
  const renamed = withTexts({ ...place, path: [0, 0] }, ["a", "b +X"]);
  expect(movesAt(renamed)).toEqual(["a", "b +X"]);
  expect(lines(renamed.root)).toEqual(["ab +Xc"]);
  const again = withMoves({ root: renamed.root, path: [0] }, ["b"]);
  expect(lines(withTexts(again, ["a", "b +Y"]).root)).toEqual(["ab +Xc", "ab +Y"]);
  expect(withTexts(again, ["a", "b +X"])).toEqual({ root: renamed.root, path: [0, 0] });
  expect(withTexts(place, ["a", "b", "c"])).toBe(place);
});

it("takes no more moves than it has room for", () => {
  const full = withMoves(
    EMPTY,
    Array.from({ length: LONGEST_LINE + 5 }, (_, ply) => String(ply)),
  );
  expect(full.path).toHaveLength(LONGEST_LINE);
  expect(roomAt(full)).toBe(0);
  expect(withMoves(full, ["again"])).toEqual(full);
  expect(
    readTree(writeTree({ start: { game: "g", variant: "v", config: {} }, root: full.root })).root,
  ).toEqual(full.root);
});

function fileWith(members: object): string {
  return JSON.stringify({ format: "plyhouse variations 1", game: "g", variant: "v", config: {}, ...members });
}

it.each([
  ["Base;InProgress;White[1]", "it is not a JSON object"],
  ["[]", "it is not a JSON object"],
  [fileWith({ format: "another" }), "its format is not"],
  [fileWith({ variant: 3 }), "which game"],
  [fileWith({ config: [] }), "which game"],
  [fileWith({ next: {} }), "not a list"],
  [fileWith({ next: [3] }), "not an object"],
  [fileWith({ next: [{}] }), "has no move"],
  [fileWith({ next: [{ move: "a", glyph: "!!!" }] }), "none of"],
  [fileWith({ comment: "x".repeat(2001) }), "more than 2000 characters"],
  [fileWith({ next: Array(MOST_BRANCHES + 1).fill({ move: "a" }) }), "more than 10000 moves"],
])("refuses %.60s", (text, why) => {
  expect(() => readTree(text)).toThrow(why);
});

it("takes no more variations within each other than it can show", () => {
  let place = EMPTY;
  for (let depth = 0; depth < 150; depth++) {
    const first = withMoves(place, ["main"]);
    place = withMoves({ root: first.root, path: place.path }, ["other"]);
  }
  expect(place.path.filter((index) => index > 0)).toHaveLength(MOST_NESTED);
  const start = { game: "g", variant: "v", config: {} };
  expect(readTree(writeTree({ start, root: place.root })).root).toEqual(place.root);
  const deeper = {
    ...START,
    move: "a",
    next: [
      { ...START, move: "b" },
      { ...place.root, move: "c" },
    ],
  };
  expect(() => readTree(writeTree({ start, root: { ...START, next: [deeper] } }))).toThrow(
    "within each other",
  );
});

it.each([
  [["a", "b", "c"], ["a", "b", "x"], 2, 2],
  [["a", "b"], ["a", "b", "c"], 2, 2],
  [["a", "!1", "b"], ["a", "!1", "c"], 1, 2],
  [["a", "!1", "b"], ["a", "c"], 0, 0],
  [["a", "!1", "b"], ["a", "!1", "b"], 2, 3],
  [["a", "b"], [], 0, 0],
])("begins %j like the game %j", (history, moves, ply, count) => {
  expect(commonBeginning(history, moves)).toEqual({ ply, count });
  expect([...historyUntil(history, ply), ...moves.slice(count)]).toEqual(moves);
});

it("refuses a line that is too long", () => {
  let branch: object = { move: "a" };
  for (let depth = 0; depth < LONGEST_LINE; depth++) branch = { move: "a", next: [branch] };
  expect(() => readTree(fileWith({ next: [branch] }))).toThrow("more than 1000 moves");
});

it.each([
  { moves: ["wS1", "bG1 -wS1", "wQ \\wS1"], variant: "Base+MLP" },
  { moves: ["UP/LEFT", "0,1,90 city_S#&=%+"], config: { width: 3, walls: [[[0, 1]]] } },
  { from: { gameId: "g7Kd", ply: 12 }, moves: ["---"] },
  {},
])("reads the address that it writes: %o", (shown) => {
  const url = new URL(boardPath("some game", shown), "http://here");
  expect(url.pathname).toBe("/board/some%20game");
  expect(shownIn(url.hash)).toEqual({ from: null, record: "", variant: "", config: {}, moves: [], ...shown });
});

it.each(["#config=3", "#config={", "#from=&ply=x", "#nothing"])("takes what is usual for %s", (fragment) => {
  expect(shownIn(fragment)).toEqual({ from: null, record: "", variant: "", config: {}, moves: [] });
});
