// Requests over a line that has died would wait until the system gives their connections up, which can take minutes.
// The sockets, which notice a dead line within seconds, have them dropped; who needs an answer asks again.

let pending = new AbortController();

/** Aborts what only reads, which is safe to repeat, once the line turns out to be dead. */
export function lineSignal(): AbortSignal {
  return pending.signal;
}

export function dropRequests(): void {
  pending.abort();
  pending = new AbortController();
}
