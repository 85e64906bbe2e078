// A socket that detects dead connections.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { lineSignal } from "../src/net/line";
import { LiveSocket, type Link } from "../src/net/socket";

/** A connection in which the test plays the server. */
class Line {
  static all: Line[] = [];
  static readonly OPEN = 1;
  readonly readyState = Line.OPEN;
  readonly send = vi.fn();
  readonly close = vi.fn();
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  constructor(readonly url: string) {
    Line.all.push(this);
  }
}

let links: Link[];
let isWatched: boolean;
let socket: LiveSocket;

const pings = (line: number): number => Line.all[line]?.send.mock.calls.length ?? 0;
const pong = (line: number): void => Line.all[line]?.onmessage?.({ data: '{"type":"pong"}' });

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", Line);
  Line.all = [];
  links = [];
  isWatched = true;
  let since = 0;
  socket = new LiveSocket(() => `ws://house/?since=${since++}`, {
    onFrame: vi.fn(),
    onLink: (link) => links.push(link),
    isWatched: () => isWatched,
  });
  socket.open();
  Line.all[0]?.onopen?.();
  pong(0);
});

afterEach(() => {
  socket.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("pings often while somebody relies on the connection, and otherwise seldom", () => {
  for (let ping = 0; ping < 6; ping++) {
    vi.advanceTimersByTime(4000);
    pong(0);
  }
  expect(pings(0)).toBe(7);
  isWatched = false;
  vi.advanceTimersByTime(24_000);
  pong(0);
  expect(pings(0)).toBe(8);
  expect(links).toEqual(["connecting", "open"]);
});

it("replaces a silent connection within six seconds, and continues from the last frame", () => {
  vi.advanceTimersByTime(5600);
  expect(Line.all[0]?.close).toHaveBeenCalled();
  expect(links).toEqual(["connecting", "open", "waiting", "connecting"]);
  expect(Line.all.map(({ url }) => url)).toEqual(["ws://house/?since=0", "ws://house/?since=1"]);
});

it("tries again and again while the line is dead", () => {
  vi.advanceTimersByTime(20_000);
  expect(Line.all.length).toBeGreaterThan(8);
  Line.all.at(-1)?.onopen?.();
  pong(Line.all.length - 1);
  expect(links.at(-1)).toBe("open");
});

it("is patient with a slow line", () => {
  vi.advanceTimersByTime(4000);
  vi.advanceTimersByTime(1400);
  pong(0);
  vi.advanceTimersByTime(2600 + 5000);
  expect(links).toEqual(["connecting", "open"]);
  pong(0);
});

it("asks again after the device was asleep, since its late timers say nothing", () => {
  vi.advanceTimersByTime(4000);
  vi.setSystemTime(Date.now() + 60_000);
  vi.advanceTimersByTime(1500);
  expect(pings(0)).toBe(3);
  expect(links).toEqual(["connecting", "open"]);
  vi.advanceTimersByTime(1500);
  expect(links).toEqual(["connecting", "open", "waiting"]);
});

it("ignores the late close of a replaced connection", () => {
  vi.advanceTimersByTime(5600);
  Line.all[0]?.onclose?.({ code: 1006 });
  expect(links.filter((link) => link === "waiting")).toHaveLength(1);
});

it("pings at once when the page becomes visible", () => {
  document.dispatchEvent(new Event("visibilitychange"));
  expect(Line.all[0]?.send).toHaveBeenLastCalledWith('{"type":"ping"}');
  expect(pings(0)).toBe(2);
});

it("does not reconnect after a refusal", () => {
  Line.all[0]?.onclose?.({ code: 1008 });
  vi.advanceTimersByTime(60_000);
  expect(links.at(-1)).toBe("refused");
  expect(Line.all).toHaveLength(1);
});

it("drops what reads once when the line dies, and everything that waits when it is back", () => {
  const [write, read] = [lineSignal("POST"), lineSignal("GET")];
  vi.advanceTimersByTime(5600);
  const repeated = lineSignal("GET");
  vi.advanceTimersByTime(20_000);
  expect([write, read, repeated].map(({ aborted }) => aborted)).toEqual([false, true, false]);
  Line.all.at(-1)?.onopen?.();
  expect([write, repeated].map(({ aborted }) => aborted)).toEqual([true, true]);
});
