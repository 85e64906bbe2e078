// The tile table as `GET /api/rules` gives it, and how the names of segments turn with their tile. Called by the board's
// parts.

export type Kind = "city" | "road" | "monastery" | "field";

/** A part of a tile that a meeple can stand on, unturned. */
export interface Segment {
  readonly kind: Kind;
  /** The edges in its name, such as `NE`; monasteries have none. */
  readonly name?: string;
  /** For cities and roads, edges such as `NE`; for fields, edges and halves of edges, such as `N E:S`. */
  readonly touches?: string;
  readonly pennant?: boolean;
}

export interface TileRow {
  readonly tile: string;
  readonly segments: readonly Segment[];
}

/** Tiles by their letters. */
export type TileTable = ReadonlyMap<string, TileRow>;

/** What the board reads of the game's `about`. */
export interface TilesAbout {
  readonly tiles?: Readonly<Record<string, readonly TileRow[]>>;
}

export const EDGES = "NESW";

/** The tiles of a variant; empty if the rules have none. */
export function tableOf(about: TilesAbout, variant: string): TileTable {
  return new Map((about.tiles?.[variant] ?? []).map((row) => [row.tile, row]));
}

/** The name of a segment's spot on a tile turned clockwise by so many degrees. */
export function spotName({ kind, name = "" }: Segment, rotation: number): string {
  if (name === "") return kind;
  const letters = Array.from(name, (letter) => (EDGES.indexOf(letter) + rotation / 90) % 4).sort();
  return `${kind}_${letters.map((index) => EDGES.charAt(index)).join("")}`;
}
