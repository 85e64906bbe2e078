// An analysis session through a busy server, a broken stream and a restart. The server is a table of answers.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { AnalysisSession } from "../src/state/analysis-session";

/** A stream in which the test plays the server. */
class Stream {
  static readonly CONNECTING = 0;
  static readonly CLOSED = 2;
  static all: Stream[] = [];
  readyState = 1;
  onerror: (() => void) | null = null;
  private readonly hearers = new Map<string, (event: { data: string }) => void>();
  constructor(readonly url: string) {
    Stream.all.push(this);
  }
  addEventListener(name: string, hear: (event: { data: string }) => void): void {
    this.hearers.set(name, hear);
  }
  close(): void {
    this.readyState = Stream.CLOSED;
  }
  say(name: string, data: object): void {
    this.hearers.get(name)?.({ data: JSON.stringify(data) });
  }
  breakOff(readyState: number): void {
    this.readyState = readyState;
    this.onerror?.();
  }
}

const POSITION = { ply: 0, toAct: [0], played: [], values: [0, 0], bestMove: "", lines: [] };
const BUSY = { error: "All are in use.", code: "unavailable", retryAfterMs: 5000 };

let answers: Response[];
let session: AnalysisSession;

beforeEach(() => {
  vi.useFakeTimers();
  Stream.all = [];
  answers = [];
  const known = (): Response => Response.json({ analysisId: "a" }, { status: 202 });
  vi.stubGlobal("fetch", () => Promise.resolve(answers.shift() ?? known()));
  vi.stubGlobal("EventSource", Stream);
  session = new AnalysisSession("g", () => null);
});

afterEach(() => {
  session.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function stream(index: number): Promise<Stream> {
  await vi.waitUntil(() => Stream.all.length > index);
  return Stream.all[index] ?? expect.unreachable();
}

it("analyses the position on the board first", async () => {
  const asked: unknown[] = [];
  vi.stubGlobal("fetch", (_: string, { body }: { body: string }) => {
    asked.push(JSON.parse(body));
    const positions = [{ ...POSITION, ply: 7, values: [0.5, -0.5] }];
    return Promise.resolve(Response.json({ analysisId: "a", positions }));
  });
  session.start("quick", 7);
  const whole = await stream(0);
  expect(asked).toEqual([
    expect.objectContaining({ fromPly: 7, toPly: 7, samples: 250 }),
    expect.not.objectContaining({ fromPly: 7 }),
  ]);
  expect(session.state.positions.get(7)?.values).toEqual([0.5, -0.5]);
  expect([session.state.stage, session.state.reached.size]).toEqual(["starting", 0]);
  whole.say("position", POSITION);
  await session.preview(0);
  expect(asked.length).toBe(2);
});

it("keeps results when another depth is chosen, and caches completed analyses", async () => {
  session.start("quick", 0);
  const quick = await stream(0);
  quick.say("position", { ...POSITION, values: [0.1, -0.1] });
  quick.say("position", { ...POSITION, ply: 1, values: [0.2, -0.2] });
  quick.say("done", { status: "done", summary: [{ seat: 0 }] });
  session.start("deep", 0);
  const deep = await stream(1);
  deep.say("position", { ...POSITION, values: [0.3, -0.3] });
  const values = (): (number | undefined)[] =>
    [0, 1].map((ply) => session.state.positions.get(ply)?.values[0]);
  expect(values()).toEqual([0.3, 0.2]);
  expect([session.state.reached.size, session.state.summary.length]).toEqual([1, 1]);
  session.start("quick", 0);
  expect(deep.readyState).toBe(Stream.CLOSED);
  expect([session.state.stage, ...values()]).toEqual(["done", 0.1, 0.2]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(Stream.all.length).toBe(2);
});

it("waits as long as a busy server says", async () => {
  answers = [Response.json(BUSY, { status: 503 })];
  session.start("quick", 0);
  await vi.waitUntil(() => session.state.stage === "queued");
  expect(session.state.problem).toBe("The engine is busy.");
  await vi.advanceTimersByTimeAsync(4900);
  expect(Stream.all).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  (await stream(0)).say("position", POSITION);
  expect(session.state.stage).toBe("running");
});

it("lets the browser reopen a broken stream, and requests the analysis again if it is gone", async () => {
  session.start("quick", 0);
  const first = await stream(0);
  first.say("position", POSITION);
  first.breakOff(Stream.CONNECTING);
  expect(session.state.stage).toBe("lost");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(Stream.all.length).toBe(1);
  first.breakOff(Stream.CLOSED);
  await vi.advanceTimersByTimeAsync(60_000);
  (await stream(1)).say("done", { status: "done", summary: [] });
  expect(session.state.stage).toBe("done");
  expect(session.state.positions.size).toBe(1);
});

it("retries after the server has stopped, but not after somebody has cancelled the analysis", async () => {
  session.start("quick", 0);
  (await stream(0)).say("done", { status: "cancelled", retryAfterMs: 1000, summary: [] });
  expect(session.state.stage).toBe("lost");
  await vi.advanceTimersByTimeAsync(1500);
  (await stream(1)).say("done", { status: "cancelled", summary: [] });
  expect(session.state.stage).toBe("cancelled");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(Stream.all.length).toBe(2);
});

it("shows why an analysis is refused", async () => {
  answers = [
    Response.json({ error: "Nobody here can evaluate heap.", code: "unsupported" }, { status: 422 }),
  ];
  session.start("quick", 0);
  await vi.waitUntil(() => session.state.stage === "failed");
  expect(session.state.problem).toBe("Nobody here can evaluate heap.");
});

it("abandons the analysis when another depth is chosen", async () => {
  session.start("quick", 0);
  const first = await stream(0);
  session.start("deep", 0);
  await stream(1);
  expect(first.readyState).toBe(Stream.CLOSED);
  expect(session.state.stage).toBe("starting");
});

it("withdraws a running analysis when it is closed, but not a completed one", async () => {
  const calls: string[] = [];
  vi.stubGlobal("fetch", (path: string, { method, headers }: { method: string; headers: Headers }) => {
    calls.push(`${method} ${path} ${headers.get("Authorization") ?? ""}`.trim());
    return Promise.resolve(Response.json({ analysisId: "a/1", token: "t" }));
  });
  session.start("quick", 0);
  await stream(0);
  session.close();
  session.start("quick", 0);
  (await stream(1)).say("done", { status: "done", summary: [] });
  session.close();
  const ask = "POST /api/analysis";
  expect(calls).toEqual([ask, "DELETE /api/analysis/a%2F1 Bearer t", ask]);
});

it("leaves the usual number of samples to the server, which knows what a long game may have", async () => {
  const asked: unknown[] = [];
  vi.stubGlobal("fetch", (_: string, { body }: { body: string }) => {
    asked.push(JSON.parse(body));
    return Promise.resolve(Response.json({ analysisId: "a", token: "t" }, { status: 202 }));
  });
  session.usual = 50_000;
  session.start("normal", 0);
  await stream(0);
  expect(asked).toEqual([{ gameId: "g", multipv: 3 }]);
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({}, { status: 404 })));
});

it("requests fewer samples if there is a limit", async () => {
  const asked: unknown[] = [];
  const refusal = { error: "100 positions may have 20000 samples each.", code: "over-limit", limit: 20_000 };
  vi.stubGlobal("fetch", (_: string, { body }: { body: string }) => {
    const { samples } = JSON.parse(body) as { samples: number };
    asked.push(samples);
    const isTooMany = samples > refusal.limit;
    return Promise.resolve(
      isTooMany
        ? Response.json(refusal, { status: 422 })
        : Response.json({ analysisId: "a", token: "t" }, { status: 202 }),
    );
  });
  session.usual = 50_000;
  session.start("deep", 0);
  await stream(0);
  expect(asked).toEqual([100_000, 20_000]);
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({}, { status: 404 })));
});
