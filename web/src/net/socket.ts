// A WebSocket with JSON frames in both directions that reconnects with growing pauses.
// It keeps no state of a game: its owner handles every frame and every change of the connection.
// A connection can die unnoticed (a phone in a tunnel, a sleeping laptop); pings detect that.
import { SILENT, reconnectDelay } from "./back-off";

export type Link = "closed" | "connecting" | "open" | "waiting" | "refused";

export interface Frame {
  readonly type: string;
  readonly [member: string]: unknown;
}

export interface SocketEvents {
  onFrame(frame: Frame): void;
  onLink(link: Link): void;
}

/** The address of a socket, by default on the server of the page. */
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
/** How long the answer to a ping, or any other frame, may take, in milliseconds. */
const PATIENCE_MS = 8_000;

export class LiveSocket {
  private socket: WebSocket | null = null;
  private attempt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pings: ReturnType<typeof setInterval> | undefined;
  /** Runs while an answer is due. */
  private silence: ReturnType<typeof setTimeout> | undefined;
  /** Reconnects at once: the browser is online again, the page visible again, or another socket has reconnected. */
  readonly wake = (): void => {
    if (this.timer !== undefined) this.connect();
    else if (document.visibilityState === "visible") this.ping();
  };

  constructor(
    /** Called for each attempt, so that the address can say from where to continue. */
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

  /** Handles a missing answer: the connection is dead, whatever the browser says. */
  private giveUp(): void {
    const { socket } = this;
    this.lost(SILENT);
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

  /** Handles a frame. It shows that the server works, so the next pause is short again. */
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
