// The state of a match around its board: presence, offers, chat and the next game.
// `applyFrame` applies a frame of the game socket. Pure; the session calls it.
import * as texts from "#texts/offers";
import type { Snapshot } from "../api/shapes";
import type { Frame } from "../net/socket";

/** What players can offer each other. */
export type OfferKind = "takeback" | "draw" | "rematch";

/** The seat that has made each offer; null if it is not open. */
export type Offers = Readonly<Record<OfferKind, number | null>>;

/** Players write to everyone, spectators to each other. */
export type Channel = "game" | "audience";

export interface ChatLine {
  readonly channel: string;
  readonly senderId: string;
  readonly senderName: string;
  /** The seat of the player who wrote it. */
  readonly seat?: number;
  readonly text: string;
  readonly timestamp: number;
}

/** The rematch. Spectators get no token. */
export interface Rematch {
  readonly gameId: string;
  readonly token: string | null;
  /** Whether it started while the page was open. */
  readonly isNew: boolean;
}

export interface MatchState {
  readonly offers: Offers;
  /** Presence and score; null if the server does not send them. */
  readonly snapshot: Snapshot | null;
  /** The id of this client's socket, which identifies its chat messages. */
  readonly socketId: string;
  /** Oldest first. */
  readonly chat: readonly ChatLine[];
  /** Whether the server has sent the messages of before. */
  readonly isChatLoaded: boolean;
  readonly rematch: Rematch | null;
  /** A short sentence about what another player has just declined; else empty. */
  readonly notice: string;
}

const NO_OFFERS: Offers = { takeback: null, draw: null, rematch: null };

export const NOBODY: MatchState = {
  offers: NO_OFFERS,
  snapshot: null,
  socketId: "",
  chat: [],
  isChatLoaded: false,
  rematch: null,
  notice: "",
};

/** The most chat messages that are kept. */
const CHAT_LINES = 200;

export function applyFrame(around: MatchState, frame: Frame): MatchState {
  switch (frame.type) {
    case "welcome":
      return { ...around, socketId: String(frame.socketId) };
    case "match-status":
      return { ...around, snapshot: frame.snapshot as Snapshot };
    case "takeback-offer":
    case "draw-offer":
    case "rematch-offer":
      return withOffer(around, kindOf(frame), Number(frame.playerId) - 1);
    case "takeback-rejected":
    case "draw-rejected":
    case "rematch-rejected":
      return refused(around, kindOf(frame));
    case "rematch-started":
      return { ...around, offers: { ...around.offers, rematch: null }, rematch: rematchOf(frame) };
    case "chat-message":
      return { ...around, chat: [...around.chat, frame as unknown as ChatLine].slice(-CHAT_LINES) };
    case "chat-history":
      return {
        ...around,
        chat: withKept(frame.lines as readonly ChatLine[], around.chat),
        isChatLoaded: true,
      };
    default:
      return around;
  }
}

/** The lines that the server has kept, and those that have arrived since it read them. */
function withKept(kept: readonly ChatLine[], known: readonly ChatLine[]): readonly ChatLine[] {
  const isKept = (line: ChatLine): boolean =>
    kept.some(
      ({ senderId, timestamp, text }) =>
        senderId === line.senderId && timestamp === line.timestamp && text === line.text,
    );
  const all = [...kept, ...known.filter((line) => !isKept(line))];
  return all.toSorted((a, b) => a.timestamp - b.timestamp).slice(-CHAT_LINES);
}

export function withOffer<Part extends Pick<MatchState, "offers">>(
  around: Part,
  kind: OfferKind,
  seat: number | null,
): Part {
  return { ...around, offers: { ...around.offers, [kind]: seat }, notice: "" };
}

/** The offers in a new state of the game: a move or the end of the game withdraws all others. */
export function offersIn(standing: { kind: string; seat: number } | undefined): Offers {
  return standing === undefined ? NO_OFFERS : { ...NO_OFFERS, [standing.kind]: standing.seat };
}

function kindOf({ type }: Frame): OfferKind {
  return type.split("-")[0] as OfferKind;
}

/** Removes an offer and reports that it was declined. */
function refused(around: MatchState, kind: OfferKind): MatchState {
  return { ...withOffer(around, kind, null), notice: texts.declined[kind] };
}

function rematchOf({ newGameId, seat }: Frame): Rematch {
  const own = seat as { token: string } | undefined;
  return { gameId: String(newGameId), token: own?.token ?? null, isNew: true };
}
