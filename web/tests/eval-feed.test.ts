// The feed of an evaluation bar: what it does while a long history is being made. The server is a table of answers.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { EvalFeed, valueAt } from "../src/state/evaluation";

/** A socket on which the test speaks for the server. */
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
    return Promise.resolve(Response.json({ positions: [{ ply: 5, evaluation: 0.5 }] }));
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

it("asks for the position on the board by itself while the history takes its time", async () => {
  Line.newest?.say({ type: "eval-pending", totalMoves: 5 });
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toEqual([expect.objectContaining({ gameId: "g", fromPly: 5, toPly: 5 })]);
  expect([feed.state.status, valueAt(feed.state.byPly, 5)]).toEqual(["pending", 0.5]);
  Line.newest?.say({ type: "eval-history", entries: [{ ply: 0, evaluation: 0.1 }] });
  expect([feed.state.status, valueAt(feed.state.byPly, 5)]).toEqual(["live", 0.1]);
});

it("asks for nothing where the history comes at once, or the bar is switched off", async () => {
  Line.newest?.say({ type: "eval-pending", totalMoves: 5 });
  Line.newest?.say({ type: "eval-history", entries: [] });
  await vi.advanceTimersByTimeAsync(1000);
  Line.newest?.say({ type: "eval-pending", totalMoves: 5 });
  feed.switchOff();
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toEqual([]);
});

const BUSY = { type: "eval-error", message: "The engine is busy.", retryAfterMs: 5000 };

it("says that the engine is busy, and asks again when it is told to", () => {
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

it("does not ask again when it is switched off, or there is no use in it", () => {
  const first = Line.newest ?? expect.unreachable();
  first.say(BUSY);
  feed.switchOff();
  vi.advanceTimersByTime(60_000);
  expect(first.send).not.toHaveBeenCalled();
  feed.switchOn(GAME, null);
  Line.newest?.say({ ...BUSY, retryAfterMs: undefined });
  expect(Line.newest?.close).toHaveBeenCalled();
});
