// A WebSocket with JSON frames in both directions that reconnects with growing pauses.
// It keeps no state of a game: its owner handles every frame and every change of the connection.
// A connection can die unnoticed (a phone in a tunnel, a sleeping laptop); pings detect that.
import { SILENT, openingLimit, reconnectDelay } from "./back-off";
import { dropReads, dropRequests } from "./line";

export type Link = "closed" | "connecting" | "open" | "waiting" | "refused";

export interface Frame {
  readonly type: string;
  readonly [member: string]: unknown;
}

export interface SocketEvents {
  onFrame(frame: Frame): void;
  onLink(link: Link): void;
  /** Whether somebody relies on the connection at this moment, so that it has to be checked often. */
  isWatched?(): boolean;
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

/** The time between two pings while the connection is watched, and otherwise. */
const WATCHED_PING_MS = 4_000;
const PING_MS = 24_000;
/** How long the answer to a ping, or any other frame, may take on a fast line, and in round trips on a slow one. */
const PATIENCE_MS = 1_500;
const PATIENCE_ROUND_TRIPS = 4;
/** A timer that is so late does not show that an answer is missing: the page or the whole device was asleep. */
const LATE_MS = 500;

export class LiveSocket {
  private socket: WebSocket | null = null;
  private attempt = 0;
  /** Whether the connection was lost because the line fell silent. */
  private isHurried = false;
  /** The last measured time from a ping, or from the start of an attempt, to the answer. */
  private roundTripMs = 0;
  private pingedAt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pings: ReturnType<typeof setInterval> | undefined;
  /** Runs while an answer is due: to a ping, or to an attempt to connect. */
  private silence: ReturnType<typeof setTimeout> | undefined;
  /** Reconnects at once: the browser is online again, the page visible again, or another socket has reconnected. */
  readonly wake = (): void => {
    if (this.timer !== undefined) this.connect();
    else if (document.visibilityState === "visible") this.ping();
  };
  /** An attempt that was started while the browser was offline may never end. */
  private readonly onOnline = (): void => {
    if (this.socket?.readyState === WebSocket.CONNECTING) this.giveUp();
    else this.wake();
  };

  constructor(
    /** Called for each attempt, so that the address can say from where to continue. */
    private readonly address: () => string,
    private readonly events: SocketEvents,
  ) {}

  open(): void {
    window.addEventListener("online", this.onOnline);
    document.addEventListener("visibilitychange", this.wake);
    this.pings = setInterval(() => {
      const isDue = Date.now() - this.pingedAt >= PING_MS;
      if (isDue || this.events.isWatched?.() === true) this.ping();
    }, WATCHED_PING_MS);
    this.pingedAt = Date.now();
    this.connect();
  }

  close(): void {
    window.removeEventListener("online", this.onOnline);
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
    if (this.socket?.readyState !== WebSocket.OPEN || this.silence !== undefined) return;
    this.sendPing();
    this.awaitAnswer(Math.max(PATIENCE_MS, PATIENCE_ROUND_TRIPS * this.roundTripMs), () => {
      this.ping();
    });
  }

  private sendPing(): void {
    this.send({ type: "ping" });
    this.pingedAt = Date.now();
  }

  /** Gives the connection up if no frame arrives in time; calls `again` instead if nobody could have seen it. */
  private awaitAnswer(limitMs: number, again: () => void): void {
    const due = Date.now() + limitMs;
    this.silence = setTimeout(() => {
      this.silence = undefined;
      if (Date.now() - due > LATE_MS) again();
      else this.giveUp();
    }, limitMs);
  }

  /** Handles a missing answer: the connection is dead, whatever the browser says. */
  private giveUp(): void {
    const { socket, attempt } = this;
    this.lost(SILENT);
    socket?.close();
    if (attempt === 0) dropReads();
  }

  private connect(): void {
    this.stopTimers();
    this.events.onLink("connecting");
    const socket = new WebSocket(this.address());
    const startedAt = Date.now();
    this.socket = socket;
    this.awaitAnswer(openingLimit(this.attempt, this.isHurried, this.roundTripMs), () => {
      this.giveUp();
    });
    socket.onopen = () => {
      this.roundTripMs = Date.now() - startedAt;
      if (this.isHurried) dropRequests();
      this.events.onLink("open");
      this.sendPing();
    };
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      if (socket === this.socket) this.receive(JSON.parse(data) as Frame);
    };
    socket.onclose = ({ code }) => {
      if (socket === this.socket) this.lost(code);
    };
  }

  /** Handles a frame. It shows that the server works, so the next pause is short again. */
  private receive(frame: Frame): void {
    this.attempt = 0;
    this.isHurried = false;
    this.stopSilence();
    if (frame.type === "pong") this.roundTripMs = Date.now() - this.pingedAt;
    this.events.onFrame(frame);
  }

  private lost(code: number): void {
    this.socket = null;
    this.stopSilence();
    this.isHurried ||= code === SILENT;
    const delay = reconnectDelay(code, this.attempt++, Math.random(), this.isHurried);
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
