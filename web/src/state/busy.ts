// Work during which its owner is busy; what goes wrong becomes a sentence. Called by the states that the boards show.
import { sentence } from "../api/http";

/** What changes while somebody is busy. */
export interface Busy {
  readonly isBusy?: boolean;
  readonly problem?: string;
}

/** Does the work; `change` is told when it begins, what has gone wrong, and when it has ended. Never throws. */
export async function whileBusy(work: () => Promise<void>, change: (part: Busy) => void): Promise<void> {
  change({ isBusy: true, problem: "" });
  try {
    await work();
  } catch (error) {
    change({ problem: sentence(error) });
  } finally {
    change({ isBusy: false });
  }
}
