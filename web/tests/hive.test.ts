// The Hive board's pure parts: notation, scene and geometry.
import { describe, expect, it } from "vitest";
import { framing } from "../src/boards/common/camera";
import { RADIUS, VIEW, areaAround, centre, hexagon, inView, tileCentre } from "../src/boards/hive/geometry";
import {
  describeMove,
  describeStack,
  parseMove,
  parsePiece,
  type Cell,
  type Piece,
} from "../src/boards/hive/notation";
import {
  bugsOf,
  hintOf,
  sourcesOf,
  stacksOf,
  targetsOf,
  tilesOf,
  type HiveView,
} from "../src/boards/hive/scene";

const piece = (name: string): Piece => parsePiece(name) ?? expect.unreachable();

/** A black beetle on the white queen at the origin, a white ant to the east, a black queen south-west of that ant. */
const view: HiveView = {
  type: "Base+P",
  toMove: 0,
  cells: [
    { q: 0, r: 0, pieces: ["wQ", "bB1"] },
    { q: 1, r: 0, pieces: ["wA1"] },
    { q: 0, r: 1, pieces: ["bQ"] },
  ],
  hands: [
    ["wS1", "wA2"],
    ["bS1", "bB2"],
  ],
  reserve: [
    { Q: 0, S: 2, A: 2 },
    { Q: 0, S: 2, B: 1 },
  ],
  lastMove: { piece: "bB1", from: { q: 0, r: 1 }, to: { q: 0, r: 0 } },
  resting: "bB1",
  queens: [2, 2],
};

describe("notation", () => {
  it.each([
    ["wA1", { seat: 0, bug: "A", number: 1 }],
    ["bG3", { seat: 1, bug: "G", number: 3 }],
    ["bQ", { seat: 1, bug: "Q", number: 0 }],
  ])("reads the piece %s", (name, parts) => {
    expect(parsePiece(name)).toEqual({ name, ...parts });
  });

  it.each(["", "wQ1", "wA", "wA4", "wB3", "rA1", "WA1", "wX"])("rejects the piece %j", (name) => {
    expect(parsePiece(name)).toBeNull();
  });

  it.each([
    ["wA1 -bQ", "west"],
    ["wA1 bQ-", "east"],
    ["wA1 \\bQ", "north-west"],
    ["wA1 bQ\\", "south-east"],
    ["wA1 /bQ", "south-west"],
    ["wA1 bQ/", "north-east"],
    ["wA1 bQ", null],
  ])("reads where %j goes", (text, side) => {
    expect(parseMove(text)).toEqual({ piece: piece("wA1"), beside: piece("bQ"), side });
  });

  it.each(["pass", "wA1 ", "wA1 -bQ-", "wA1 bX", "wA1 -bQ x", "-bQ"])("rejects the move %j", (text) => {
    expect(parseMove(text)).toBeNull();
  });

  it.each([
    ["wA1", "White ant 1 opens the game"],
    ["wA1 -bQ", "White ant 1 west of black queen"],
    ["bB1 wQ", "Black beetle 1 onto white queen"],
    ["pass", "Pass"],
    ["nonsense", "nonsense"],
  ])("describes %s in words", (text, words) => {
    expect(describeMove(text)).toBe(words);
  });

  it("names a stack from the top", () => {
    expect(describeStack(["wQ", "bB1", "wB2"].map(piece))).toBe(
      "White beetle 2 on black beetle 1 on white queen",
    );
  });
});

describe("scene", () => {
  const places = (staged: string[]): string[] =>
    tilesOf(stacksOf(view, staged)).map(({ name, q, r, level, height }) =>
      [name, q, r, `${level}/${height}`].join(" "),
    );

  it("draws higher pieces later", () => {
    expect(places([])).toEqual(["bQ 0 1 0/1", "wA1 1 0 0/1", "wQ 0 0 0/2", "bB1 0 0 1/2"]);
  });

  it("applies the staged move: off a stack, onto one, out of the reserve", () => {
    expect(places(["bB1 wA1"])).toEqual(["bQ 0 1 0/1", "wA1 1 0 0/2", "wQ 0 0 0/1", "bB1 1 0 1/2"]);
    expect(places(["wS1 wA1-"])).toContain("wS1 2 0 0/1");
    expect(places(["wA1 bB1/"])).toEqual(["bQ 0 1 0/1", "wA1 1 -1 0/1", "wQ 0 0 0/2", "bB1 0 0 1/2"]);
    expect(places(["pass"])).toEqual(places([]));
    expect(places(["wS1 -bL"])).toEqual(places([]));
  });

  it("lists the bugs of the game's type", () => {
    expect(bugsOf(view)).toEqual(["Q", "A", "G", "S", "B", "P"]);
    expect(bugsOf({ type: "Base" })).toHaveLength(5);
    expect(bugsOf({ type: "Base+MLP" })).toHaveLength(8);
  });

  it("finds what can be moved, and to where", () => {
    const legal = ["wS1 wA1-", "wA1 wA1-", "bB1 wA1", "bB1 -bQ", "pass"];
    expect([...sourcesOf(legal)]).toEqual(["wS1", "wA1", "bB1"]);
    expect(targetsOf(view, legal, "bB1")).toEqual([
      { text: "bB1 wA1", q: 1, r: 0, level: 1 },
      { text: "bB1 -bQ", q: -1, r: 1, level: 0 },
    ]);
    expect(targetsOf(view, legal, "wA1")).toEqual([{ text: "wA1 wA1-", q: 2, r: 0, level: 0 }]);
  });

  it("opens a game at the origin", () => {
    const empty = { ...view, cells: [] };
    expect(targetsOf(empty, ["wS1"], "wS1")).toEqual([{ text: "wS1", q: 0, r: 0, level: 0 }]);
  });

  it("points out moves from the board and from the reserve", () => {
    const fromBoard = hintOf(view, "bB1 wA1");
    expect(fromBoard).toMatchObject({ from: { q: 0, r: 0, level: 1 }, to: { q: 1, r: 0, level: 1 } });
    expect(hintOf(view, "wS1 wA1-")).toMatchObject({
      piece: { name: "wS1" },
      from: null,
      to: { q: 2, r: 0 },
    });
    expect(hintOf(view, "pass")).toBeNull();
  });
});

describe("geometry", () => {
  const origin = { q: 0, r: 0 };
  const away = (cell: Cell, isFlipped = false): [number, number] => {
    const { x, y } = centre(cell, isFlipped);
    return [Math.sign(Math.round(x)) + 0, Math.sign(Math.round(y)) + 0];
  };

  it.each<[string, Cell, [number, number]]>([
    ["east", { q: 1, r: 0 }, [1, 0]],
    ["north-east", { q: 1, r: -1 }, [1, -1]],
    ["south-west", { q: -1, r: 1 }, [-1, 1]],
    ["south-east", { q: 0, r: 1 }, [1, 1]],
  ])("puts %s where it is, and opposite when flipped", (_, cell, [x, y]) => {
    expect(away(cell)).toEqual([x, y]);
    expect(away(cell, true)).toEqual([0 - x, 0 - y]);
  });

  it("puts all six neighbours at the same distance", () => {
    const steps = [
      [1, 0],
      [0, 1],
      [-1, 1],
      [-1, 0],
      [0, -1],
      [1, -1],
    ].map(([q = 0, r = 0]) => centre({ q, r }, false));
    for (const { x, y } of steps) expect(Math.hypot(x, y)).toBeCloseTo(RADIUS * Math.sqrt(3));
  });

  it("lifts the pieces of a stack, by less each in a high one", () => {
    const lift = (level: number, height: number): number =>
      -tileCentre({ ...origin, level, height }, false).y;
    expect(lift(0, 7)).toBeCloseTo(0);
    expect(lift(1, 2)).toBeGreaterThan(lift(1, 7));
    expect(lift(6, 7)).toBeLessThan(RADIUS);
  });

  it.each([1, 2, 9, 28])("shows a row of %i pieces with a ring of cells around it", (length) => {
    for (const isFlipped of [false, true]) {
      const cells = Array.from({ length }, (_, q) => ({ q, r: 0 }));
      const frame = framing(areaAround(cells, isFlipped), VIEW, Infinity);
      for (const cell of [
        { q: -1, r: 0 },
        { q: length, r: 0 },
        { q: 0, r: -1 },
        { q: length - 1, r: 1 },
      ]) {
        const { x, y } = inView(centre(cell, isFlipped), frame);
        expect(Math.abs(x) + (RADIUS * frame.scale * Math.sqrt(3)) / 2).toBeLessThanOrEqual(VIEW.width / 2);
        expect(Math.abs(y) + RADIUS * frame.scale).toBeLessThanOrEqual(VIEW.height / 2);
      }
    }
  });

  it("draws closed hexagons", () => {
    expect(hexagon(50)).toMatch(/^M[^M]+Z$/);
    expect(hexagon(50).match(/Q/g)).toHaveLength(6);
  });
});
