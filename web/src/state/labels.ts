// The page's texts about players and results. Pure.
import * as formats from "#texts/formats";
import * as texts from "#texts/labels";
import type { Game, GameRules, Result, Seat, Snapshot } from "../api/shapes";
import type { Basis } from "./evaluation";
import { leaversIn } from "./moves";
import { movedSeats } from "./turns";

/** The end of a sentence for each reason for a result. */
export type Reasons = Readonly<Record<string, string>>;

/** A game's own reasons in one of its variants. */
export function reasonsIn(about: Partial<GameRules["about"]> = {}, variant: string): Reasons {
  return { ...about.reasons, ...about.variantReasons?.[variant] };
}

/** The evaluator of a position and its work, such as `native, 1,607 visits`; empty if unknown. */
export function basisText(basis: Basis | null): string {
  if (basis === null) return "";
  const { source, samples } = basis;
  return samples === 0 ? source : texts.basis(source, samples);
}

/**
 * The seats with names that tell their players apart: players without a name get the game's name for the seat, and
 * those of the same name get it, or the number of the seat, in addition.
 */
export function withNames(seats: readonly Seat[], names: readonly string[] = []): readonly Seat[] {
  return seats.map((seat) => {
    const place = names[seat.seat] ?? String(seat.seat + 1);
    const isShared = seats.some((other) => other.seat !== seat.seat && other.name === seat.name);
    if (seat.name !== undefined) return isShared ? { ...seat, name: `${seat.name} (${place})` } : seat;
    const name = seat.kind === "human" ? names[seat.seat] : undefined;
    return name === undefined ? seat : { ...seat, name };
  });
}

/** The displayed name of a seat; `own` is the viewer's seat. */
export function playerName(seat: Seat, own: number | null): string {
  if (seat.seat === own) return texts.you;
  if (seat.kind === "open") return texts.openSeat;
  const name = seat.name ?? texts.player(seat.seat + 1);
  return seat.via === undefined ? name : texts.withEngine(name);
}

export function resultText(
  result: Result,
  seats: readonly Seat[],
  own: number | null,
  reasons: Reasons,
): string {
  const how = howText(result, seats, reasons);
  const winners = result.winners.flatMap((winner) => seats[winner] ?? []);
  if (winners.length === 0) return texts.drawn(how);
  const names = namesOf(winners, own);
  const isOne = winners.length === 1 && winners[0]?.seat !== own;
  return isOne ? texts.wins(names, how) : texts.allWin(names, how);
}

/** How the game ended: `by capture`. */
function howText(result: Result, seats: readonly Seat[], reasons: Reasons): string {
  const ofMany = seats.length > 2 ? texts.reasonsForMany[result.reason] : undefined;
  const common = ofMany ?? texts.reasons[result.reason];
  const reason = reasons[result.reason] ?? common ?? `(${result.reason})`;
  return result.note === undefined ? reason : texts.noted(reason, result.note);
}

/** How a game between two bots ended, in one's own list of them: `on time`. Empty if its note says it better. */
export function endingText(reason: string, reasons: Reasons): string {
  return reasons[reason] ?? texts.listedReasons[reason] ?? texts.reasons[reason] ?? reason;
}

/** The result as the player of the seat `own` tells it: `You lost on time.` */
export function outcomeText(result: Result, seats: readonly Seat[], own: number, reasons: Reasons): string {
  const how = howText(result, seats, reasons);
  const loss = seats.length === 2 ? texts.losses[result.reason] : undefined;
  if (result.winners.length > 0 && !result.winners.includes(own) && loss !== undefined)
    return texts.lost(loss);
  const names = namesOf(
    result.winners.flatMap((winner) => seats[winner] ?? []),
    own,
  );
  if (names === "") return texts.drawn(how);
  return result.winners.includes(own) ? texts.won(names, how) : texts.lostTo(names, how);
}

/** `You, Ada and Bo`. */
function namesOf(seats: readonly Seat[], own: number | null): string {
  const ownFirst = seats.toSorted((a, b) => Number(b.seat === own) - Number(a.seat === own));
  return formats.list(ownFirst.map((seat) => playerName(seat, own)));
}

/** The status of the game in one line. */
export function statusText(game: Game, own: number | null, reasons: Reasons): string {
  const { position, seats } = game;
  if (position.result !== undefined) return resultText(position.result, seats, own, reasons);
  if (position.status === "open") return openText(seats.filter(({ kind }) => kind === "open").length, own);
  if (position.status === "aborted") return texts.aborted;
  if (own !== null && position.toAct.includes(own)) return texts.yourTurn;
  const names = namesOf(
    position.toAct.flatMap((seat) => seats[seat] ?? []),
    own,
  );
  if (own !== null && movedSeats(game).includes(own)) return texts.waitingFor(names);
  const turn = texts.toMove(names);
  return own !== null && leaversIn(position.history).includes(own) ? texts.youHaveLeft(turn) : turn;
}

function openText(count: number, own: number | null): string {
  return own === null ? texts.openSeats(count) : texts.waitingForPlayers(count);
}

/** Whether evaluations of the game are not available for now. */
export function isUnassisted({ assistance, position }: Pick<Game, "assistance" | "position">): boolean {
  return assistance === "none" && (position.status === "open" || position.status === "playing");
}

/** Whether evaluations are allowed in a game between people, and who has them on: a part of the line about the game. */
export function assistanceText(game: Game, snapshot: Snapshot | null, own: number | null): string {
  if (isUnassisted(game)) return texts.noAssistance;
  const { status } = game.position;
  const people = game.seats.filter(({ kind }) => kind !== "bot").length;
  if (people < 2 || (status !== "open" && status !== "playing")) return "";
  const shown = game.seats.filter(({ seat }) => snapshot?.players[seat]?.evaluation === true);
  return shown.length === 0 ? texts.evaluationAllowed : texts.evaluationOnFor(namesOf(shown, own));
}

/** The title of the browser's tab, with a mark if it calls the viewer: by default, if it is the viewer's move. */
export function tabTitle(text: string, isCall = text === texts.yourTurn): string {
  return `${isCall ? "● " : ""}${text.replace(/\.$/, "")} – Plyhouse`;
}

/** The displayed name of a game. */
export function gameTitle({ game, about }: Pick<GameRules, "game" | "about">): string {
  return about.title ?? capitalised(game);
}

/** The displayed name of a variant. */
export function variantTitle(about: GameRules["about"] | undefined, variant: string): string {
  return about?.variantTitles?.[variant] ?? capitalised(variant);
}

export function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The game and its settings: `Wallwars, Standard, 8 × 8`. */
export function gameLine(
  about: GameRules["about"] | undefined,
  { game, variant, config }: Pick<Game, "game" | "variant" | "config">,
): string {
  const { boardWidth, boardHeight } = config;
  const isSized = typeof boardWidth === "number" && typeof boardHeight === "number";
  const size = isSized ? [`${boardWidth} × ${boardHeight}`] : [];
  return [about?.title ?? game, variantTitle(about, variant), ...size].join(", ");
}

/** The seats still played in a running game whose players have disconnected, except the viewer's. */
export function awaySeats(
  { position, seats }: Pick<Game, "position" | "seats">,
  snapshot: Snapshot | null,
  own: number | null,
): number[] {
  if (position.status !== "playing" || snapshot === null) return [];
  const left = leaversIn(position.history);
  return seats
    .map(({ seat }) => seat)
    .filter((seat) => seat !== own && !left.includes(seat) && snapshot.players[seat]?.connected === false);
}

/** `away`: disconnected. `left`: no longer in a game that went on without the player. */
export type Presence = "here" | "away" | "left";

/** Whether a seat's player is there; the viewer's own connection is shown elsewhere. */
export function presenceOf(
  game: Pick<Game, "position" | "seats">,
  snapshot: Snapshot | null,
  own: number | null,
  seat: number,
): Presence {
  if (leaversIn(game.position.history).includes(seat)) return "left";
  return awaySeats(game, snapshot, own).includes(seat) ? "away" : "here";
}

/** A seat's points over several games; empty in the first one. */
export function scoreOf(snapshot: Snapshot | null, seat: number): string {
  const score = snapshot?.matchScore ?? {};
  const isMatch = Object.values(score).some((points) => points > 0);
  return isMatch ? String(score[seat + 1] ?? 0) : "";
}
