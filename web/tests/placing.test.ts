// Placing by the keyboard: where a tool can be used, whatever is on the board.
import { describe, expect, it } from "vitest";
import type { SetUp } from "../src/boards";
import { ARROWS } from "../src/boards/common/arrows";
import { nextIn, type Spot } from "../src/boards/common/placing";
import { setUp as hive } from "../src/boards/hive/set-up";
import { setUp as pyrat } from "../src/boards/pyrat/set-up";
import { setUp as wallwars } from "../src/boards/wallwars/set-up";

const HIVE = {
  type: "Base+MLP",
  toMove: 0,
  cells: [
    { q: 0, r: 0, pieces: ["wQ", "bB1"] },
    { q: 1, r: 0, pieces: ["bQ"] },
    { q: 2, r: -1, pieces: ["wA1"] },
    { q: 2, r: -2, pieces: ["bA1"] },
    { q: -1, r: 1, pieces: ["wG1"] },
    { q: -1, r: 2, pieces: ["bG1"] },
    { q: 0, r: 2, pieces: ["wS1"] },
  ],
  hands: [[], []],
  reserve: [{}, {}],
  lastMove: null,
  resting: null,
  queens: [3, 2],
};
const EMPTY_HIVE = { ...HIVE, cells: [] };
const WALLWARS = {
  boardWidth: 5,
  boardHeight: 4,
  turn: 1,
  pawns: {
    p1: { cat: [3, 0], mouse: [3, 4] },
    p2: { cat: [0, 0], mouse: [0, 4] },
  },
  walls: [{ cell: [2, 1], orientation: "vertical", playerId: 2 }],
};
const PYRAT = {
  width: 4,
  height: 3,
  maxTurns: 20,
  turn: 0,
  starts: [],
  exits: ["3bb9", "7ffd", "6eec"],
  mud: [[[0, 0], [1, 0], 3]],
  cheese: [[2, 1]],
  totalCheese: 1,
  players: [{ cell: [0, 0] }, { cell: [3, 2] }],
};

const SETUPS: readonly (readonly [string, SetUp, unknown, string])[] = [
  ["hive", hive, HIVE, "wA"],
  ["hive", hive, HIVE, "remove"],
  ["hive", hive, EMPTY_HIVE, "wA"],
  ["wallwars", wallwars, WALLWARS, "p1 cat"],
  ["wallwars", wallwars, WALLWARS, "wall 1"],
  ["pyrat", pyrat, PYRAT, "cheese"],
  ["pyrat", pyrat, PYRAT, "mud"],
];

/** The indices of what the arrow keys lead to from a spot. */
function reached(spots: readonly Spot[], start: number): Set<number> {
  const found = new Set([start]);
  const places = spots.map(({ point }) => point);
  for (const index of found) {
    const from = places[index];
    for (const way of Object.values(ARROWS)) {
      const next = from === undefined ? null : nextIn(from, way, places);
      if (next !== null) found.add(next);
    }
  }
  return found;
}

describe.each(SETUPS)("%s", (_game, setUp, view, tool) => {
  const spots = setUp.spots(view, tool);

  it(`leads from each spot to every other one (${tool})`, () => {
    expect(spots.length).toBeGreaterThan(0);
    for (const start of spots.keys()) expect(reached(spots, start).size).toBe(spots.length);
  });

  it(`names each spot differently (${tool})`, () => {
    expect(new Set(spots.map(({ name }) => name)).size).toBe(spots.length);
  });

  it(`uses the tool at each spot as a click there does, at different places (${tool})`, () => {
    const used = spots
      .filter(({ isPassage = false }) => !isPassage)
      .map(({ point }) => JSON.stringify(setUp.after(view, tool, point)));
    expect(used).not.toContain("null");
    expect(new Set(used).size).toBe(used.length);
  });
});

it.each([
  [hive as SetUp, HIVE, "wA", "Black beetle 1 on white queen"],
  [hive as SetUp, EMPTY_HIVE, "wA", "Empty, column 0, row 0"],
  [wallwars as SetUp, WALLWARS, "p1 cat", "a1, cat of player 1"],
  [wallwars as SetUp, WALLWARS, "wall", "Right of b2, wall of player 2"],
  [pyrat as SetUp, PYRAT, "0", "(2, 1), cheese"],
  [pyrat as SetUp, PYRAT, "mud", "Between (0, 0) and (1, 0), mud 3"],
])("says what is there", (setUp, view, tool, name) => {
  expect(setUp.spots(view, tool).map((spot) => spot.name)).toContain(name);
});
