// Sends requests that must not take effect twice, such as offers. If a line dies before the answer arrives, a request is
// repeated once the line is back, unless something has happened in the game since: then it may have arrived.
import * as texts from "#texts/server";
import { ApiError, isPassing } from "../api/http";

/** The line was lost, and the answer with it. */
export const LOST = Symbol("lost");

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: ApiError) => void;
}

export class Repeater {
  private waiting: readonly Waiting[] = [];

  /** `seq`: the number of the last event of the game that is known here. */
  constructor(private readonly seq: () => number | null) {}

  async send<Answer>(request: () => Promise<Answer>): Promise<Answer | typeof LOST> {
    const before = this.seq();
    try {
      return await request();
    } catch (error) {
      if (!isPassing(error)) throw error;
    }
    await new Promise<void>((resolve, reject) => {
      this.waiting = [...this.waiting, { resolve, reject }];
    });
    return this.seq() === before ? request() : LOST;
  }

  /** The server has answered on the socket, after all events of before. */
  catchUp(): void {
    for (const { resolve } of this.take()) resolve();
  }

  /** No connection will follow. */
  giveUp(): void {
    for (const { reject } of this.take()) reject(new ApiError(texts.closed, "closed"));
  }

  private take(): readonly Waiting[] {
    const { waiting } = this;
    this.waiting = [];
    return waiting;
  }
}
