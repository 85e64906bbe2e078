// What a position is worth to its seats, and how that is said: the same in the bar, the graph, the lines, and in words.
import * as texts from "#texts/evaluation";
import * as formats from "#texts/formats";

/** One number per seat. */
export type Values = readonly number[];

export interface Worth {
  /** In [-1, 1]. */
  readonly values: Values;
  /** The expected scores, in [0, 1], which add up to 1; null if it is unknown what the values are worth. */
  readonly chances: Values | null;
  /** What each seat is expected to have at the end; null in games without points, or if unknown. */
  readonly points: Values | null;
}

/** Worth as the server sends it. */
export interface SentWorth {
  readonly values: Values;
  readonly chances?: Values;
  readonly points?: Values;
}

export function worthOf({ values, chances, points }: SentWorth): Worth {
  return { values, chances: chances ?? null, points: points ?? null };
}

/** Each seat's part of the bar: its chance or, if that is unknown, the share that its value stands for. They add up to 1. */
export function sharesOf({ values, chances }: Worth): number[] {
  if (chances !== null) return [...chances];
  const whole = values.reduce((sum, value) => sum + value + 1, 0);
  return values.map((value) => (whole === 0 ? 1 / values.length : (value + 1) / whole));
}

/** How many points a seat is expected to be ahead of the best of the others in the end. */
export function leadOf(points: Values, seat: number): number {
  return (points[seat] ?? 0) - Math.max(...points.filter((_, other) => other !== seat));
}

/** In words, for one seat: `+7.2 points, 73 %`; `73 %`; `+0.32` if it is unknown what the value is worth. */
export function worthText(worth: Worth, seat: number): string {
  const { values, chances, points } = worth;
  const lead = points === null ? [] : [texts.ahead(signed(leadOf(points, seat), 1))];
  const chance = chances === null ? [] : [percentage(chances[seat] ?? 0)];
  const parts = [...lead, ...chance];
  return parts.length > 0 ? parts.join(", ") : signed(values[seat] ?? 0);
}

/** The same, as short as possible: `+7`, `73%`, `+0.3`. */
export function worthFigure({ values, chances, points }: Worth, seat: number): string {
  if (points !== null) return signed(leadOf(points, seat), 0);
  if (chances !== null) return percentage(chances[seat] ?? 0).replace(" ", "");
  return signed(values[seat] ?? 0, 1);
}

/** `73 %`, of a chance in [0, 1]; 0 and 100 only if that is certain, otherwise `<1 %` and `>99 %`. */
export function percentage(chance: number): string {
  if (chance > 0 && chance < 0.005) return `<${formats.percent(1)}`;
  if (chance < 1 && chance >= 0.995) return `>${formats.percent(99)}`;
  return formats.percent(Math.round(100 * chance));
}

/** `+0.32`, `−1.00`, `0.00`. */
export function signed(value: number, decimals = 2): string {
  const text = formats.decimal(Math.abs(value), decimals);
  if (Number(text) === 0) return text;
  return (value > 0 ? "+" : "−") + text;
}
