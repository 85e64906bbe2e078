// When to retry after a lost connection.
import { afterEach, describe, expect, it, vi } from "vitest";
import { call, isPassing } from "../src/api/http";
import { SILENT, backOff, openingLimit, reconnectDelay } from "../src/net/back-off";

describe("back-off", () => {
  it("doubles up to 15 seconds", () => {
    const longest = Array.from({ length: 8 }, (_, attempt) => backOff(attempt, 1));
    expect(longest).toEqual([400, 800, 1600, 3200, 6400, 12_800, 15_000, 15_000]);
  });

  it("spreads over the upper half", () => {
    expect(backOff(3, 0)).toBe(1600);
    expect(backOff(3, 0.5)).toBe(2400);
  });

  it.each([1001, 1012])("spreads the first attempt after close code %i over two seconds", (code) => {
    expect([0, 0.25, 1].map((random) => reconnectDelay(code, 0, random, false))).toEqual([0, 500, 2000]);
    expect(reconnectDelay(code, 1, 0, false)).toBe(400);
  });

  it("replaces a silent line at once", () => {
    expect([0, 1, 20].map((attempt) => reconnectDelay(SILENT, attempt, 0.9, true))).toEqual([0, 0, 0]);
  });

  it("hurries for a while after a silence, as it concerns this client only", () => {
    const pauses = (isHurried: boolean): (number | null)[] =>
      [0, 3, 6, 12].map((attempt) => reconnectDelay(1006, attempt, 1, isHurried));
    expect(pauses(true)).toEqual([400, 1600, 1600, 15_000]);
    expect(pauses(false)).toEqual([400, 3200, 15_000, 15_000]);
  });

  it("gives a hurried attempt little time, on a slow line enough, and later more", () => {
    expect(openingLimit(0, false, 50)).toBe(15_000);
    expect([0, 12, 13, 20].map((attempt) => openingLimit(attempt, true, 50))).toEqual([
      1400, 1400, 2800, 15_000,
    ]);
    expect(openingLimit(0, true, 600)).toBe(4800);
  });

  it.each([1006, 1011, 1013])("reconnects after close code %i", (code) => {
    expect(reconnectDelay(code, 0, 0, false)).toBe(200);
  });

  it.each([1000, 1008])("does not reconnect after close code %i", (code) => {
    expect(reconnectDelay(code, 0, 0, true)).toBeNull();
  });
});

describe("requests", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it.each([
    [502, true],
    [503, true],
    [504, true],
    [500, false],
  ])("status %i without a body of ours is passing: %s", async (status, passing) => {
    vi.stubGlobal("fetch", () => Promise.resolve(new Response("<html>", { status })));
    const error: unknown = await call("GET", "/api/rules").catch((thrown: unknown) => thrown);
    expect(isPassing(error)).toBe(passing);
  });
});
