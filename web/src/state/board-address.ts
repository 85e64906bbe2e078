// The addresses of the analysis board. Pure.
//
// What is on the board is in the fragment, which no server or proxy sees, so that it may be long:
//
//     /board/GAME#variant=Base&move=wS1&move=bG1+-wS1
//     /board/GAME#from=g7Kd&ply=12&move=UP/LEFT    a position of a game on this server, and moves after it

export interface Shown {
  /** The game on the server whose start and first moves are those of the board; null if there is none. */
  readonly from: { readonly gameId: string; readonly ply: number } | null;
  /** The record that the variations came from, by which this tab keeps them; empty if they came from none. */
  readonly record: string;
  /** Empty for the usual one. */
  readonly variant: string;
  readonly config: Readonly<Record<string, unknown>>;
  /** After those of the game, or from the start. */
  readonly moves: readonly string[];
}

const PLY = /^\d{1,6}$/;
const RECORD = /^[a-z0-9]{1,8}$/;

/** Reads a fragment, with or without its `#`; members that it does not have, or that make no sense, are as usual. */
export function shownIn(fragment: string): Shown {
  const given = new URLSearchParams(fragment.replace(/^#/, ""));
  const gameId = given.get("from") ?? "";
  const ply = given.get("ply") ?? "";
  const record = given.get("record") ?? "";
  return {
    from: gameId === "" ? null : { gameId, ply: PLY.test(ply) ? Number(ply) : 0 },
    record: RECORD.test(record) ? record : "",
    variant: given.get("variant") ?? "",
    config: configIn(given.get("config") ?? "{}"),
    moves: given.getAll("move"),
  };
}

function configIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === "object" && read !== null ? (read as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

export function boardPath(game: string, shown: Partial<Shown> = {}): string {
  const { from = null, record = "", variant = "", config = {}, moves = [] } = shown;
  const parts = new URLSearchParams();
  if (from !== null) {
    parts.set("from", from.gameId);
    parts.set("ply", String(from.ply));
  } else {
    if (record !== "") parts.set("record", record);
    if (variant !== "") parts.set("variant", variant);
    if (Object.keys(config).length > 0) parts.set("config", JSON.stringify(config));
  }
  for (const move of moves) parts.append("move", move);
  const fragment = parts.toString();
  return `/board/${encodeURIComponent(game)}${fragment === "" ? "" : `#${fragment}`}`;
}
