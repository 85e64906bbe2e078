// Repeats requests while the server cannot be reached.
import { isPassing } from "../api/http";
import { backOff } from "./back-off";

/** The caller of a repeated request. */
export interface Asker {
  /** Whether the answer is still wanted. */
  isWanted(): boolean;
  /** Called after each failure, including those that are retried. */
  onFailure(error: unknown): void;
}

const ATTEMPTS = 5;

/** Sends a request, and repeats it a few times after temporary failures. It must be safe to repeat. */
export async function withRetries<Answer>(request: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await request();
    } catch (error) {
      if (!isPassing(error) || attempt + 1 === ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, backOff(attempt, Math.random())));
    }
  }
}

/** Sends a request, and repeats it after temporary failures for as long as the answer is wanted. */
export async function retryWhileWanted(ask: () => Promise<void>, asker: Asker): Promise<void> {
  for (let attempt = 0; asker.isWanted(); attempt++) {
    try {
      await ask();
      return;
    } catch (error) {
      asker.onFailure(error);
      if (!isPassing(error)) return;
      await new Promise((resolve) => setTimeout(resolve, backOff(attempt, Math.random())));
    }
  }
}
