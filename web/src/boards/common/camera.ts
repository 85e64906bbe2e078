// A camera over a board: the point of the board in the middle of the picture, and the scale. All functions are pure.
// Called by the viewport, which decides what is shown, and by the boards that use one. Lengths on the board are in units
// that each board chooses; x grows to the right and y downwards.
import type { Point } from "./arrows";

/** The picture, in CSS pixels. */
export interface Picture {
  readonly width: number;
  readonly height: number;
}

export interface Camera {
  /** The point of the board in the middle of the picture. */
  readonly middle: Point;
  /** CSS pixels for each unit of the board. */
  readonly scale: number;
}

/** A rectangle on the board. */
export interface Area {
  readonly middle: Point;
  readonly width: number;
  readonly height: number;
}

/** The smallest rectangle with all of these points; at the origin and empty if there are none. */
export function areaOf(points: readonly Point[]): Area {
  const [across, down] = [span(points.map(({ x }) => x)), span(points.map(({ y }) => y))];
  return { middle: { x: across.middle, y: down.middle }, width: across.length, height: down.length };
}

interface Span {
  readonly middle: number;
  readonly length: number;
}

function span(values: readonly number[]): Span {
  if (values.length === 0) return { middle: 0, length: 0 };
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return { middle: (least + most) / 2, length: most - least };
}

/** The same rectangle with this much more on every side. */
export function grown({ middle, width, height }: Area, by: number): Area {
  return { middle, width: width + 2 * by, height: height + 2 * by };
}

/** Shows the whole area, but not larger than at the scale `largest`. */
export function framing({ middle, width, height }: Area, picture: Picture, largest: number): Camera {
  return { middle, scale: Math.min(largest, picture.width / width, picture.height / height) };
}

/** The scale, with the point as near to the middle as the edges of the area allow. */
export function closeTo({ x, y }: Point, area: Area, { width, height }: Picture, scale: number): Camera {
  const clamp = (value: number, middle: number, length: number, visible: number): number =>
    clamped(value, middle, Math.max(0, length - visible / scale) / 2);
  return {
    middle: {
      x: clamp(x, area.middle.x, area.width, width),
      y: clamp(y, area.middle.y, area.height, height),
    },
    scale,
  };
}

/** Zooms so that what lies under a point of the picture, measured from its middle, stays there. */
export function zoomed(
  { middle, scale }: Camera,
  factor: number,
  { least, most }: { readonly least: number; readonly most: number },
  at: Point = { x: 0, y: 0 },
): Camera {
  const wanted = Math.min(most, Math.max(Math.min(least, scale), scale * factor));
  const shift = 1 / scale - 1 / wanted;
  return { middle: { x: middle.x + at.x * shift, y: middle.y + at.y * shift }, scale: wanted };
}

/** Moves what is seen by so many pixels. */
export function panned({ middle, scale }: Camera, by: Point): Camera {
  return { middle: { x: middle.x - by.x / scale, y: middle.y - by.y / scale }, scale };
}

/** Keeps at least a part of the area, `part` units wide and high, in the picture. */
export function within(camera: Camera, area: Area, { width, height }: Picture, part: number): Camera {
  const clamp = (value: number, middle: number, length: number, visible: number): number =>
    clamped(value, middle, length / 2 + Math.max(0, visible / camera.scale - part) / 2);
  const { x, y } = camera.middle;
  return {
    ...camera,
    middle: {
      x: clamp(x, area.middle.x, area.width, width),
      y: clamp(y, area.middle.y, area.height, height),
    },
  };
}

/**
 * Moves the picture as little as possible so that it shows so much around a point. `covered`: the height of what stands
 * over the bottom of the picture, in CSS pixels.
 */
export function revealing(
  { middle, scale }: Camera,
  { x, y }: Point,
  { width, height }: Picture,
  extent: number,
  covered = 0,
): Camera {
  const aside = Math.max(0, (width / scale - extent) / 2);
  const below = Math.max(0, (height / scale - extent) / 2);
  const above = Math.max(0, below - covered / scale);
  return {
    middle: { x: clamped(middle.x, x, aside), y: Math.min(Math.max(middle.y, y - above), y + below) },
    scale,
  };
}

/** The value, at most so far from the middle. */
function clamped(value: number, middle: number, most: number): number {
  return Math.min(middle + most, Math.max(middle - most, value));
}
