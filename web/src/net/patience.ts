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
