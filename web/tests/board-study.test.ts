// The analysis board while answers are on their way: they come late, or for another position. The server is a table.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { BoardStudy } from "../src/state/board-study";
import { movesAt, sizeOf } from "../src/state/variations";

interface Asked {
  readonly moves: readonly string[];
  readonly staged: string;
}

const COMPOSER = { compose: (actions: readonly string[]): string => actions.join(".") };

/** Answers that are held back, and are given by calling them. */
let held: (() => void)[];
let isHolding = false;
let changes = 0;
let study: BoardStudy;

function answer({ moves, staged }: Asked): object {
  const legal = staged === "" ? ["a", "b"] : [];
  const clocks = [null, null];
  const view = {};
  const history = moves;
  return {
    position: {
      ply: moves.length,
      toAct: [moves.length % 2],
      status: "playing",
      view,
      legal,
      canFinish: false,
      history,
      clocks,
    },
  };
}

beforeEach(async () => {
  held = [];
  isHolding = false;
  changes = 0;
  sessionStorage.clear();
  vi.stubGlobal("fetch", async (path: string, { body }: { body: string }) => {
    if (path === "/api/rules") return Response.json({ games: [{ game: "toy", variants: ["v"], about: {} }] });
    if (isHolding) await new Promise<void>((resolve) => held.push(resolve));
    return Response.json(answer(JSON.parse(body) as Asked));
  });
  study = new BoardStudy("toy", () => changes++);
  await study.open("#move=a&move=b");
});

afterEach(() => {
  study.close();
  vi.unstubAllGlobals();
});

async function release(): Promise<void> {
  await vi.waitUntil(() => held.length > 0);
  for (const give of held.splice(0)) give();
}

it("plays a move from the position that is shown", async () => {
  await study.stage("b", COMPOSER);
  expect(movesAt(study.place)).toEqual(["a", "b", "b"]);
  expect(study.path).toBe("/board/toy#variant=v&move=a&move=b&move=b");
});

it("drops a move if another position is shown before its answer", async () => {
  isHolding = true;
  const staging = study.stage("b", COMPOSER);
  await vi.waitUntil(() => held.length === 1);
  isHolding = false;
  await study.look([]);
  await release();
  await staging;
  expect(study.moves).toEqual([]);
  expect(sizeOf(study.place.root)).toBe(2);
  expect(study.isBusy).toBe(false);
});

it("tells nobody of an answer after it was closed", async () => {
  isHolding = true;
  const looking = study.look([]);
  study.close();
  const before = changes;
  await release();
  await looking;
  expect(changes).toBe(before);
});

it("keeps the tree of each board, and deleted moves stay deleted", async () => {
  await study.look([]);
  await study.stage("b", COMPOSER);
  const other = new BoardStudy("toy", () => null);
  await other.open("#variant=w&move=a");
  await other.stage("a", COMPOSER);
  const again = new BoardStudy("toy", () => null);
  await again.open("#variant=v");
  expect(again.place.root).toEqual(study.place.root);
  again.close();
  other.close();
});
