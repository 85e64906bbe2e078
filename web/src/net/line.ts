// Requests over a line that has died would wait until the system gives their connections up, which can take minutes.
// The sockets, which notice a dead line within seconds, have them dropped; who needs an answer asks again.

let reads = new AbortController();
let writes = new AbortController();

/** Aborts a request once nobody can expect its answer any more. */
export function lineSignal(method: string): AbortSignal {
  return method === "GET" ? reads.signal : writes.signal;
}

/** The line is dead: drops what only reads, which is safe to repeat. */
export function dropReads(): void {
  reads.abort();
  reads = new AbortController();
}

/** The line is back: the connections from before are lost with all that waits for an answer. */
export function dropRequests(): void {
  dropReads();
  writes.abort();
  writes = new AbortController();
}
