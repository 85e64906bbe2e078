// The opening explorer asks for what is shown, once, and only while it is open.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Openings, SELF_PLAY } from "../src/state/openings";

const START = { game: "toy-draw", variant: "standard", config: {} };

const ANSWER = {
  games: 3,
  draws: 0,
  wins: [1, 2],
  points: null,
  ply: 0,
  depth: 24,
  moves: [],
  latest: [],
  made: null,
};

interface Asked {
  readonly moves: readonly string[];
  readonly source: string;
  readonly by?: string;
}

let asked: Asked[] = [];
let status = 200;

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  asked = [];
  status = 200;
  vi.stubGlobal("fetch", (path: string, request: RequestInit) => {
    const isExplorer = path === "/api/explorer";
    if (isExplorer) asked.push(JSON.parse(request.body as string) as Asked);
    const refusal = { error: "Too deep.", code: "bad-config" };
    const body = isExplorer
      ? status === 200
        ? ANSWER
        : refusal
      : { bots: [{ id: "lab:one", name: "One" }] };
    return Promise.resolve(Response.json(body, { status: isExplorer ? status : 200 }));
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function opened(): Openings {
  const openings = new Openings(() => undefined);
  openings.look(START, []);
  return openings;
}

async function rest(): Promise<void> {
  await vi.advanceTimersByTimeAsync(1000);
}

test("a closed explorer asks for nothing", async () => {
  opened();
  await rest();
  expect(asked).toEqual([]);
});

test("a position is asked for once it has been shown for a moment, and remembered", async () => {
  const openings = opened();
  openings.open(true);
  openings.look(START, ["a"]);
  openings.look(START, ["a", "b"]);
  await rest();
  expect(asked.map(({ moves }) => moves)).toEqual([["a", "b"]]);
  expect(openings.explored).toEqual(ANSWER);
  openings.look(START, ["a"]);
  expect(openings.explored).toBeNull();
  await rest();
  openings.look(START, ["a", "b"]);
  await rest();
  expect(asked).toHaveLength(2);
  expect(openings.choices.map(({ value }) => value)).toEqual(["", "people", "bots", "lab:one"]);
});

test("what was chosen is kept, and a bot that is gone is not asked for", async () => {
  const openings = opened();
  openings.open(true);
  openings.choose(SELF_PLAY);
  await rest();
  openings.choose("lab:one");
  await rest();
  expect(asked.map(({ source, by }) => [source, by])).toEqual([
    ["engine", undefined],
    ["server", "lab:one"],
  ]);
  const again = opened();
  await rest();
  expect([again.isOpen, again.source]).toEqual([true, "lab:one"]);
  again.choose("lab:two");
  const other = opened();
  await rest();
  expect(other.source).toBe("");
});

test("what goes wrong is said until something else is shown", async () => {
  status = 422;
  const openings = opened();
  openings.open(true);
  await rest();
  expect(openings.problem).toBe("Too deep.");
  status = 200;
  openings.look(START, ["a"]);
  await rest();
  expect([openings.problem, openings.explored]).toEqual(["", ANSWER]);
});
