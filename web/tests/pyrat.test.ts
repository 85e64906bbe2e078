// The PyRat board's pure parts: notation, geometry, what is seen, and what part of the maze is shown.
import { describe, expect, it } from "vitest";
import {
  boardArea,
  centreOf,
  directionOf,
  gridPath,
  isOpen,
  origin,
  stepped,
  wallPath,
  type Cell,
  type Frame,
} from "../src/boards/pyrat/geometry";
import { DIRECTIONS, describeMove, parseTurn } from "../src/boards/pyrat/notation";
import { asideOf, meant, stays, stepOf, stepsAfter, stepsBefore, targetsOf } from "../src/boards/pyrat/scene";
import { MazeViewport } from "../src/boards/pyrat/viewport";
import { LEGAL, view } from "./pyrat-fixture";

const FRAME: Frame = { width: 3, height: 3, isFlipped: false };
const FLIPPED: Frame = { ...FRAME, isFlipped: true };

describe("notation", () => {
  it.each([
    ["UP/LEFT", "Rat up, Python left"],
    ["STAY/DOWN", "Rat stays, Python down"],
    ["RIGHT", "Right"],
    ["STAY", "Stay"],
    ["up", "up"],
    ["UP/LEFT/UP", "UP/LEFT/UP"],
  ])("says %s", (text, words) => {
    expect(describeMove(text)).toBe(words);
  });

  it("reads only turns of two", () => {
    expect(parseTurn("UP/STAY")).toEqual(["UP", "STAY"]);
    for (const text of ["UP", "UP/", "UP/JUMP", "UP/UP/UP", ""]) expect(parseTurn(text)).toBeNull();
  });
});

describe("geometry", () => {
  it("has 0,0 at the bottom left, and at the top right of a flipped board", () => {
    expect(centreOf([0, 0], FRAME)).toEqual({ x: 50, y: 250 });
    expect(centreOf([2, 1], FRAME)).toEqual({ x: 250, y: 150 });
    expect(centreOf([0, 0], FLIPPED)).toEqual({ x: 250, y: 50 });
  });

  it("leads back from where a step has led", () => {
    for (const direction of DIRECTIONS) expect(origin(stepped([4, 7], direction), direction)).toEqual([4, 7]);
    expect(stepped([1, 1], "UP")).toEqual([1, 2]);
  });

  it.each([
    [{ x: 30, y: 10 }, "RIGHT", "LEFT"],
    [{ x: -30, y: 10 }, "LEFT", "RIGHT"],
    [{ x: 3, y: -40 }, "UP", "DOWN"],
    [{ x: 3, y: 40 }, "DOWN", "UP"],
  ])("reads the way %j as %s", (way, direction, flipped) => {
    expect(directionOf(way, false)).toBe(direction);
    expect(directionOf(way, true)).toBe(flipped);
  });

  it("goes the same way on the screen as on the board", () => {
    for (const frame of [FRAME, FLIPPED]) {
      for (const direction of DIRECTIONS.slice(0, 4)) {
        const [from, to] = [centreOf([1, 1], frame), centreOf(stepped([1, 1], direction), frame)];
        expect(directionOf({ x: to.x - from.x, y: to.y - from.y }, frame.isFlipped)).toBe(direction);
      }
    }
  });

  it("reads the steps that are open, each from both sides", () => {
    const open = (cell: Cell): string[] => DIRECTIONS.filter((one) => isOpen(view.exits, cell, one));
    expect(open([1, 1])).toEqual(["RIGHT", "DOWN", "LEFT"]);
    expect(open([0, 2])).toEqual(["DOWN"]);
    expect(open([9, 9])).toEqual([]);
  });

  it("joins walls in a line", () => {
    expect(wallPath(view.exits, FRAME)).toBe("M100 100V0M200 300V200M100 100H200");
    expect(
      wallPath(
        ["0", "0", "0"].map((digit) => digit.repeat(3)),
        FRAME,
      ),
    ).toBe("M100 300V0M200 300V0M0 200H300M0 100H300");
    expect(wallPath(["fff", "fff", "fff"], FRAME)).toBe("");
  });

  it("turns the walls of a flipped board by half", () => {
    expect(wallPath(view.exits, FLIPPED)).toBe("M200 200V300M100 0V100M200 200H100");
  });

  it("has a line between all cells", () => {
    expect(gridPath(FRAME)).toBe("M100 0V300M200 0V300M0 100H300M0 200H300");
  });
});

describe("scene", () => {
  it("shows where both came from, and who stayed", () => {
    const [rat, python] = stepsBefore(view, "UP/STAY");
    expect(rat).toEqual({ seat: 0, from: [1, 0], to: [1, 1] });
    expect(python).toEqual({ seat: 1, from: [2, 2], to: [2, 2] });
    expect([rat, python].map((step) => step && stays(step))).toEqual([false, true]);
    expect(stepsBefore(view, null)).toEqual([]);
    expect(stepsBefore(view, "UP")).toEqual([]);
  });

  it("shows where a turn leads", () => {
    expect(stepsAfter(view, "LEFT/STAY").map(({ to }) => to)).toEqual([
      [0, 1],
      [2, 2],
    ]);
    expect(stepOf(view, 1, "DOWN")).toEqual([{ seat: 1, from: [2, 2], to: [2, 1] }]);
    expect(stepOf(view, 1, "LEFT/STAY")).toEqual([]);
  });

  it("names the cells to pick", () => {
    expect(targetsOf(view, 0, LEGAL).map(({ name, cell }) => [name, cell])).toEqual([
      ["Right, through mud of 3 turns", [2, 1]],
      ["Down", [1, 0]],
      ["Left", [0, 1]],
      ["Stay", [1, 1]],
    ]);
    expect(targetsOf(view, 1, ["STAY"]).map(({ name }) => name)).toEqual([
      "Stay, held by mud for 2 more turns",
    ]);
    expect(targetsOf(view, 2, LEGAL)).toEqual([]);
  });

  it("takes any direction for staying where nothing else is possible", () => {
    expect(meant(LEGAL, "LEFT")).toBe("LEFT");
    expect(meant(LEGAL, "UP")).toBeNull();
    expect(meant(["STAY"], "UP")).toBe("STAY");
    expect(meant([], "UP")).toBeNull();
  });

  it("puts two players on one cell beside each other", () => {
    expect(asideOf(view.players, 0)).toBe(0);
    const [rat, python] = view.players;
    const both = [rat, python].flatMap((player) => (player ? [{ ...player, cell: [1, 1] as Cell }] : []));
    expect(asideOf(both, 0)).toBe(-asideOf(both, 1));
    expect(asideOf(both, 0)).toBeLessThan(0);
  });
});

describe("viewport", () => {
  const PHONE = { width: 336, height: 336 };

  function looking(side: number, own: Cell | null): MazeViewport {
    const frame = { width: side, height: side, isFlipped: false };
    const viewport = new MazeViewport(() => undefined);
    viewport.resize(PHONE);
    viewport.update({ area: boardArea(frame), own: own === null ? null : centreOf(own, frame) });
    return viewport;
  }

  it("shows a whole board as long as its maze can be read", () => {
    for (const side of [5, 11, 21]) expect(looking(side, [0, 0]).showsEverything).toBe(true);
    expect(looking(5, [0, 0]).camera.scale * 100).toBeLessThanOrEqual(84);
  });

  it("shows the surroundings of a player on a large board, and everything to spectators", () => {
    const viewport = looking(64, [0, 0]);
    expect([viewport.showsEverything, viewport.isUsuallyEverything]).toEqual([false, false]);
    expect(looking(64, null).showsEverything).toBe(true);
    viewport.toggle();
    expect(viewport.showsEverything).toBe(true);
    viewport.toggle();
    expect(viewport.showsEverything).toBe(false);
  });

  it("leaves the finger of a player for swipes", () => {
    expect(looking(64, [0, 0]).oneFinger).toBe("swipes");
    const watching = looking(64, null);
    expect(watching.oneFinger).toBe("scrolls");
    watching.zoom(2);
    expect(watching.oneFinger).toBe("pans");
  });

  it("follows the player, also after the player has zoomed", () => {
    const frame = { width: 64, height: 64, isFlipped: false };
    const viewport = looking(64, [0, 0]);
    const isSeen = (cell: Cell): boolean => {
      const { middle, scale } = viewport.camera;
      const { x, y } = centreOf(cell, frame);
      return Math.max(Math.abs(x - middle.x), Math.abs(y - middle.y)) * scale < PHONE.width / 2;
    };
    expect([isSeen([0, 0]), isSeen([40, 40])]).toEqual([true, false]);
    viewport.zoom(2);
    const { scale } = viewport.camera;
    viewport.update({ area: boardArea(frame), own: centreOf([40, 40], frame) });
    expect(isSeen([40, 40])).toBe(true);
    expect(viewport.camera.scale).toBe(scale);
  });
});
