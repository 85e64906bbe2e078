// When to retry after a lost connection.
import { describe, expect, it } from "vitest";
import { backOff, reconnectDelay } from "../src/net/back-off";

describe("back-off", () => {
  it("doubles up to 15 seconds", () => {
    const longest = Array.from({ length: 8 }, (_, attempt) => backOff(attempt, 1));
    expect(longest).toEqual([400, 800, 1600, 3200, 6400, 12_800, 15_000, 15_000]);
  });

  it("spreads over the upper half", () => {
    expect(backOff(3, 0)).toBe(1600);
    expect(backOff(3, 0.5)).toBe(2400);
  });

  it.each([1001, 1006, 1011, 1012, 1013])("reconnects after close code %i", (code) => {
    expect(reconnectDelay(code, 0, 0)).toBe(200);
  });

  it.each([1000, 1008])("does not reconnect after close code %i", (code) => {
    expect(reconnectDelay(code, 0, 0)).toBeNull();
  });
});
