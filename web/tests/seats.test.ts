// The seats that the browser keeps.
import { afterEach, expect, it } from "vitest";
import {
  exportedSeats,
  forgetSeats,
  importSeats,
  keepSeat,
  ownSeat,
  seatPath,
  takenSeats,
} from "../src/state/seats";

afterEach(() => {
  localStorage.clear();
});

it("has one seat per game, and the address of the game opens it", () => {
  expect(seatPath("g", "a")).toBe("/game/g");
  keepSeat("h", "b");
  keepSeat("g", "c");
  expect(takenSeats()).toEqual([
    ["h", "b"],
    ["g", "c"],
  ]);
  expect(seatPath("watched", null)).toBe("/game/watched");
  forgetSeats(["h"]);
  expect(ownSeat("h")).toBeNull();
});

it("moves to another browser, where own seats come first", () => {
  keepSeat("g", "a");
  keepSeat("h", "b");
  const text = exportedSeats();
  localStorage.clear();
  keepSeat("g", "own");
  expect(importSeats(text)).toBe(1);
  expect(takenSeats()).toEqual([
    ["h", "b"],
    ["g", "own"],
  ]);
});

it.each(["", "{}", "[]", '{"plyhouseSeats": [["g"]]}', '{"plyhouseSeats": [["g", 1]]}'])(
  "refuses %s, which no page has exported",
  (text) => {
    keepSeat("g", "a");
    expect(() => importSeats(text)).toThrow("not a list of seats");
    expect(takenSeats()).toHaveLength(1);
  },
);
