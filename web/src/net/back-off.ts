// When to retry after a lost connection. Pure: the caller supplies the timer and the random number.

const FIRST_MS = 400;
const LONGEST_MS = 15_000;

/** Close codes after which a retry would fail as well: finished, and refused by policy. */
const FINAL_CODES: readonly number[] = [1000, 1008];

/** Close codes of a server that stops, with all its clients at once. */
const STOPPING_CODES: readonly number[] = [1001, 1012];
/** Within how long the clients of a server that has stopped come back. */
const SPREAD_MS = 2000;
/** The code for a line that has fallen silent. No server sends it: it concerns this client only. */
export const SILENT = 4408;

/**
 * Milliseconds before attempt number `attempt` (from 0): doubling up to 15 s, with `random` (in [0, 1)) spreading it
 * over the upper half, so that the clients of a restarted server do not all reconnect at once.
 */
export function backOff(attempt: number, random: number): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt);
  return longest * (0.5 + random / 2);
}

/** Milliseconds until the next attempt after a socket closed with `code`; null if there should be none. */
export function reconnectDelay(code: number, attempt: number, random: number): number | null {
  if (FINAL_CODES.includes(code)) return null;
  if (attempt > 0) return backOff(attempt, random);
  if (code === SILENT) return 0;
  return STOPPING_CODES.includes(code) ? random * SPREAD_MS : backOff(attempt, random);
}
