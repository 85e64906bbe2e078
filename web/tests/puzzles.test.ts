// Puzzles and mistakes: how answers are judged, and what the browser keeps. The server is a table.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Studied } from "../src/api/analysis";
import type { Puzzle } from "../src/api/puzzles";
import type { Position } from "../src/api/shapes";
import { MistakeSession } from "../src/state/mistake-session";
import { frameOf, isKnownGood, mistakesOf, type Mistake } from "../src/state/mistakes";
import { PuzzleSession } from "../src/state/puzzle-session";
import { keepResult, seenIn, streakIn } from "../src/state/puzzle-results";
import { puzzlePath, routeOf } from "../src/state/route";

const COMPOSER = { compose: (actions: readonly string[]): string => actions.join(".") };

const PUZZLE: Puzzle = {
  id: "0123456789",
  game: "toy",
  variant: "v",
  config: {},
  moves: ["x"],
  seat: 1,
  difficulty: "easy",
  themes: [],
  solution: ["a", "r", "b"],
  share: 1,
  tail: "",
};

/** What the server answers to a request to analyse a move, by the move. */
let analysed: Record<string, { readonly loss: number; readonly judgement: string | null } | "refused">;
let requests: string[];

function position(moves: readonly string[], staged = ""): object {
  const legal = staged === "" ? ["a", "b", "c", "d"] : [];
  return {
    ply: moves.length,
    toAct: [moves.length % 2],
    status: "playing",
    view: {},
    legal,
    canFinish: false,
    history: moves,
    clocks: [],
  };
}

function studied(moves: readonly string[]): Response {
  const answer = analysed[moves.at(-1) ?? ""];
  if (answer === "refused")
    return Response.json({ error: "Too many analyses.", code: "over-quota" }, { status: 429 });
  const played = answer === undefined ? [] : [{ seat: 1, ...answer }];
  const one = { values: [0, 0], bestMove: "r", lines: [], toAct: [0], source: "native", samples: 1 };
  const before = { ...one, ply: moves.length - 1, played: [] };
  return Response.json({ positions: [before, { ...one, ply: moves.length, played }] });
}

beforeEach(() => {
  localStorage.clear();
  analysed = {};
  requests = [];
  vi.stubGlobal("fetch", (path: string, { body }: { body: string }) => {
    const { moves, staged } = JSON.parse(body) as { moves: readonly string[]; staged?: string };
    requests.push(path);
    return Promise.resolve(
      path.startsWith("/api/analysis")
        ? studied(moves)
        : Response.json({ position: position(moves, staged) }),
    );
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

async function opened(puzzle: Puzzle = PUZZLE): Promise<PuzzleSession> {
  const session = new PuzzleSession(puzzle, false, () => undefined);
  await session.open();
  return session;
}

it("goes on to the end of the solution, and counts the puzzle once", async () => {
  const session = await opened();
  await session.own.stage("a", COMPOSER);
  expect([session.phase, session.moves, session.progress]).toEqual(["asking", ["x", "a", "r"], [1, 2]]);
  expect(streakIn("toy").streak).toBe(0);
  await session.own.stage("b", COMPOSER);
  expect([session.phase, session.progress]).toEqual(["solved", [2, 2]]);
  expect(session.shown?.history).toEqual(["x", "a", "r", "b"]);
  expect([streakIn("toy"), seenIn("toy").has(PUZZLE.id)]).toMatchObject([{ streak: 1, best: 1 }, true]);
});

it("shows what answers a wrong move, and does not count the puzzle as solved", async () => {
  keepResult("toy", "other", true);
  const session = await opened();
  await session.own.stage("c", COMPOSER);
  await vi.waitUntil(() => session.wrong?.studied != null);
  expect([session.phase, session.hint, session.shown?.history]).toEqual(["wrong", "r", ["x", "c"]]);
  session.tryAgain();
  expect([session.phase, session.hint, session.shown?.history]).toEqual(["asking", null, ["x"]]);
  await session.own.stage("a", COMPOSER);
  await session.own.stage("b", COMPOSER);
  expect([session.phase, streakIn("toy").streak, streakIn("toy").best]).toEqual(["solved", 0, 1]);
});

it("says that a move is wrong even if the engine does not answer", async () => {
  analysed = { c: "refused" };
  const session = await opened();
  await session.own.stage("c", COMPOSER);
  await vi.waitUntil(() => requests.some((path) => path.startsWith("/api/analysis")));
  expect([session.phase, session.wrong?.studied]).toEqual(["wrong", null]);
});

it("shows the solution, which ends the row", async () => {
  keepResult("toy", "other", true);
  const session = await opened();
  session.giveUp();
  expect([session.phase, session.hint, streakIn("toy").streak]).toEqual(["shown", "a", 0]);
});

it("asks for one part only where the seats act together", async () => {
  const session = new PuzzleSession({ ...PUZZLE, solution: ["a"] }, true, () => undefined);
  await session.open();
  session.own.position = { ...session.own.position, toAct: [0, 1] } as Position;
  await session.own.stage("a", COMPOSER);
  expect([session.phase, session.hint]).toEqual(["solved", "a"]);
});

it("has an address for each puzzle", () => {
  expect(routeOf(new URL(puzzlePath("toy", "a1"), "http://host"))).toEqual({
    page: "puzzles",
    game: "toy",
    id: "a1",
  });
});

// ---- mistakes ----------------------------------------------------------------------------------------

const BEFORE: Studied = {
  ply: 1,
  toAct: [1],
  played: [],
  values: [0, 0],
  bestMove: "a",
  lines: [
    { move: "a", visits: 9, value: 0.5, pv: ["a"], chance: 0.8 },
    { move: "b", visits: 5, value: 0.499, pv: ["b"], chance: 0.798 },
    { move: "c", visits: 5, value: 0.3, pv: ["c"], chance: 0.7 },
  ],
  source: "native",
  samples: 14,
};

function blunder(ply: number, loss: number): Studied {
  return { ...BEFORE, ply, played: [{ seat: 1, loss, judgement: "blunder" }] };
}

const MISTAKE: Mistake = {
  seat: 1,
  ply: 1,
  recorded: "d",
  move: "d",
  played: { seat: 1, loss: 0.4, judgement: "blunder" },
  before: BEFORE,
};

it("asks for the worst mistakes of a seat, in the order of the game", () => {
  const moves = Array.from({ length: 30 }, (_, ply) => `m${ply}`);
  const positions = new Map(moves.map((_, ply) => [ply + 1, blunder(ply + 1, ply / 100)]));
  positions.set(0, { ...BEFORE, ply: 0 });
  const found = mistakesOf(positions, moves, 1);
  expect(found.map(({ ply }) => ply)).toEqual([20, 21, 22, 23, 24, 25, 26, 27, 28, 29]);
  expect(found[0]).toMatchObject({ move: "m20", before: { ply: 20 } });
  expect(mistakesOf(positions, moves, 0)).toEqual([]);
});

it("knows what stands around a seat's part of a move", () => {
  const together = { toAct: [0, 1], legal: {} } as unknown as Position;
  expect(frameOf({ ...MISTAKE, recorded: "UP/LEFT", seat: 1 }, together)).toEqual(["UP/", ""]);
  expect(frameOf({ ...MISTAKE, recorded: "UP/LEFT", seat: 0 }, together)).toEqual(["", "/LEFT"]);
  const alone = (legal: readonly string[]): Position => ({ toAct: [1], legal }) as unknown as Position;
  const revealing = alone(["0,1,0", "0,1,0 city", "0,2,0"]);
  expect(frameOf({ ...MISTAKE, recorded: "0,1,0 city +U" }, revealing)).toEqual(["", " +U"]);
  expect(frameOf({ ...MISTAKE, recorded: "wB1 -wQ" }, alone(["wB1 -wQ", "wB1"]))).toEqual(["", ""]);
  expect(frameOf({ ...MISTAKE, recorded: "Cb8.>d4" }, alone(["Cb8"]))).toEqual(["", ""]);
});

it("accepts known moves that lose nearly nothing without asking the engine", () => {
  expect(["a", "b", "c", "d"].map((move) => isKnownGood(MISTAKE, move))).toEqual([true, true, false, false]);
});

async function learning(): Promise<MistakeSession> {
  const learnt = { game: "toy", variant: "v", config: {}, history: ["x", "d"], samples: 14 };
  const session = new MistakeSession(learnt, [MISTAKE, MISTAKE], () => undefined);
  await session.open();
  return session;
}

it("accepts what the engine does not call a mistake, and says how much worse other moves are", async () => {
  analysed = { c: { loss: 0.1, judgement: "mistake" }, b: { loss: 0, judgement: null } };
  const session = await learning();
  await session.own.stage("c", COMPOSER);
  expect([session.phase, session.played?.loss]).toEqual(["wrong", 0.1]);
  session.tryAgain();
  await session.own.stage("d", COMPOSER);
  expect([session.phase, session.played]).toEqual(["wrong", MISTAKE.played]);
  session.tryAgain();
  await session.own.stage("a", COMPOSER);
  expect([session.phase, session.found]).toEqual(["good", 0]);
  session.next();
  await vi.waitUntil(() => session.own.position !== null);
  await session.own.stage("a", COMPOSER);
  expect([session.phase, session.found, session.isLast]).toEqual(["good", 1, true]);
});

it("keeps an answer that the engine could not judge, to be judged again", async () => {
  analysed = { c: "refused" };
  const session = await learning();
  await session.own.stage("c", COMPOSER);
  expect([session.phase, session.problem, session.answer?.move]).toEqual([
    "refused",
    "Too many analyses.",
    "c",
  ]);
  analysed = { c: { loss: 0.01, judgement: null } };
  session.judgeAgain();
  await vi.waitUntil(() => session.phase === "good");
  expect(session.found).toBe(1);
});
