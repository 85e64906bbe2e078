// Clocks between two messages of the server: the time left now, and its text. Pure; the caller supplies the time.
import type { Position, TimeControl } from "../api/shapes";

/** Below this a clock is shown as low, and with tenths. */
export const LOW_MS = 20_000;

/** Below how many milliseconds a clock is low: with a time for each move, at most a fifth of that time. */
export function lowBelow(control: TimeControl | undefined): number {
  return control?.moveMs === undefined ? LOW_MS : Math.min(LOW_MS, control.moveMs / 5);
}

/** Milliseconds left per seat at the moment `at`; from then on it runs for the seats in `running`. */
export interface Clocks {
  readonly left: readonly (number | null)[];
  readonly running: readonly number[];
  readonly at: number;
}

export const NO_CLOCKS: Clocks = { left: [], running: [], at: 0 };

/** The clocks of a position that arrived at `at`. */
export function clocksOf({ clocks, running }: Position, at: number): Clocks {
  return { left: clocks, running: running ?? [], at };
}

/** Milliseconds left for `seat`, never below 0; null without a clock. */
export function leftAt({ left, running, at }: Clocks, seat: number, now: number): number | null {
  const remaining = left[seat] ?? null;
  if (remaining === null || !running.includes(seat)) return remaining;
  return Math.max(0, remaining - Math.max(0, now - at));
}

/** `4:05`, `1:02:00`; with tenths if it is low: `0:09.3`. Rounded down. */
export function clockText(ms: number): string {
  const tenths = Math.floor(ms / 100);
  const seconds = Math.floor(tenths / 10);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = two(seconds % 60);
  if (ms < LOW_MS) return `${minutes}:${rest}.${tenths % 10}`;
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}
