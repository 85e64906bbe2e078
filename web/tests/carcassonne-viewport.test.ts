// What part of a Carcassonne table is shown: everything, the surroundings of the last tile, or the player's choice.
import { beforeEach, expect, it, vi } from "vitest";
import { SIZE } from "../src/boards/carcassonne/layout";
import { TableViewport, type Table } from "../src/boards/carcassonne/viewport";

const PICTURE = { width: 340, height: 370 };
/** 72 tiles in twelve columns and six rows. */
const TILES = Array.from({ length: 72 }, (_, index) => ({ x: index % 12, y: Math.floor(index / 12) }));
const FULL: Table = {
  tiles: TILES,
  staged: null,
  last: { x: 0, y: 0 },
  targets: [{ x: -1, y: 1 }],
  isActive: true,
  isOver: false,
};

let isCoarse: boolean;
beforeEach(() => {
  isCoarse = true;
  vi.stubGlobal("matchMedia", () => ({ matches: isCoarse }));
});

function looking(table: Table): TableViewport {
  const viewport = new TableViewport(() => undefined);
  viewport.resize(PICTURE);
  viewport.update(table);
  return viewport;
}

const widthOfTile = ({ camera }: TableViewport): number => camera.scale * SIZE;

/** Whether the middle of a cell is in the picture. */
function isSeen({ camera }: TableViewport, { x, y }: { x: number; y: number }): boolean {
  const across = Math.abs(x * SIZE - camera.middle.x) * camera.scale;
  const down = Math.abs(-y * SIZE - camera.middle.y) * camera.scale;
  return across < PICTURE.width / 2 && down < PICTURE.height / 2;
}

it("shows everything as long as fingers can pick a cell", () => {
  const few = looking({ ...FULL, tiles: TILES.slice(0, 3) });
  expect([few.showsEverything, few.isUsuallyEverything]).toEqual([true, true]);
  const many = looking(FULL);
  expect([many.showsEverything, many.isUsuallyEverything]).toEqual([false, false]);
  expect(widthOfTile(many)).toBeGreaterThanOrEqual(44);
  isCoarse = false;
  const withMouse = looking({ ...FULL, tiles: TILES.slice(0, 8) });
  expect(withMouse.showsEverything).toBe(true);
});

it("follows the last tile", () => {
  const viewport = looking(FULL);
  expect([isSeen(viewport, { x: 0, y: 0 }), isSeen(viewport, { x: 11, y: 5 })]).toEqual([true, false]);
  viewport.update({ ...FULL, last: { x: 11, y: 5 }, targets: [] });
  expect([isSeen(viewport, { x: 0, y: 0 }), isSeen(viewport, { x: 11, y: 5 })]).toEqual([false, true]);
});

it("glides to the next tile and to a staged one, and jumps to other positions", () => {
  const [before, now, [tile]] = [TILES.slice(0, 70), TILES.slice(0, 71), TILES.slice(70, 71)];
  const staged = { tiles: now, staged: tile ?? null };
  const glides = (from: Partial<Table>, to: Partial<Table>): boolean => {
    const viewport = looking({ ...FULL, ...from });
    viewport.settle();
    viewport.update({ ...FULL, ...to });
    return viewport.glides;
  };
  expect(glides({ tiles: before }, { tiles: now })).toBe(true);
  expect(glides({ tiles: before }, staged)).toBe(true);
  expect(glides(staged, { tiles: before })).toBe(true);
  expect(glides({ tiles: now }, { tiles: before })).toBe(false);
  expect(glides({ tiles: before }, {})).toBe(false);
});

it("shows everything if no cell that can be picked is near the last tile, and at the end", () => {
  expect(looking({ ...FULL, targets: [{ x: 12, y: 5 }] }).showsEverything).toBe(true);
  expect(looking({ ...FULL, targets: [], isOver: true }).showsEverything).toBe(true);
});

it("shows everything on demand, and comes near to what is picked there", () => {
  const viewport = looking(FULL);
  viewport.toggle();
  expect(viewport.showsEverything).toBe(true);
  expect(TILES.every((tile) => isSeen(viewport, tile))).toBe(true);
  viewport.approach({ x: 12, y: 5 });
  expect(widthOfTile(viewport)).toBeGreaterThanOrEqual(44);
  expect(isSeen(viewport, { x: 12, y: 5 })).toBe(true);
  viewport.toggle();
  viewport.toggle();
  expect(isSeen(viewport, { x: 0, y: 0 })).toBe(true);
  expect(viewport.showsEverything).toBe(false);
});

it("keeps what the player has chosen, but shows each new tile", () => {
  const viewport = looking(FULL);
  viewport.zoom(1.5);
  const { scale } = viewport.camera;
  viewport.update({ ...FULL, last: { x: 11, y: 5 } });
  expect(viewport.camera.scale).toBe(scale);
  expect(isSeen(viewport, { x: 11, y: 5 })).toBe(true);
  const { middle } = viewport.camera;
  viewport.update({ ...FULL, last: { x: 10, y: 4 } });
  expect(viewport.camera.middle).toEqual(middle);
});

it("comes close to a staged tile, and goes back afterwards", () => {
  const viewport = looking(FULL);
  viewport.zoom(0.5);
  viewport.update({ ...FULL, staged: { x: -1, y: 1 } });
  expect(widthOfTile(viewport)).toBeGreaterThan(150);
  viewport.update(FULL);
  expect(widthOfTile(viewport)).toBe(44);
});

it("leaves one finger to the page where nothing can be picked, until the watcher zooms", () => {
  const watching = looking({ ...FULL, targets: [], isActive: false });
  expect([watching.showsEverything, watching.oneFinger]).toEqual([false, "scrolls"]);
  watching.zoom(1.3);
  expect(watching.oneFinger).toBe("pans");
  const playing = looking(FULL);
  expect(playing.oneFinger).toBe("pans");
  playing.toggle();
  expect(playing.oneFinger).toBe("scrolls");
});

it("never zooms in when told to zoom out", () => {
  const line = Array.from({ length: 72 }, (_, x) => ({ x, y: 0 }));
  const viewport = looking({ ...FULL, tiles: line });
  viewport.toggle();
  const { scale } = viewport.camera;
  viewport.zoom(0.8);
  expect(viewport.camera.scale).toBe(scale);
});
