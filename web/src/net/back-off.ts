// When to retry after a lost connection, and how long an attempt may take. Pure: the caller supplies the random number.
//
// A server that stops or fails loses all its clients at once, which must come back spread out. A line that has fallen
// silent concerns this client only, which hurries.

const FIRST_MS = 400;
const LONGEST_MS = 15_000;

/** Close codes after which a retry would fail as well: finished, and refused by policy. */
const FINAL_CODES: readonly number[] = [1000, 1008];

/** Close codes of a server that stops, with all its clients at once. */
const STOPPING_CODES: readonly number[] = [1001, 1012];
/** Within how long the clients of a server that has stopped come back. */
const SPREAD_MS = 2000;
/** The code for a line that has fallen silent. No server sends it. */
export const SILENT = 4408;

/** How many attempts after a silence are hurried, and the longest pause between two of them. */
const HURRIED_ATTEMPTS = 12;
const HURRIED_PAUSE_MS = 1600;
/** How long a hurried attempt may take on a fast line: then another one finds out sooner whether the line is back. */
const HURRIED_OPENING_MS = 1400;
/** The round trips from the start of an attempt to its first frame: address, connection, encryption, handshake. */
const OPENING_ROUND_TRIPS = 8;

/**
 * Milliseconds before attempt number `attempt` (from 0): doubling up to 15 s, with `random` (in [0, 1)) spreading it
 * over the upper half, so that the clients of a restarted server do not all reconnect at once.
 */
export function backOff(attempt: number, random: number): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt);
  return longest * (0.5 + random / 2);
}

/**
 * Milliseconds until attempt number `attempt` after a socket closed with `code`; null if there should be none.
 * `isHurried`: the connection was lost because the line fell silent.
 */
export function reconnectDelay(
  code: number,
  attempt: number,
  random: number,
  isHurried: boolean,
): number | null {
  if (FINAL_CODES.includes(code)) return null;
  if (code === SILENT) return 0;
  if (attempt === 0 && STOPPING_CODES.includes(code)) return random * SPREAD_MS;
  const pause = backOff(attempt, random);
  return isHurried && attempt < HURRIED_ATTEMPTS ? Math.min(pause, HURRIED_PAUSE_MS) : pause;
}

/** How many milliseconds an attempt may take until its first frame, given the last known round-trip time. */
export function openingLimit(attempt: number, isHurried: boolean, roundTripMs: number): number {
  if (!isHurried) return LONGEST_MS;
  const limit = Math.max(HURRIED_OPENING_MS, OPENING_ROUND_TRIPS * roundTripMs);
  return Math.min(LONGEST_MS, limit * 2 ** Math.max(0, attempt - HURRIED_ATTEMPTS));
}
