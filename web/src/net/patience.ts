// Asking until there is an answer: a server that is away for a moment is no reason to give up.
import { isPassing } from "../api/http";
import { backOff } from "./retry";

/** Who asks, and what is to be told. */
export interface Asker {
  /** Whether the answer is still wanted. */
  isWanted(): boolean;
  /** Told about every failure, also about those after which it is asked again. */
  onFailure(error: unknown): void;
}

const ATTEMPTS = 5;

/** The answer to a request that may be sent again: it is, a few times, while the failure is a passing one. */
export async function persistently<Answer>(request: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await request();
    } catch (error) {
      if (!isPassing(error) || attempt + 1 === ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, backOff(attempt, Math.random())));
    }
  }
}

/** Asks again while the failure is a passing one. */
export async function untilAnswered(ask: () => Promise<void>, asker: Asker): Promise<void> {
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
