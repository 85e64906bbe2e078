// What happens around the board: who is there, what the players propose, what is said, and the game after this one.
// `heed` says what each frame of the game socket changes. Pure; the session applies it.
import type { Snapshot } from "../api/shapes";
import type { Frame } from "../net/socket";

/** What players agree on together. */
export type OfferKind = "takeback" | "draw" | "rematch";

/** The seat that has made each offer; null while nobody has. */
export type Offers = Readonly<Record<OfferKind, number | null>>;

/** Players talk to everybody, spectators among themselves. */
export type Channel = "game" | "audience";

export interface ChatLine {
  readonly channel: string;
  readonly senderId: string;
  readonly senderName: string;
  readonly text: string;
  readonly timestamp: number;
}

/** The game that follows. Spectators get no token. */
export interface Rematch {
  readonly gameId: string;
  readonly token: string | null;
  /** It has begun while the page was open, and not before. */
  readonly isNew: boolean;
}

export interface Around {
  readonly offers: Offers;
  /** Who is there; null where the server does not say. */
  readonly snapshot: Snapshot | null;
  /** The own socket's id, which names the sender of what is said there. */
  readonly socketId: string;
  /** Oldest first. */
  readonly chat: readonly ChatLine[];
  readonly rematch: Rematch | null;
  /** A short sentence about what another player has just refused; empty otherwise. */
  readonly notice: string;
}

const NO_OFFERS: Offers = { takeback: null, draw: null, rematch: null };

export const NOBODY: Around = {
  offers: NO_OFFERS,
  snapshot: null,
  socketId: "",
  chat: [],
  rematch: null,
  notice: "",
};

/** The longest talk that is kept. */
const CHAT_LINES = 200;

const REFUSED: Readonly<Record<OfferKind, string>> = {
  takeback: "The takeback was declined.",
  draw: "The draw was declined.",
  rematch: "The rematch was declined.",
};

export function heed(around: Around, frame: Frame): Around {
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
    default:
      return around;
  }
}

export function withOffer<Part extends Pick<Around, "offers">>(
  around: Part,
  kind: OfferKind,
  seat: number | null,
): Part {
  return { ...around, offers: { ...around.offers, [kind]: seat }, notice: "" };
}

/** The offers that stand in a new state of the game: a move or the end withdraws all others. */
export function offersIn(standing: { kind: string; seat: number } | undefined): Offers {
  return standing === undefined ? NO_OFFERS : { ...NO_OFFERS, [standing.kind]: standing.seat };
}

function kindOf({ type }: Frame): OfferKind {
  return type.split("-")[0] as OfferKind;
}

/** Whoever withdraws the own offer refuses it as well: that is no news to show. */
function refused(around: Around, kind: OfferKind): Around {
  return { ...withOffer(around, kind, null), notice: REFUSED[kind] };
}

function rematchOf({ newGameId, seat }: Frame): Rematch {
  const own = seat as { token: string } | undefined;
  return { gameId: String(newGameId), token: own?.token ?? null, isNew: true };
}
