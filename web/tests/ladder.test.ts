// The pages of the ladder: their addresses, the curve of a rating, and reading again and again.
import { afterEach, expect, test, vi } from "vitest";
import { ApiError } from "../src/api/http";
import { Polling } from "../src/state/polling";
import { lossText, secondsText, thinkingText } from "../src/state/findings";
import { curveOf } from "../src/state/rating-curve";
import { botPath, ladderPath, routeOf } from "../src/state/route";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function route(path: string): unknown {
  return routeOf(new URL(path, "http://host"));
}

test("addresses of bots and ladders are read as they are written", () => {
  expect(route("/bots")).toEqual({ page: "bots" });
  expect(route(botPath("lab/1:b é"))).toEqual({ page: "bot", bot: "lab/1:b é" });
  expect(route(ladderPath("hive", "Base+MLP"))).toEqual({
    page: "ladder",
    game: "hive",
    variant: "Base+MLP",
  });
  expect(route("/ladder/hive")).toEqual({ page: "ladder", game: "hive", variant: null });
  expect(route("/ladder")).toEqual({ page: "unknown" });
});

test("a curve fills its box, and its band surrounds it", () => {
  const moments = [
    { at: 1, rating: 1500, error: 300 },
    { at: 2, rating: 1600, error: 200 },
    { at: 3, rating: 1550, error: 100 },
  ];
  expect(curveOf(moments)).toEqual({
    line: "M0.00,50.00L50.00,33.33L100.00,41.67",
    band: "M0.00,0.00L50.00,0.00L100.00,25.00L100.00,58.33L50.00,66.67L0.00,100.00Z",
    low: 1200,
    high: 1800,
  });
  expect(curveOf(moments.slice(0, 1))).toBeNull();
});

test("a page is read again while it may succeed, and not once it is closed", async () => {
  vi.useFakeTimers();
  const answers = [() => "first", refuse("offline"), () => "second"];
  let reads = 0;
  const polling = new Polling(
    () =>
      new Promise<string>((resolve) => {
        resolve((answers[reads++] ?? (() => "more"))());
      }),
    () => undefined,
  );
  polling.open();
  await vi.advanceTimersByTimeAsync(0);
  expect(polling.answer).toBe("first");
  await vi.advanceTimersByTimeAsync(3000);
  expect([polling.answer, polling.problem]).toEqual(["first", "No."]);
  await vi.advanceTimersByTimeAsync(3000);
  expect([polling.answer, polling.problem]).toEqual(["second", ""]);
  polling.close();
  await vi.advanceTimersByTimeAsync(9000);
  expect(reads).toBe(3);
});

test("what does not exist is not asked for again", async () => {
  vi.useFakeTimers();
  let reads = 0;
  const polling = new Polling(
    () => {
      reads += 1;
      return Promise.reject(new ApiError("No", "not-found"));
    },
    () => undefined,
  );
  polling.open();
  await vi.advanceTimersByTimeAsync(9000);
  expect([reads, polling.problem]).toEqual([1, "No."]);
});

test("an older answer never replaces a newer one, and only the latest read goes on", async () => {
  vi.useFakeTimers();
  const asked: ((answer: string) => void)[] = [];
  let changes = 0;
  const polling = new Polling(
    () => new Promise<string>((resolve) => asked.push(resolve)),
    () => (changes += 1),
  );
  polling.open();
  polling.close();
  polling.open();
  polling.again();
  show("visible");
  asked[3]?.("newest");
  await vi.advanceTimersByTimeAsync(0);
  for (const answer of asked.slice(0, 3)) answer("old");
  await vi.advanceTimersByTimeAsync(0);
  expect([polling.answer, changes]).toEqual(["newest", 1]);
  await vi.advanceTimersByTimeAsync(3000);
  expect(asked.length).toBe(5);
  polling.close();
  asked[4]?.("after the page was left");
  await vi.advanceTimersByTimeAsync(9000);
  expect([polling.answer, changes, asked.length]).toEqual(["newest", 1, 5]);
});

test("a hidden page is read only if it waits for something, and more slowly", async () => {
  vi.useFakeTimers();
  let isAwaiting = true;
  let reads = 0;
  const polling = new Polling(
    () => Promise.resolve((reads += 1)),
    () => undefined,
    () => isAwaiting,
  );
  polling.open();
  await vi.advanceTimersByTimeAsync(0);
  show("hidden");
  await vi.advanceTimersByTimeAsync(9_999);
  expect(reads).toBe(1);
  await vi.advanceTimersByTimeAsync(10_001);
  expect(reads).toBe(3);
  isAwaiting = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reads).toBe(4);
  show("visible");
  await vi.advanceTimersByTimeAsync(3000);
  expect(reads).toBe(6);
  polling.close();
});

function show(visibility: DocumentVisibilityState): void {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(visibility);
  document.dispatchEvent(new Event("visibilitychange"));
}

function refuse(code: string): () => string {
  return () => {
    throw new ApiError("No", code);
  };
}

test("losses are sentences", () => {
  const loss = {
    kind: "resignation",
    games: 12,
    medianPlies: 24,
    fewestPlies: 6,
    gameId: "a",
    shortestGameId: "b",
  } as const;
  expect(lossText(loss, 340)).toBe(
    "Resigned 12 of its latest 340 games, half of them after at most 24 moves, the shortest after 6.",
  );
  expect(lossText({ ...loss, kind: "timeout", games: 1, fewestPlies: 1 }, 1)).toBe(
    "Lost on time in its only game, after 1 move.",
  );
});

test("how long a bot thinks is a sentence", () => {
  const thinking = {
    games: 20,
    moves: 412,
    medianMs: 310,
    slowestMs: 4249,
    slowestGameId: "a",
    slowestPly: 31,
  };
  expect(thinkingText(thinking)).toBe(
    "Thinks 310 ms about a move: the median of 412 in its latest 20 games. The slowest took 4.2 s, after 31 moves of a game.",
  );
  expect(thinkingText({ ...thinking, games: 1, moves: 1, slowestPly: 1 })).toBe(
    "Thought about its only move with a clock for 4.2 s, after 1 move of a game.",
  );
  expect([0, 999, 1000].map(secondsText)).toEqual(["0 ms", "999 ms", "1.0 s"]);
});
