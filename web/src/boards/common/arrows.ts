// Focus on a board: the direction of each arrow key, what it reaches, and the point nearest to a place.
// Called by the board elements.

export interface Point {
  readonly x: number;
  readonly y: number;
}

export const ARROWS: Readonly<Record<string, Point>> = {
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
};

/** The index of the nearest point in that direction, sideways distance counting double; null if there is none. */
export function nearest(from: Point, direction: Point, points: readonly Point[]): number | null {
  let best: number | null = null;
  let least = Infinity;
  points.forEach((point, index) => {
    const dx = point.x - from.x;
    const dy = point.y - from.y;
    const ahead = dx * direction.x + dy * direction.y;
    const aside = Math.abs(dx * direction.y) + Math.abs(dy * direction.x);
    const cost = ahead + 2 * aside;
    if (ahead > 1 && cost < least) [best, least] = [index, cost];
  });
  return best;
}

/** The index of the nearest point in any direction; null if there are no points. */
export function closest(to: Point, points: readonly Point[]): number | null {
  const distances = points.map(({ x, y }) => Math.hypot(x - to.x, y - to.y));
  return distances.length === 0 ? null : distances.indexOf(Math.min(...distances));
}
