// The pure state of the analysis page: events of an analysis, steps of the cursor, drawing of the graph.
import { describe, expect, it } from "vitest";
import type { Judgement, Line, Studied } from "../src/api/analysis";
import {
  NOT_ANALYSED,
  advance,
  judgementOf,
  lossText,
  mostSamples,
  judgementsOf,
  nextJudged,
  worthInLine,
  type AnalysisState,
} from "../src/state/analysis";
import { ahead, atPly, movesInLine, stepOf, walk, type Cursor } from "../src/state/cursor";
import { areaPath, curve, linePath, plyAt, withCrossings } from "../src/state/graph";
import { citation } from "../src/state/moves";
import { Positions } from "../src/state/positions";
import { routeOf } from "../src/state/route";

function studied(ply: number, seat = 0, judgement: Judgement | null = null): Studied {
  const played = ply === 0 ? [] : [{ seat, loss: 0, judgement }];
  return {
    ply,
    toAct: [ply % 2],
    played,
    values: [0, 0],
    bestMove: "",
    lines: [],
    source: "native",
    samples: 9,
  };
}

function after(...plies: number[]): AnalysisState {
  return plies.reduce(
    (state, ply) => advance(state, { type: "position", studied: studied(ply) }),
    NOT_ANALYSED,
  );
}

const LINES: readonly Line[] = [
  { move: "a", visits: 2, value: 0.5, pv: ["a", "b", "c"] },
  { move: "d", visits: 1, value: 0.1, pv: ["d"] },
];

describe("an analysis", () => {
  it("grows by each position, and replaces repeated ones", () => {
    const state = after(0, 1, 2, 1);
    expect([...state.positions.keys()]).toEqual([0, 1, 2]);
    expect(state.stage).toBe("running");
  });

  it("keeps results while the connection is lost", () => {
    const lost = advance(after(0, 1), { type: "lost" });
    expect([lost.stage, lost.positions.size]).toEqual(["lost", 2]);
    const queued = advance(lost, { type: "queued", problem: "Busy." });
    const back = advance(queued, { type: "position", studied: studied(2) });
    expect([back.stage, back.problem, back.positions.size]).toEqual(["running", "", 3]);
  });

  it("ends with the server's status", () => {
    const ending = { status: "failed", error: "No engine.", summary: [] } as const;
    const state = advance(after(0), { type: "ended", ending });
    expect([state.stage, state.problem]).toEqual(["failed", "No engine."]);
  });

  it("says how many samples its positions had", () => {
    const limited = advance(after(0, 1), { type: "position", studied: { ...studied(2), samples: 12 } });
    expect([NOT_ANALYSED, after(0), limited].map(mostSamples)).toEqual([0, 9, 12]);
  });

  it("shows the worst judgement of a move that several seats made", () => {
    const played = [
      { seat: 0, loss: 0.1, judgement: "inaccuracy" },
      { seat: 1, loss: 0.4, judgement: "blunder" },
    ] as const;
    expect(judgementOf({ ...studied(1), played })).toBe("blunder");
    expect(judgementOf(studied(0))).toBeNull();
  });

  it("finds the judged moves of a seat, starting over after the last", () => {
    const all = [studied(3, 0, "mistake"), studied(0), studied(1, 0, "mistake"), studied(2, 1, "mistake")];
    const positions = new Map(all.map((one) => [one.ply, one]));
    expect([...judgementsOf(positions).keys()].toSorted()).toEqual([1, 2, 3]);
    expect(nextJudged(positions, 0, "mistake", 0)).toBe(1);
    expect(nextJudged(positions, 0, "mistake", 1)).toBe(3);
    expect(nextJudged(positions, 0, "mistake", 3)).toBe(1);
    expect(nextJudged(positions, 0, "blunder", 0)).toBeNull();
  });

  it("says what lines are worth to all seats", () => {
    const line = { move: "x", visits: 1, value: 0.5, pv: ["x"], chance: 0.9, points: [40, 47] };
    const known: Studied = { ...studied(1), values: [-0.25, 0.25], chances: [0.25, 0.75], lines: [line] };
    const best = { values: [-0.5, 0.5], points: [40, 47] };
    expect(worthInLine(known, 0)).toMatchObject(best);
    expect(worthInLine(known, 0)?.chances?.[1]).toBe(0.9);
    expect(worthInLine({ ...known, toAct: [0] }, 0)?.values).toEqual([0.5, -0.5]);
    expect(worthInLine(known, 1)).toBeNull();
    expect(worthInLine({ ...known, lines: [{ ...line, chance: null }] }, 0)?.chances).toBeNull();
    const three: Studied = { ...known, values: [-0.5, 0, -0.5], chances: [0.25, 0.5, 0.25] };
    expect(worthInLine({ ...three, lines: [{ ...line, chance: 0.25 }] }, 0)?.chances).toEqual([
      0.375, 0.25, 0.375,
    ]);
    expect(worthInLine(three, 0)?.values).toEqual([-0.75, 0.5, -0.75]);
  });
});

describe("a cursor", () => {
  const at = (ply: number, rank?: number, depth = 1): Cursor => ({
    ply,
    line: rank === undefined ? null : { rank, depth },
  });

  it.each([
    ["ArrowLeft", at(0), at(0)],
    ["ArrowRight", at(0), at(1)],
    ["ArrowRight", at(9), at(9)],
    ["Home", at(5), at(0)],
    ["End", at(5, 1), at(9)],
    ["ArrowDown", at(5), at(5, 0)],
    ["ArrowDown", at(5, 0, 3), at(5, 1)],
    ["ArrowDown", at(5, 1), at(5, 1)],
    ["ArrowUp", at(5, 0, 2), at(5)],
    ["ArrowUp", at(5), at(5)],
    ["ArrowRight", at(5, 0, 2), at(5, 0, 3)],
    ["ArrowRight", at(5, 0, 3), at(5, 0, 3)],
    ["ArrowLeft", at(5, 0, 2), at(5, 0, 1)],
    ["ArrowLeft", at(5, 0, 1), at(5)],
    ["Escape", at(5, 0, 2), at(5)],
  ])("%s leads from %o to %o", (key, from, to) => {
    const step = stepOf(key) ?? expect.unreachable();
    expect(walk(from, step, 9, LINES)).toEqual(to);
  });

  it("does not move if there are no lines", () => {
    expect(walk(at(5), "line-down", 9, [])).toEqual(at(5));
  });

  it("knows the moves of its line", () => {
    expect(movesInLine(at(5, 0, 2), LINES)).toEqual(["a", "b"]);
    expect(movesInLine(at(5), LINES)).toEqual([]);
  });

  it("fetches ahead in the direction of the steps", () => {
    expect(ahead(at(4), at(5), 9, 3).map(({ ply }) => ply)).toEqual([4, 6, 7, 8]);
    expect(ahead(at(2), at(1), 9, 3).map(({ ply }) => ply)).toEqual([2, 0]);
    expect(atPly(99, 9)).toEqual(at(9));
  });
});

describe("the graph", () => {
  it("crosses zero where the values do", () => {
    const points = curve([1, -1, -0.5, 3].map((value, ply) => [ply, value]));
    expect(points.at(-1)).toEqual({ x: 3, y: -1 });
    expect(withCrossings(points).map(({ x }) => x)).toEqual([0, 0.5, 1, 2, 2 + 1 / 3, 3]);
  });

  it("fills each side of zero separately", () => {
    const points = curve([
      [1, -1],
      [0, 1],
    ]);
    expect(linePath(points)).toBe("M0 -1L1 1");
    expect(areaPath(points, -1)).toBe("M0 0L0 -1L0.5 0L1 0L1 0Z");
    expect(areaPath(points, 1)).toBe("M0 0L0 0L0.5 0L1 1L1 0Z");
    expect(areaPath([], 1)).toBe("");
  });

  it("leaves out plies that are not known yet", () => {
    const points = curve([
      [9, 0],
      [0, 1],
      [1, -1],
    ]);
    expect(linePath(points)).toBe("M0 -1L1 1M9 0");
    expect(areaPath(points, 1)).toBe("M0 0L0 0L0.5 0L1 1L1 0ZM9 0L9 0L9 0Z");
  });

  it("finds the ply under a pointer", () => {
    expect([-0.1, 0, 0.49, 0.51, 2].map((share) => plyAt(share, 2))).toEqual([0, 0, 1, 1, 2]);
    expect(plyAt(0.5, 0)).toBe(0);
  });
});

it("cites moves with their numbers", () => {
  expect([citation(1, "x", 2), citation(2, "y", 2), citation(4, "z", 3)]).toEqual(["1. x", "1… y", "2. z"]);
});

it("requests a position once, and again if that failed", async () => {
  const asked: number[] = [];
  const positions = new Positions<number>(String, (ply) => {
    asked.push(ply);
    return asked.length === 1 ? Promise.reject(new Error("away")) : Promise.resolve({ ply } as never);
  });
  await expect(positions.get(1)).rejects.toThrow("away");
  await positions.get(1);
  expect(await positions.get(1)).toEqual({ ply: 1 });
  expect(asked).toEqual([1, 1]);
});

it("reads the addresses of analyses", () => {
  const route = (path: string): unknown => routeOf(new URL(path, "http://house"));
  expect(route("/analysis")).toEqual({ page: "import", record: null });
  const record = { format: "uhp", text: "Base;InProgress;White[2];wS1;bS1 wS1-" };
  for (const sign of ["?", "#"]) {
    const path = `/analysis${sign}uhp=${encodeURIComponent(record.text)}`;
    expect(route(path)).toEqual({ page: "import", record });
  }
  expect(route("/analysis/g?ply=7")).toEqual({ page: "analysis", gameId: "g", ply: 7 });
  expect(route("/analysis/g?ply=x")).toEqual({ page: "analysis", gameId: "g", ply: null });
});

it("says what a move lost, where there are points", () => {
  const lost = (...points: number[]): string =>
    lossText({
      ...studied(1),
      played: points.map((pointsLost, seat) => ({ seat, loss: 0, judgement: null, pointsLost })),
    });
  expect([lost(2.64), lost(0.2, 1.5), lost(0, 0), lossText(studied(0))]).toEqual(["−2.6", "−1.5", "", ""]);
});
