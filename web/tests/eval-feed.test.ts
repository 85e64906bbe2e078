// The feed of an evaluation bar: its requests while a long history is computed. The server is a table of answers.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Position } from "../src/api/shapes";
import { Browsing } from "../src/state/browsing";
import { EvalFeed, worthAt } from "../src/state/evaluation";

/** A socket in which the test plays the server. */
class Line {
  static newest: Line | null = null;
  static readonly OPEN = 1;
  readonly readyState = Line.OPEN;
  readonly send = vi.fn();
  readonly close = vi.fn();
  onmessage: ((message: { data: string }) => void) | null = null;
  constructor() {
    Line.newest = this;
  }
  say(frame: object): void {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }
}

const GAME = { gameId: "g", variant: "plain", config: {} };
let asked: unknown[];
let feed: EvalFeed;

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  vi.stubGlobal("WebSocket", Line);
  vi.stubGlobal("fetch", (_: string, { body }: { body: string }) => {
    asked.push(JSON.parse(body));
    return Promise.resolve(Response.json({ positions: [{ ply: 5, values: [0.5, -0.5] }] }));
  });
  feed = new EvalFeed(
    () => null,
    () => 5,
  );
  feed.switchOn(GAME, null);
  Line.newest?.say({ type: "eval-handshake-accepted" });
});

afterEach(() => {
  feed.switchOff();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("requests the position on the board on its own if the history takes long", async () => {
  Line.newest?.say({ type: "eval-pending", totalMoves: 5 });
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toEqual([expect.objectContaining({ gameId: "g", fromPly: 5, toPly: 5 })]);
  expect([feed.state.status, worthAt(feed.state, 5)?.values]).toEqual(["pending", [0.5, -0.5]]);
  Line.newest?.say({ type: "eval-history", entries: [{ ply: 0, evaluation: 0.1 }] });
  expect([feed.state.status, worthAt(feed.state, 5)?.values]).toEqual(["live", [0.1, -0.1]]);
});

it("requests no position where the seats have not all moved, unless it is a past one", async () => {
  const at = (ply: number, toAct: number[], pending?: number[]): Position =>
    ({ ply, toAct, pending, status: "playing", history: [] }) as unknown as Position;
  const browsing = new Browsing(
    (ply) => Promise.resolve(at(ply, [0, 1])),
    () => null,
    () => null,
  );
  browsing.follow(at(5, [0, 1]));
  feed = new EvalFeed(
    () => null,
    () => browsing.askable,
  );
  for (const [expected, next] of [
    [[], 2],
    [[2], at(6, [1], [1])], // one of the seats has moved
    [[2], at(6, [0])],
    [[2, 6], null],
  ] as const) {
    feed.switchOn(GAME, null);
    Line.newest?.say({ type: "eval-pending", totalMoves: 5 });
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked.map((body) => (body as { fromPly: number }).fromPly)).toEqual(expected);
    if (typeof next === "number") await browsing.show(next);
    else if (next !== null) {
      browsing.follow(next);
      browsing.backToLive();
    }
  }
});

it("makes no request if the history arrives at once or the bar is switched off", async () => {
  Line.newest?.say({ type: "eval-pending", totalMoves: 5 });
  Line.newest?.say({ type: "eval-history", entries: [] });
  await vi.advanceTimersByTimeAsync(1000);
  Line.newest?.say({ type: "eval-pending", totalMoves: 5 });
  feed.switchOff();
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toEqual([]);
});

it("makes no request to the server of another site, which would refuse it", async () => {
  for (const [server, count] of [
    [location.origin, 1],
    ["https://elsewhere.example", 0],
  ] as const) {
    asked = [];
    feed.switchOff();
    feed = new EvalFeed(
      () => null,
      () => 5,
      server,
    );
    feed.switchOn(GAME, null);
    Line.newest?.say({ type: "eval-handshake-accepted" });
    Line.newest?.say({ type: "eval-pending", totalMoves: 5 });
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toHaveLength(count);
  }
});

const BUSY = { type: "eval-error", message: "The engine is busy.", retryAfterMs: 5000 };

it("shows that the engine is busy, and retries when told to", () => {
  const line = Line.newest ?? expect.unreachable();
  line.say(BUSY);
  expect(feed.state).toMatchObject({ status: "frozen", problem: "The engine is busy." });
  vi.advanceTimersByTime(4900);
  expect(line.send).not.toHaveBeenCalled();
  vi.advanceTimersByTime(200);
  expect(line.send).toHaveBeenCalledOnce();
  line.say({ type: "eval-handshake-accepted" });
  line.say({ type: "eval-history", entries: [{ ply: 0, evaluation: 0.5 }] });
  expect(feed.state).toMatchObject({ status: "live", problem: "" });
});

it("does not retry when switched off, or when it would not help", () => {
  const first = Line.newest ?? expect.unreachable();
  first.say(BUSY);
  feed.switchOff();
  vi.advanceTimersByTime(60_000);
  expect(first.send).not.toHaveBeenCalled();
  feed.switchOn(GAME, null);
  Line.newest?.say({ ...BUSY, retryAfterMs: undefined });
  expect(Line.newest?.close).toHaveBeenCalled();
});
