// The tokens of tournaments that this browser keeps: the owner's, and those of the entries that were made here.
// There are no accounts: whoever has the token of an entry plays its games.
import { store, stored } from "./stored";

const KEY = "plyhouse-tournaments";
/** The most tournaments that are kept; the oldest are deleted first. */
const MOST = 50;

export interface TournamentTokens {
  readonly owner?: string;
  /** The entry of the person at this browser; null once it was withdrawn. */
  readonly own?: { readonly entry: number; readonly token: string } | null;
  /** The tokens of bots that were entered here, by their entries. */
  readonly bots: readonly (readonly [entry: number, token: string])[];
}

type Kept = readonly (readonly [id: string, tokens: TournamentTokens])[];

/** The tokens for a tournament. */
export function tokensOf(id: string): TournamentTokens {
  return kept().find(([known]) => known === id)?.[1] ?? { bots: [] };
}

/** Stores tokens for a tournament in addition to those that are known. */
export function keepTokens(id: string, more: Partial<TournamentTokens>): void {
  replaceTokens(id, { ...tokensOf(id), ...more });
}

function replaceTokens(id: string, tokens: TournamentTokens): void {
  store(KEY, [...kept().filter(([known]) => known !== id), [id, tokens]].slice(-MOST));
}

/** Forgets a token that the server does not know for this tournament; returns whether it was kept. */
export function forgetToken(id: string, token: string): boolean {
  const { owner, own, bots } = tokensOf(id);
  const rest = bots.filter(([, one]) => one !== token);
  const isKept = owner === token || own?.token === token || rest.length < bots.length;
  if (isKept) {
    replaceTokens(id, {
      ...(owner === undefined || owner === token ? {} : { owner }),
      own: own == null || own.token === token ? null : own,
      bots: rest,
    });
  }
  return isKept;
}

/** The token with which an entry can be withdrawn; null if this browser has none. */
export function tokenFor({ owner, own, bots }: TournamentTokens, entry: number): string | null {
  if (own?.entry === entry) return own.token;
  return bots.find(([known]) => known === entry)?.[1] ?? owner ?? null;
}

/** The tournament of a game, from the token of the player's seat in it; null if it is of none. */
export function tournamentOf(seatToken: string | null): string | null {
  return kept().find(([, { own }]) => own?.token === seatToken)?.[0] ?? null;
}

function kept(): Kept {
  return stored<Kept>(KEY, []);
}
