// What the page says about players and results. Pure.
import type { Game, Result, Seat, Snapshot } from "../api/shapes";

/** How each reason for a result ends a sentence. */
export type Reasons = Readonly<Record<string, string>>;

/** Those that every game has; a game's own ones come with its rules. */
const COMMON_REASONS: Reasons = {
  resignation: "by resignation",
  timeout: "on time",
  disconnect: "because the other player was gone",
  "illegal-move": "after an illegal move",
  protocol: "after a breach of the protocol",
  desync: "because the players were at different positions",
  "draw-agreement": "by agreement",
  unknown: "",
};

/** The seats, those of nameless players with what the game calls them. */
export function withNames(seats: readonly Seat[], names: readonly string[] = []): readonly Seat[] {
  return seats.map((seat) => {
    const name = seat.kind === "human" ? names[seat.seat] : undefined;
    return seat.name === undefined && name !== undefined ? { ...seat, name } : seat;
  });
}

/** What to call a seat; `own` is the viewer's seat. */
export function playerName(seat: Seat, own: number | null): string {
  if (seat.seat === own) return "You";
  if (seat.kind === "open") return "Open seat";
  const name = seat.name ?? `Player ${seat.seat + 1}`;
  return seat.via === undefined ? name : `${name} (engine)`;
}

export function resultText(
  result: Result,
  seats: readonly Seat[],
  own: number | null,
  reasons: Reasons,
): string {
  const reason = reasons[result.reason] ?? COMMON_REASONS[result.reason] ?? `(${result.reason})`;
  const how = result.note === undefined ? reason : `${reason}: “${result.note}”`;
  const [first, ...others] = result.winners.flatMap((winner) => seats[winner] ?? []);
  if (first === undefined || others.length > 0) return `${["Draw", how].join(" ").trim()}.`;
  const name = playerName(first, own);
  return `${[name, first.seat === own ? "win" : "wins", how].join(" ").trim()}.`;
}

/** One line about where the game stands. */
export function statusText({ position, seats }: Game, own: number | null, reasons: Reasons): string {
  if (position.result !== undefined) return resultText(position.result, seats, own, reasons);
  if (position.status === "open") return own === null ? "A seat is open." : "Waiting for the other player.";
  if (position.status === "aborted") return "Game aborted.";
  if (own !== null && position.toAct.includes(own)) return "Your turn.";
  const names = position.toAct.flatMap((seat) => seats[seat] ?? []).map((seat) => playerName(seat, own));
  return `${names.join(" and ")} to move.`;
}

/** Whether nobody is shown evaluations of the game for now. */
export function isUnassisted({ assistance, position }: Pick<Game, "assistance" | "position">): boolean {
  return assistance === "none" && (position.status === "open" || position.status === "playing");
}

/** The title of the browser's tab. */
export function tabTitle(text: string): string {
  return `${text.replace(/\.$/, "")} – Plyhouse`;
}

/** What is played: `Wallwars, standard, 8 × 8`. */
export function gameLine(title: string, { variant, config }: Pick<Game, "variant" | "config">): string {
  const { boardWidth, boardHeight } = config;
  const isSized = typeof boardWidth === "number" && typeof boardHeight === "number";
  return [title, variant, ...(isSized ? [`${boardWidth} × ${boardHeight}`] : [])].join(", ");
}

/** The seats of a running game whose players have gone; never the own one. */
export function awaySeats(
  { position, seats }: Pick<Game, "position" | "seats">,
  snapshot: Snapshot | null,
  own: number | null,
): number[] {
  if (position.status !== "playing" || snapshot === null) return [];
  return seats
    .map(({ seat }) => seat)
    .filter((seat) => seat !== own && snapshot.players[seat]?.connected === false);
}

/** A seat's points in a match of several games; empty in the first one. */
export function scoreOf(snapshot: Snapshot | null, seat: number): string {
  const score = snapshot?.matchScore ?? {};
  const isMatch = Object.values(score).some((points) => points > 0);
  return isMatch ? String(score[seat + 1] ?? 0) : "";
}
