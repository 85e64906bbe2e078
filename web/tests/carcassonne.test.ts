// The Carcassonne board's pure parts: notation, the layout of tiles, the camera, and what is seen.
import { describe, expect, it } from "vitest";
import { closeUp, fitted, fittedToPlay } from "../src/boards/carcassonne/camera";
import { layoutOf, turned } from "../src/boards/carcassonne/layout";
import { describeMove, parseMove } from "../src/boards/carcassonne/notation";
import { rotationFrom, spotPoint, spotsOf, stagedTile, targetsOf } from "../src/boards/carcassonne/scene";
import { spotName, tableOf, type TileRow } from "../src/boards/carcassonne/tiles";
import { ROWS, view } from "./carcassonne-fixture";

const row = (letter: string): TileRow => ROWS.find(({ tile }) => tile === letter) ?? expect.unreachable();

describe("notation", () => {
  it.each([
    ["0,1,180", { x: 0, y: 1, rotation: 180 }, null],
    ["-3,-12,0 city_NS +K", { x: -3, y: -12, rotation: 0 }, "city_NS"],
    ["2,0,90 monastery -C +B", { x: 2, y: 0, rotation: 90 }, "monastery"],
    ["2,0,90 skip", { x: 2, y: 0, rotation: 90 }, null],
    ["road_E", null, "road_E"],
    ["skip", null, null],
  ])("reads %s", (text, placement, spot) => {
    expect(parseMove(text)).toEqual({ placement, spot });
  });

  it.each(["", "0,1", "0,1,45", "0,1,90 tower_N", "0,1,90 city_N road_S", "!1", "+B"])(
    "refuses %j",
    (text) => {
      expect(parseMove(text)).toBeNull();
    },
  );

  it.each([
    [
      "0,1,180 city_NE +B",
      "Tile north of the start, turned by 180°, meeple on the city in the north and east",
    ],
    ["0,-1,0", "Tile south of the start"],
    ["3,-2,0", "Tile 3 east, 2 south of the start"],
    ["-12,0,90", "Tile 12 west of the start, turned by 90°"],
    ["monastery", "Meeple on the monastery"],
    ["field_NESW", "Meeple on the field"],
    ["!1", "!1"],
  ])("describes %s", (text, words) => {
    expect(describeMove(text)).toBe(words);
  });
});

describe("tiles", () => {
  it("names turned spots in the order north, east, south, west", () => {
    const [city, road] = row("D").segments;
    expect(city && spotName(city, 90)).toBe("city_E");
    expect(road && spotName(road, 270)).toBe("road_NS");
    expect(row("A").segments.map((segment) => spotName(segment, 180))).toEqual([
      "monastery",
      "road_N",
      "field_ESW",
    ]);
  });

  it("takes the table of the variant", () => {
    expect([...tableOf({ tiles: { standard: ROWS } }, "standard").keys()]).toEqual(
      ROWS.map(({ tile }) => tile),
    );
    expect(tableOf({}, "standard").size).toBe(0);
  });
});

describe("layout", () => {
  it.each(ROWS.map(({ tile }) => tile))("gives every spot of %s room of its own", (letter) => {
    const { spots } = layoutOf(row(letter));
    expect(spots).toHaveLength(row(letter).segments.length);
    for (const [index, { x, y }] of spots.entries()) {
      expect(Math.max(Math.abs(x), Math.abs(y))).toBeLessThan(46);
      for (const other of spots.slice(index + 1))
        expect(Math.hypot(x - other.x, y - other.y)).toBeGreaterThan(12);
    }
  });

  it("puts meeples on the side of their segment", () => {
    const [city, road, north, south] = layoutOf(row("D")).spots;
    expect(city?.y).toBeLessThan(-30);
    expect(Math.abs(road?.y ?? 50)).toBeLessThan(5);
    expect(north?.y).toBeLessThan(-6);
    expect(south?.y).toBeGreaterThan(15);
  });

  it("draws walls only where a city ends on the tile", () => {
    expect(layoutOf(row("C"))).toMatchObject({ walls: [], centre: null });
    expect(layoutOf(row("C")).pennants).toHaveLength(1);
    expect(layoutOf(row("H")).walls).toHaveLength(2);
    expect(layoutOf(row("L"))).toMatchObject({ centre: "village" });
    expect(layoutOf(row("A"))).toMatchObject({ centre: "monastery" });
  });

  it("turns clockwise", () => {
    expect(turned({ x: 10, y: -40 }, 90)).toEqual({ x: 40, y: 10 });
    expect(turned({ x: 10, y: -40 }, 270)).toEqual({ x: -40, y: -10 });
  });
});

describe("camera", () => {
  const picture = { width: 400, height: 400 };
  const line = [
    { x: 0, y: 0 },
    { x: 71, y: 0 },
  ];

  it("shows a line of 72 tiles", () => {
    const { middle, scale } = fitted(line, picture);
    expect(middle).toEqual({ x: 3550, y: -0 });
    expect(scale * 72 * 100).toBeLessThanOrEqual(400);
  });

  it("keeps the cells around the table clear of the tile in hand", () => {
    const tower = [
      { x: 0, y: 0 },
      { x: 0, y: 9 },
    ];
    const { middle, scale } = fittedToPlay(tower, picture);
    const below = (150 - middle.y) * scale;
    const above = (-1050 - middle.y) * scale;
    expect(below).toBeLessThanOrEqual(200 - 70);
    expect(above).toBeGreaterThanOrEqual(-200);
  });

  it("comes close to a tile", () => {
    const { middle, scale } = closeUp({ x: 2, y: 3 }, fitted(line, picture));
    expect(middle).toEqual({ x: 200, y: -300 });
    expect(scale).toBeGreaterThan(1.5);
  });
});

describe("scene", () => {
  it("gathers the rotations of each cell", () => {
    const legal = ["0,1,180", "0,1,180 city_S", "0,1,0", "1,0,90"];
    expect(targetsOf(legal)).toEqual([
      { x: 0, y: 1, rotations: [0, 180] },
      { x: 1, y: 0, rotations: [90] },
    ]);
  });

  it("turns on to the next legal rotation", () => {
    const target = { x: 0, y: 0, rotations: [90, 270] };
    expect([0, 90, 180, 270].map((from) => rotationFrom(target, from))).toEqual([90, 90, 270, 270]);
    expect(rotationFrom(target, 270, 1)).toBe(90);
    expect(rotationFrom(target, 90, -1)).toBe(270);
  });

  it("shows the staged tile", () => {
    expect(stagedTile(view, ["0,-1,90"])).toEqual({ tile: "L", x: 0, y: -1, rotation: 90 });
    expect(stagedTile(view, [])).toBeNull();
  });

  it("offers spots on the turned tile", () => {
    const layout = layoutOf(row("L"));
    const spots = spotsOf(row("L"), layout, 90, ["skip", "city_E", "field_E"]);
    expect(spots.map(({ spot }) => spot)).toEqual(["city_E", "field_E"]);
    expect(spots[0]?.at.x).toBeGreaterThan(30);
    expect(spotPoint(row("L"), layout, 0, "city_E")).toBeNull();
  });
});
