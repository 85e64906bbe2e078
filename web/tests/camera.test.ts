// The camera that boards share: it shows areas and points, and never loses the board.
import { expect, it } from "vitest";
import {
  areaOf,
  closeTo,
  framing,
  grown,
  panned,
  revealing,
  within,
  zoomed,
  type Camera,
} from "../src/boards/common/camera";

const picture = { width: 400, height: 200 };
const area = { middle: { x: 50, y: 20 }, width: 1000, height: 100 };
const LIMITS = { least: 0.1, most: 4 };

/** Where a point of the board is in the picture, from its middle. */
function seen({ middle, scale }: Camera, x: number, y: number): number[] {
  return [(x - middle.x) * scale, (y - middle.y) * scale];
}

it("finds the area of points", () => {
  const points = [
    { x: 10, y: -4 },
    { x: 2, y: 6 },
    { x: 4, y: 0 },
  ];
  expect(areaOf(points)).toEqual({ middle: { x: 6, y: 1 }, width: 8, height: 10 });
  expect(grown(areaOf(points), 3)).toEqual({ middle: { x: 6, y: 1 }, width: 14, height: 16 });
  expect(areaOf([])).toEqual({ middle: { x: 0, y: 0 }, width: 0, height: 0 });
});

it("shows a whole area, but few things not too large", () => {
  expect(framing(area, picture, 2)).toEqual({ middle: area.middle, scale: 0.4 });
  expect(framing({ ...area, width: 10, height: 10 }, picture, 2).scale).toBe(2);
});

it("comes close to a point without leaving the area", () => {
  expect(closeTo({ x: 50, y: 20 }, area, picture, 1)).toEqual({ middle: { x: 50, y: 20 }, scale: 1 });
  const corner = closeTo({ x: 550, y: 70 }, area, picture, 4);
  expect(seen(corner, 550, 70)).toEqual([200, 100]);
});

it("keeps what is under the pointer while it zooms", () => {
  const before = { middle: { x: 3, y: 4 }, scale: 1 };
  const at = { x: 60, y: -30 };
  const after = zoomed(before, 1.5, LIMITS, at);
  expect(after.scale).toBe(1.5);
  expect(after.middle.x + at.x / after.scale).toBeCloseTo(before.middle.x + at.x / before.scale);
  expect(after.middle.y + at.y / after.scale).toBeCloseTo(before.middle.y + at.y / before.scale);
});

it("zooms between its limits, and never in when told to zoom out", () => {
  const at = (scale: number): Camera => ({ middle: { x: 0, y: 0 }, scale });
  expect(zoomed(at(3), 9, LIMITS).scale).toBe(4);
  expect(zoomed(at(0.2), 0.01, LIMITS).scale).toBe(0.1);
  expect(zoomed(at(0.05), 0.5, LIMITS).scale).toBe(0.05);
});

it("never loses the board", () => {
  const away = panned(framing(area, picture, 1), { x: 1e6, y: -1e6 });
  const camera = within(away, area, picture, 100);
  expect(seen(camera, 50 - 500, 20 + 50)[0]).toBeCloseTo(200 - 50 * camera.scale);
  expect(seen(camera, 50 - 500, 20 + 50)[1]).toBeCloseTo(-100 + 50 * camera.scale);
});

it("moves as little as possible to reveal a point", () => {
  const camera = { middle: { x: 0, y: 0 }, scale: 1 };
  expect(revealing(camera, { x: 100, y: 50 }, picture, 40)).toEqual(camera);
  expect(seen(revealing(camera, { x: 500, y: 0 }, picture, 40), 500, 0)).toEqual([180, 0]);
  expect(seen(revealing(camera, { x: 0, y: 500 }, picture, 40, 30), 0, 500)).toEqual([0, 50]);
});
