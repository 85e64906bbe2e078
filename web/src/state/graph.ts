// The geometry of the evaluation graph. Pure. A point's x is the ply, its y the negated value, as in SVG.
// Called by <eval-graph>.

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The curve of a seat's values, each in [-1, 1], by ply in any order. */
export function curve(values: readonly (readonly [ply: number, value: number])[]): Point[] {
  return values
    .map(([ply, value]) => ({ x: ply, y: -Math.max(-1, Math.min(1, value)) }))
    .toSorted((a, b) => a.x - b.x);
}

/** Splits a curve where plies are missing. */
function parts(points: readonly Point[]): Point[][] {
  const found: Point[][] = [];
  for (const point of points) {
    const part = found.at(-1);
    if (part?.at(-1)?.x === point.x - 1) part.push(point);
    else found.push([point]);
  }
  return found;
}

/** The curve with additional points where it crosses zero between two plies. */
export function withCrossings(points: readonly Point[]): Point[] {
  return points.flatMap((point, index) => {
    const before = points[index - 1];
    if (before === undefined || before.y * point.y >= 0) return [point];
    const share = before.y / (before.y - point.y);
    return [{ x: before.x + share * (point.x - before.x), y: 0 }, point];
  });
}

/** Path data of an open curve. */
export function linePath(points: readonly Point[]): string {
  return parts(points).map(pathThrough).join("");
}

function pathThrough(points: readonly Point[]): string {
  return points.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${round(x)} ${round(y)}`).join("");
}

/** Path data of the area between the curve and zero, on the upper side (`sign` -1) or the lower one (1). */
export function areaPath(points: readonly Point[], sign: -1 | 1): string {
  return parts(points)
    .map((part) => areaBelow(part, sign))
    .join("");
}

function areaBelow(points: readonly Point[], sign: -1 | 1): string {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return "";
  const half = withCrossings(points).map(({ x, y }) => ({ x, y: y * sign > 0 ? y : 0 }));
  return `${pathThrough([{ x: first.x, y: 0 }, ...half, { x: last.x, y: 0 }])}Z`;
}

/** The ply at a fraction (0 to 1) of the graph's width. */
export function plyAt(share: number, last: number): number {
  return Math.round(Math.max(0, Math.min(1, share)) * last);
}

function round(number: number): number {
  return Math.round(number * 1000) / 1000;
}
