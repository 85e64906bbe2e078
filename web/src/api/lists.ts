// What there is on the server: games of the catalogue, bots, and played games.
import { call } from "./http";
import type { Board, Bot, GameRules } from "./shapes";

export async function getRules(): Promise<readonly GameRules[]> {
  const { games } = await call<{ games: readonly GameRules[] }>("GET", "/api/rules");
  return games;
}

/** The bots, built-in and attached, that play this variant, on this board where the game has a choice of them. */
export async function getBots(game: string, variant: string, board: Board | null): Promise<readonly Bot[]> {
  const query = new URLSearchParams({ game, variant });
  for (const [member, size] of Object.entries(board ?? {})) query.set(member, String(size));
  const { bots } = await call<{ bots: readonly Bot[] }>("GET", `/api/bots?${query}`);
  return bots;
}
