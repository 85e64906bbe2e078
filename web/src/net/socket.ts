// A WebSocket that comes back: JSON frames in both directions, reconnecting with growing pauses.
// Keeps no state of a game: whoever opens it is told about every frame and every change of the link.
// A connection may die without a word (a phone in a tunnel, a laptop asleep): pings find that out.
import { reconnectDelay } from "./retry";

export type Link = "closed" | "connecting" | "open" | "waiting" | "refused";

export interface Frame {
  readonly type: string;
  readonly [member: string]: unknown;
}

export interface SocketEvents {
  onFrame(frame: Frame): void;
  onLink(link: Link): void;
}

/** The address of a socket, by default of the server that the page came from. */
export function socketUrl(
  path: string,
  query: Readonly<Record<string, string | null>>,
  server = location.href,
): string {
  const url = new URL(path, server);
  url.protocol = url.protocol.replace("http", "ws");
  for (const [name, value] of Object.entries(query)) {
    if (value !== null) url.searchParams.set(name, value);
  }
  return url.href;
}

const PING_MS = 25_000;
/** What browsers report for a connection that broke. */
const NO_CODE = 1006;
/** How long the answer to a ping, or any other frame, may take. */
const PATIENCE_MS = 8_000;

export class LiveSocket {
  private socket: WebSocket | null = null;
  private attempt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pings: ReturnType<typeof setInterval> | undefined;
  /** Runs while an answer is waited for. */
  private silence: ReturnType<typeof setTimeout> | undefined;
  /** Tries at once: the browser is on line again, the page in view again, or another socket connected again. */
  readonly wake = (): void => {
    if (this.timer !== undefined) this.connect();
    else if (document.visibilityState === "visible") this.ping();
  };

  constructor(
    /** Asked for at every attempt: it may say from where to go on. */
    private readonly address: () => string,
    private readonly events: SocketEvents,
  ) {}

  open(): void {
    window.addEventListener("online", this.wake);
    document.addEventListener("visibilitychange", this.wake);
    this.pings = setInterval(() => {
      this.ping();
    }, PING_MS);
    this.connect();
  }

  close(): void {
    window.removeEventListener("online", this.wake);
    document.removeEventListener("visibilitychange", this.wake);
    clearInterval(this.pings);
    this.stopTimers();
    const socket = this.socket;
    this.socket = null;
    socket?.close(1000);
    this.events.onLink("closed");
  }

  send(frame: Frame): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }

  private ping(): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.send({ type: "ping" });
    this.silence ??= setTimeout(() => {
      this.giveUp();
    }, PATIENCE_MS);
  }

  /** Nobody answers: the connection is dead, whatever the browser says. */
  private giveUp(): void {
    const { socket } = this;
    this.lost(NO_CODE);
    socket?.close();
  }

  private connect(): void {
    this.stopTimers();
    this.events.onLink("connecting");
    const socket = new WebSocket(this.address());
    this.socket = socket;
    socket.onopen = () => {
      this.events.onLink("open");
    };
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      if (socket === this.socket) this.receive(data);
    };
    socket.onclose = ({ code }) => {
      if (socket === this.socket) this.lost(code);
    };
  }

  /** A frame shows that the server is well: the next pause is short again. */
  private receive(data: string): void {
    this.attempt = 0;
    this.stopSilence();
    this.events.onFrame(JSON.parse(data) as Frame);
  }

  private lost(code: number): void {
    this.socket = null;
    this.stopSilence();
    const delay = reconnectDelay(code, this.attempt++, Math.random());
    if (delay === null) {
      this.events.onLink("refused");
      return;
    }
    this.events.onLink("waiting");
    this.timer = setTimeout(() => {
      this.connect();
    }, delay);
  }

  private stopTimers(): void {
    this.stopSilence();
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private stopSilence(): void {
    clearTimeout(this.silence);
    this.silence = undefined;
  }
}
