// Requests about tournaments. Players are numbered by their entries.
import { call } from "./http";
import type { TimeControl } from "./shapes";

export type System = "round-robin" | "swiss" | "gauntlet";
export type TournamentStatus = "waiting" | "running" | "finished" | "cancelled";

/** Whether a tournament is not over. */
export function isLive({ status }: { readonly status: TournamentStatus }): boolean {
  return status === "waiting" || status === "running";
}

export interface ListedTournament {
  readonly id: string;
  readonly name: string;
  readonly game: string;
  readonly variant: string;
  readonly system: System;
  readonly status: TournamentStatus;
  readonly entrants: number;
  readonly round: number;
  readonly rounds: number;
  /** In milliseconds since the epoch; null: when its owner starts it. */
  readonly startsAt: number | null;
}

export interface Entrant {
  readonly entry: number;
  readonly name: string;
  /** Null for people. */
  readonly bot: string | null;
  /** Whether the player has withdrawn since the start. */
  readonly gone: boolean;
}

export interface TournamentGame {
  /** By seat. */
  readonly players: readonly number[];
  readonly status: "due" | "playing" | "over";
  /** Null if the game was not created. */
  readonly gameId: string | null;
  /** By seat; null while the game is not over. */
  readonly points: readonly number[] | null;
  readonly reason: string | null;
  readonly note: string | null;
}

export interface Place {
  readonly place: number;
  readonly entry: number;
  readonly points: number;
  readonly byes: number;
  readonly tieBreaks: Readonly<Record<string, number>>;
  /** The points against other players. */
  readonly against: Readonly<Record<string, number>>;
}

export interface Tournament {
  readonly id: string;
  readonly name: string;
  readonly game: string;
  readonly variant: string;
  readonly system: System;
  /** Of each game. */
  readonly seats: number;
  /** Also those of each table of three or more, in a round. */
  readonly gamesPerPair: number;
  readonly timeControl: TimeControl;
  readonly tieBreaks: readonly string[];
  readonly startsAt: number | null;
  /** Whether anyone may enter. */
  readonly open: boolean;
  readonly status: TournamentStatus;
  /** Why it was cancelled. */
  readonly note: string | null;
  readonly round: number;
  readonly rounds: number;
  readonly entrants: readonly Entrant[];
  readonly games: readonly {
    readonly games: readonly TournamentGame[];
    /** Who plays in no game of the round. */
    readonly byes: readonly number[];
  }[];
  readonly table: readonly Place[];
  /** What the token that was sent is for. */
  readonly you?: { readonly owner: boolean; readonly entry?: number; readonly gameId?: string };
}

/** Whether the person who has sent the token may have games to come. */
export function hasGamesToCome(tournament: Tournament): boolean {
  const own = tournament.entrants.find(({ entry }) => entry === tournament.you?.entry);
  return isLive(tournament) && own !== undefined && !own.gone;
}

export interface NewTournament {
  readonly name: string;
  readonly game: string;
  readonly variant: string;
  readonly system: System;
  readonly seats: number;
  readonly gamesPerPair: number;
  /** Of a Swiss tournament, or a round robin of tables of three or more. */
  readonly rounds?: number;
  readonly timeControl: TimeControl;
  readonly startsAt?: number;
  readonly open: boolean;
}

export interface Entry {
  readonly entry: number;
  readonly token: string;
}

/** A page of tournaments, newest first; `cursor` requests the next one. */
export interface TournamentsPart {
  readonly tournaments: readonly ListedTournament[];
  readonly cursor?: string;
}

export function getTournaments(cursor: string | null): Promise<TournamentsPart> {
  const query = cursor === null ? "" : `?${new URLSearchParams({ cursor })}`;
  return call("GET", `/api/tournaments${query}`);
}

export function getTournament(id: string, token: string | null): Promise<Tournament> {
  return call("GET", pathOf(id), { token });
}

export function createTournament(body: NewTournament): Promise<Tournament & { readonly token: string }> {
  return call("POST", "/api/tournaments", { body });
}

/** Enters a bot or a person; `token`: the owner's, which a tournament that is not open needs. */
export function enterTournament(
  id: string,
  who: { readonly bot: string } | { readonly name: string },
  token: string | null,
): Promise<Entry> {
  return call("POST", `${pathOf(id)}/entries`, { body: who, token });
}

/** `token`: that of the entry, or the owner's. */
export function withdraw(id: string, entry: number, token: string): Promise<Tournament> {
  return call("DELETE", `${pathOf(id)}/entries/${entry}`, { token });
}

export function startTournament(id: string, token: string): Promise<Tournament> {
  return call("POST", `${pathOf(id)}/start`, { token });
}

export function cancelTournament(id: string, token: string): Promise<Tournament> {
  return call("POST", `${pathOf(id)}/cancel`, { token });
}

/** The address of the cross table as a file. */
export function tablePath(id: string, format: "csv" | "txt"): string {
  return `${pathOf(id)}/table.${format}`;
}

function pathOf(id: string): string {
  return `/api/tournaments/${encodeURIComponent(id)}`;
}
