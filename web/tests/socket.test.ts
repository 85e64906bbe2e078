// A socket that detects dead connections.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
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
let socket: LiveSocket;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", Line);
  Line.all = [];
  links = [];
  let since = 0;
  socket = new LiveSocket(() => `ws://house/?since=${since++}`, {
    onFrame: vi.fn(),
    onLink: (link) => links.push(link),
  });
  socket.open();
  Line.all[0]?.onopen?.();
});

afterEach(() => {
  socket.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("keeps a connection that answers", () => {
  for (let minute = 0; minute < 3; minute++) {
    vi.advanceTimersByTime(26_000);
    Line.all[0]?.onmessage?.({ data: '{"type":"pong"}' });
  }
  expect(Line.all[0]?.send).toHaveBeenCalledTimes(3);
  expect(links).toEqual(["connecting", "open"]);
});

it("replaces a silent connection, and continues from the last frame", () => {
  vi.advanceTimersByTime(34_000);
  expect(Line.all[0]?.close).toHaveBeenCalled();
  expect(links).toEqual(["connecting", "open", "waiting", "connecting"]);
  expect(Line.all.map(({ url }) => url)).toEqual(["ws://house/?since=0", "ws://house/?since=1"]);
});

it("ignores the late close of a replaced connection", () => {
  vi.advanceTimersByTime(33_100);
  Line.all[0]?.onclose?.({ code: 1006 });
  expect(links.filter((link) => link === "waiting")).toHaveLength(1);
});

it("pings at once when the page becomes visible", () => {
  document.dispatchEvent(new Event("visibilitychange"));
  expect(Line.all[0]?.send).toHaveBeenCalledWith('{"type":"ping"}');
});

it("does not reconnect after a refusal", () => {
  Line.all[0]?.onclose?.({ code: 1008 });
  vi.advanceTimersByTime(60_000);
  expect(links.at(-1)).toBe("refused");
  expect(Line.all).toHaveLength(1);
});
