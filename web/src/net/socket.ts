// A WebSocket that comes back: JSON frames in both directions, reconnecting with growing pauses.
// Keeps no state of a game: whoever opens it is told about every frame and every change of the link.
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

export class LiveSocket {
  private socket: WebSocket | null = null;
  private attempt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly retryNow = (): void => {
    if (this.timer !== undefined) this.connect();
  };

  constructor(
    /** Asked for at every attempt: it may say from where to go on. */
    private readonly address: () => string,
    private readonly events: SocketEvents,
  ) {}

  open(): void {
    window.addEventListener("online", this.retryNow);
    this.connect();
  }

  close(): void {
    window.removeEventListener("online", this.retryNow);
    this.stopTimer();
    const socket = this.socket;
    this.socket = null;
    socket?.close(1000);
    this.events.onLink("closed");
  }

  send(frame: Frame): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(frame));
  }

  private connect(): void {
    this.stopTimer();
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
    this.events.onFrame(JSON.parse(data) as Frame);
  }

  private lost(code: number): void {
    this.socket = null;
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

  private stopTimer(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
