// The Wallwars board's pure parts: notation, scene, geometry and focus.
import { describe, expect, it } from "vitest";
import { nearest } from "../src/boards/common/arrows";
import { UNIT, WALL_REACH, pawnSpot, stepSpot, wallArea, wallLine } from "../src/boards/wallwars/geometry";
import {
  cellName,
  composeMove,
  describe as say,
  describeMove,
  parseAction,
  parseMove,
  type Action,
} from "../src/boards/wallwars/notation";
import { hintOf, scene, type WallwarsView } from "../src/boards/wallwars/scene";

const view: WallwarsView = {
  boardWidth: 8,
  boardHeight: 8,
  turn: 2,
  pawns: { p1: { cat: [0, 1], mouse: [7, 0] }, p2: { cat: [0, 7], mouse: [7, 7] } },
  walls: [
    { cell: [4, 3], orientation: "vertical", playerId: 1 },
    { cell: [3, 2], orientation: "horizontal" },
  ],
};

const read = (text: string): Action[] => parseMove(text, 8);

describe("notation", () => {
  it.each([
    ["Cb8", 8, { kind: "step", pawn: "cat", cell: { row: 0, column: 1 } }],
    ["Ma2", 8, { kind: "step", pawn: "mouse", cell: { row: 6, column: 0 } }],
    [">d4", 8, { kind: "wall", orientation: "vertical", cell: { row: 4, column: 3 } }],
    ["^c5", 8, { kind: "wall", orientation: "horizontal", cell: { row: 3, column: 2 } }],
    ["Cc10", 10, { kind: "step", pawn: "cat", cell: { row: 0, column: 2 } }],
    ["Ct20", 20, { kind: "step", pawn: "cat", cell: { row: 0, column: 19 } }],
  ])("reads %s on a board of %i rows", (text, height, action) => {
    expect(parseAction(text, height)).toEqual(action);
  });

  it.each(["", "---", "b8", "Cb", "Cb0", "Cb08", "CB8", "Xb8", "Cb8.>d4"])(
    "takes %j for no action",
    (text) => {
      expect(parseAction(text, 8)).toBeNull();
    },
  );

  it("names every cell as it reads it", () => {
    for (let row = 0; row < 20; row++) {
      for (let column = 0; column < 20; column++) {
        const cell = { row, column };
        expect(parseAction(`C${cellName(cell, 20)}`, 20)?.cell).toEqual(cell);
      }
    }
  });

  it("splits a move into its actions and joins them again", () => {
    for (const move of ["---", "Cb8", "Cb8.>d4"]) {
      const texts = move === "---" ? [] : move.split(".");
      expect(read(move)).toHaveLength(texts.length);
      expect(composeMove(texts)).toBe(move);
    }
  });

  it("describes actions in words", () => {
    expect(read("Cb8.Ma2.>d4.^c5").map((action) => say(action, 8))).toEqual([
      "Cat to b8",
      "Mouse to a2",
      "Wall right of d4",
      "Wall above c5",
    ]);
    expect(["Cb8.>d4", "---"].map((move) => describeMove(move, 8))).toEqual([
      "Cat to b8, Wall right of d4",
      "Pass",
    ]);
  });
});

describe("scene", () => {
  it("shows pawns and walls with their owners", () => {
    const { pawns, walls } = scene(view, [], []);
    expect(pawns.map(({ piece, seat }) => `${piece} ${seat}`)).toEqual([
      "cat 0",
      "mouse 0",
      "cat 1",
      "mouse 1",
    ]);
    expect(walls.map(({ seat }) => seat)).toEqual([0, null]);
  });

  it("marks the last move", () => {
    const { arrivals, walls } = scene(view, [], read("Cb8.>d4"));
    expect(arrivals).toEqual([{ row: 0, column: 1 }]);
    expect(walls.map(({ isFresh }) => isFresh)).toEqual([true, false]);
  });

  it("moves only the mover's staged pawn, and keeps its old place visible", () => {
    const { pawns } = scene(view, read("Cg8.Cg7"), []);
    const cats = pawns.filter(({ piece }) => piece === "cat");
    expect(cats.map(({ seat, moment, cell }) => [seat, moment, cell.row, cell.column])).toEqual([
      [0, "present", 0, 1],
      [1, "past", 0, 7],
      [1, "next", 1, 6],
    ]);
  });

  it("adds staged walls in the mover's colour", () => {
    expect(scene(view, read("^d5"), []).walls.at(-1)).toMatchObject({
      seat: 1,
      moment: "next",
      isFresh: false,
    });
  });

  it("points out a move from the mover's pawns, step by step", () => {
    const { steps, walls } = hintOf(view, read("Cg8.Cg7"));
    expect(steps).toEqual([
      { from: { row: 0, column: 7 }, to: { row: 0, column: 6 } },
      { from: { row: 0, column: 6 }, to: { row: 1, column: 6 } },
    ]);
    expect(walls).toEqual([]);
    expect(hintOf(view, read("Mh2.>d5")).walls).toMatchObject([{ orientation: "vertical" }]);
  });

  it("handles homes instead of mice, and sides with one pawn", () => {
    const classic = { ...view, pawns: { p1: { cat: [0, 0], home: [7, 7] }, p2: { cat: [0, 7] } } } as const;
    const { homes, pawns } = scene(classic, [], []);
    expect(homes.map(({ seat }) => seat)).toEqual([0]);
    expect(pawns).toHaveLength(2);
  });
});

describe("geometry", () => {
  const cell = { row: 2, column: 1 };

  it("puts vertical walls right of their cell and horizontal ones above it", () => {
    expect(wallLine("vertical", cell, 0)).toEqual({ from: { x: 200, y: 200 }, to: { x: 200, y: 300 } });
    expect(wallLine("horizontal", cell, 0)).toEqual({ from: { x: 100, y: 200 }, to: { x: 200, y: 200 } });
  });

  it("leaves the centre of every cell, two fifths of its area, to pieces", () => {
    const reach = WALL_REACH;
    expect((1 - 2 * (reach / UNIT)) ** 2).toBeGreaterThan(0.4);
    expect(wallArea("vertical", cell, reach)).toContainEqual({ x: 200 - reach, y: 200 + reach });
    expect(wallArea("horizontal", cell, reach)).toContainEqual({ x: 100 + reach, y: 200 + reach });
  });

  it("keeps pawns on one cell apart", () => {
    const together = scene({ ...view, pawns: { p1: { cat: [3, 3] }, p2: { mouse: [3, 3] } } }, [], []).pawns;
    const [first, second] = together.map((pawn) => pawnSpot(pawn, together));
    expect(first).not.toEqual(second);
    expect(first?.scale).toBeLessThan(1);
  });

  it("gives two pawns that can step on one cell a dot each", () => {
    const steps = read("Cb2.Mb2.Mc3");
    const [cat, mouse, alone] = steps.map((step) => stepSpot(step, steps));
    expect(cat?.x).toBeLessThan(150);
    expect(mouse?.x).toBeGreaterThan(150);
    expect(alone).toEqual({ x: 250, y: 550 });
  });

  it("moves the focus to the nearest point ahead", () => {
    const points = [
      { x: 0, y: 0 },
      { x: 100, y: 0 },
      { x: 60, y: 50 },
      { x: 0, y: 90 },
    ];
    const from = { x: 0, y: 0 };
    expect(nearest(from, { x: 1, y: 0 }, points)).toBe(1);
    expect(nearest(from, { x: 0, y: 1 }, points)).toBe(3);
    expect(nearest(from, { x: -1, y: 0 }, points)).toBeNull();
  });
});
