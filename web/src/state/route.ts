// Which page an address asks for, and how to go to another one without loading anew.

export type Route =
  | { readonly page: "lobby" }
  | { readonly page: "game"; readonly gameId: string; readonly token: string | null }
  | { readonly page: "unknown" };

const GAME = /^\/game\/([^/]+)\/?$/;

export function routeOf({ pathname, searchParams }: URL): Route {
  if (pathname === "/") return { page: "lobby" };
  const id = GAME.exec(pathname)?.[1];
  if (id === undefined) return { page: "unknown" };
  return { page: "game", gameId: decodeURIComponent(id), token: searchParams.get("token") };
}

/** The address of a seat, or of the spectators' view. */
export function gamePath(gameId: string, token: string | null): string {
  const query = token === null ? "" : `?${new URLSearchParams({ token })}`;
  return `/game/${encodeURIComponent(gameId)}${query}`;
}

/** The address of a game's analysis, opened at `ply` where one is given. */
export function analysisPath(gameId: string, ply: number | null = null): string {
  const query = ply === null ? "" : `?${new URLSearchParams({ ply: String(ply) })}`;
  return `/analysis/${encodeURIComponent(gameId)}${query}`;
}

/** Goes to `path`; the app listens to "popstate" for this and for the browser's own buttons alike. */
export function goTo(path: string): void {
  history.pushState(null, "", path);
  window.dispatchEvent(new PopStateEvent("popstate"));
}
