// The curve of a rating over its games, as the paths of an SVG in a box of 100 × 100.
import type { Moment } from "../api/ladder";

export interface Curve {
  readonly line: string;
  /** The 95 % interval. */
  readonly band: string;
  readonly low: number;
  readonly high: number;
}

/** Null with fewer than two moments: there is no curve. */
export function curveOf(moments: readonly Moment[]): Curve | null {
  if (moments.length < 2) return null;
  const low = Math.min(...moments.map(({ rating, error }) => rating - error));
  const high = Math.max(...moments.map(({ rating, error }) => rating + error));
  const x = (index: number): number => (100 * index) / (moments.length - 1);
  const y = (rating: number): number => 100 - (100 * (rating - low)) / (high - low);
  const at = (index: number, rating: number): string => `${x(index).toFixed(2)},${y(rating).toFixed(2)}`;
  const upper = moments.map(({ rating, error }, index) => at(index, rating + error));
  const lower = moments.map(({ rating, error }, index) => at(index, rating - error)).reverse();
  return {
    line: `M${moments.map(({ rating }, index) => at(index, rating)).join("L")}`,
    band: `M${[...upper, ...lower].join("L")}Z`,
    low,
    high,
  };
}
