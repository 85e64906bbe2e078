// Which page belongs to an address, and navigation without reloading.

/** A record in an address: `/analysis?FORMAT=TEXT`, or `/analysis#FORMAT=TEXT`, which may be long. */
export interface GivenRecord {
  readonly format: string;
  readonly text: string;
}

export type Route =
  | { readonly page: "lobby" }
  | { readonly page: "new"; readonly game: string | null }
  | { readonly page: "learn"; readonly game: string; readonly number: number }
  | { readonly page: "rules"; readonly game: string }
  | { readonly page: "bots" }
  | { readonly page: "bot"; readonly bot: string }
  | { readonly page: "ladder"; readonly game: string; readonly variant: string | null }
  | { readonly page: "tournaments" }
  | { readonly page: "tournament"; readonly id: string }
  | { readonly page: "game"; readonly gameId: string; readonly token: string | null }
  /** `record`: one that the address has, to be opened on a board. */
  | { readonly page: "import"; readonly record: GivenRecord | null }
  | { readonly page: "analysis"; readonly gameId: string; readonly ply: number | null }
  | { readonly page: "board"; readonly game: string; readonly fragment: string }
  | { readonly page: "puzzles"; readonly game: string; readonly id: string | null }
  | { readonly page: "unknown" };

const GAME = /^\/game\/([^/]+)\/?$/;
const ANALYSIS = /^\/analysis(?:\/([^/]+))?\/?$/;
const NEW = /^\/new(?:\/([^/]+))?\/?$/;
const LEARN = /^\/learn\/([^/]+)(\/rules)?\/?$/;
const BOTS = /^\/bots(?:\/([^/]+))?\/?$/;
const LADDER = /^\/ladder\/([^/]+)\/?$/;
const BOARD = /^\/board\/([^/]+)\/?$/;
const PUZZLES = /^\/puzzles\/([^/]+)\/?$/;
const TOURNAMENTS = /^\/tournaments(?:\/([^/]+))?\/?$/;
const PLY = /^\d{1,6}$/;

/** The page of an address; of one with an invalid escape, such as `%E0`, there is none. */
export function routeOf(url: URL): Route {
  try {
    return readRoute(url);
  } catch {
    return { page: "unknown" };
  }
}

function readRoute({ pathname, searchParams, hash }: URL): Route {
  if (pathname === "/") return { page: "lobby" };
  const analysed = ANALYSIS.exec(pathname);
  if (analysed?.[1] !== undefined) return analysisRoute(analysed[1], searchParams.get("ply") ?? "");
  if (analysed !== null) return { page: "import", record: recordIn(searchParams, hash) };
  const started = NEW.exec(pathname);
  if (started !== null)
    return { page: "new", game: started[1] === undefined ? null : decodeURIComponent(started[1]) };
  const learnt = LEARN.exec(pathname);
  if (learnt !== null) return learnRoute(learnt, searchParams.get("step") ?? "");
  const bots = BOTS.exec(pathname);
  if (bots !== null)
    return bots[1] === undefined ? { page: "bots" } : { page: "bot", bot: decodeURIComponent(bots[1]) };
  const ladder = LADDER.exec(pathname)?.[1];
  if (ladder !== undefined)
    return { page: "ladder", game: decodeURIComponent(ladder), variant: searchParams.get("variant") };
  const board = BOARD.exec(pathname)?.[1];
  if (board !== undefined) return { page: "board", game: decodeURIComponent(board), fragment: hash };
  const puzzles = PUZZLES.exec(pathname)?.[1];
  if (puzzles !== undefined)
    return { page: "puzzles", game: decodeURIComponent(puzzles), id: searchParams.get("id") };
  const tournaments = TOURNAMENTS.exec(pathname);
  if (tournaments !== null)
    return tournaments[1] === undefined
      ? { page: "tournaments" }
      : { page: "tournament", id: decodeURIComponent(tournaments[1]) };
  const id = GAME.exec(pathname)?.[1];
  if (id === undefined) return { page: "unknown" };
  return { page: "game", gameId: decodeURIComponent(id), token: searchParams.get("token") };
}

/** The first member that has a text; null if there is none. */
function recordIn(query: URLSearchParams, hash: string): GivenRecord | null {
  const given = [...query, ...new URLSearchParams(hash.replace(/^#/, ""))].find(([, text]) => text !== "");
  return given === undefined ? null : { format: given[0], text: given[1] };
}

function analysisRoute(id: string, ply: string): Route {
  return { page: "analysis", gameId: decodeURIComponent(id), ply: PLY.test(ply) ? Number(ply) : null };
}

function learnRoute([, game = "", rules]: RegExpExecArray, step: string): Route {
  const name = decodeURIComponent(game);
  if (rules !== undefined) return { page: "rules", game: name };
  return { page: "learn", game: name, number: PLY.test(step) ? Number(step) : 1 };
}

/** The address of the form for a new game. */
export function startPath(game: string): string {
  return `/new/${encodeURIComponent(game)}`;
}

/** The address of a bot's page. */
export function botPath(bot: string): string {
  return `/bots/${encodeURIComponent(bot)}`;
}

/** The address of the ratings of a game and variant. */
export function ladderPath(game: string, variant: string): string {
  return `/ladder/${encodeURIComponent(game)}?${new URLSearchParams({ variant })}`;
}

/** The address of a tournament. */
export function tournamentPath(id: string): string {
  return `/tournaments/${encodeURIComponent(id)}`;
}

/** The address of a step of a game's lesson, from 1. */
export function learnPath(game: string, number = 1): string {
  const query = number === 1 ? "" : `?${new URLSearchParams({ step: String(number) })}`;
  return `/learn/${encodeURIComponent(game)}${query}`;
}

/** The address of the puzzles of a game, or of one of them. */
export function puzzlePath(game: string, id: string | null = null): string {
  const query = id === null ? "" : `?${new URLSearchParams({ id })}`;
  return `/puzzles/${encodeURIComponent(game)}${query}`;
}

/** The address of a game's rules. */
export function rulesPath(game: string): string {
  return `/learn/${encodeURIComponent(game)}/rules`;
}

/** The address of a seat, or of the spectators' view. */
export function gamePath(gameId: string, token: string | null): string {
  const query = token === null ? "" : `?${new URLSearchParams({ token })}`;
  return `/game/${encodeURIComponent(gameId)}${query}`;
}

/** The address of a game's analysis, opened at `ply` if given. */
export function analysisPath(gameId: string, ply: number | null = null): string {
  const query = ply === null ? "" : `?${new URLSearchParams({ ply: String(ply) })}`;
  return `/analysis/${encodeURIComponent(gameId)}${query}`;
}

/** Navigates to `path`; the app listens to "popstate", as for the browser's own buttons. */
export function goTo(path: string): void {
  history.pushState(null, "", path);
  announce();
}

/** The same in place of the page that is left, to which there is no way back. */
export function replaceWith(path: string): void {
  history.replaceState(null, "", path);
  announce();
}

function announce(): void {
  window.dispatchEvent(new PopStateEvent("popstate"));
}
