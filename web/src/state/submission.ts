// A move on its way to the server over the game's socket. A line can die after the move was sent and before the answer
// arrives, so the move is sent again over each new connection until there is an answer. Its id makes sure that the
// server plays it once.
import * as texts from "#texts/server";
import { ApiError, refusalOf, type Refusal } from "../api/http";
import { withRetries } from "../net/retry";
import type { Frame } from "../net/socket";

/** The answer: the seats whose moves in the same turn are missing; none if the move is played. */
export type Pending = readonly number[];

interface Sent {
  readonly frame: Frame;
  readonly resolve: (pending: Pending) => void;
  readonly reject: (error: ApiError) => void;
}

export class Submission {
  private sent: Sent | null = null;

  constructor(private readonly send: (frame: Frame) => void) {}

  /** Sends a move, one at a time; the promise is rejected with an ApiError if the server refuses it. */
  submit(move: string, expectedPly: number): Promise<Pending> {
    const frame = { type: "submit-move", move, expectedPly, clientMsgId: messageId() };
    return withRetries(() => this.deliver(frame));
  }

  private deliver(frame: Frame): Promise<Pending> {
    return new Promise((resolve, reject) => {
      this.sent = { frame, resolve, reject };
      this.send(frame);
    });
  }

  /** Sends the move again over a new connection. */
  resend(): void {
    if (this.sent !== null) this.send(this.sent.frame);
  }

  /** Takes the answer to the move; returns whether the frame is one. */
  receive(frame: Frame): boolean {
    const { sent } = this;
    if (sent === null || frame.clientMsgId !== sent.frame.clientMsgId) return false;
    this.sent = null;
    if (frame.type === "move-taken") sent.resolve((frame.pending as Pending | undefined) ?? []);
    else sent.reject(refusalOf({ error: String(frame.message), ...frame } as unknown as Refusal));
    return true;
  }

  /** No connection will follow. */
  giveUp(): void {
    this.sent?.reject(new ApiError(texts.closed, "closed"));
    this.sent = null;
  }
}

/** 128 random bits. `crypto.randomUUID` requires a secure page, and the server may be reached by plain HTTP. */
function messageId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");
}
