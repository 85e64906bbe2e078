// When to try again after a lost connection. Pure: the caller has the timer and the dice.

const FIRST_MS = 400;
const LONGEST_MS = 15_000;

/** Close codes after which the same attempt would end the same way: finished, and refused by policy. */
const FINAL_CODES: readonly number[] = [1000, 1008];

/**
 * Milliseconds before attempt number `attempt` (from 0): doubling, never longer than 15 s, and spread by `dice`
 * (in [0, 1)) over the upper half, so that the clients of a restarted server do not come back all at once.
 */
export function backOff(attempt: number, dice: number): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt);
  return longest * (0.5 + dice / 2);
}

/** Milliseconds until the next attempt after a socket closed with `code`; null when there shall be none. */
export function reconnectDelay(code: number, attempt: number, dice: number): number | null {
  return FINAL_CODES.includes(code) ? null : backOff(attempt, dice);
}
