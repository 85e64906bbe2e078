// What is visible on a Hive board: the server's view plus the staged move, as plain lists to draw, and the legal moves
// as pieces to pick and places to put them. Knows neither rules nor SVG. Called by the board element.
import {
  BUGS,
  SIDES,
  STEPS,
  besideText,
  parseMove,
  parsePiece,
  type Bug,
  type Cell,
  type Piece,
} from "./notation";

/** The `view` of a Hive position. */
export interface HiveView {
  /** `Base`, or with the bugs of the expansions: `Base+MLP`. */
  readonly type: string;
  /** The seat to move, or that would be if the game were not over. */
  readonly toMove: number;
  readonly cells: readonly (Cell & { /** Bottom first. */ readonly pieces: readonly string[] })[];
  /** By seat, the next piece of each bug in the reserve. */
  readonly hands: readonly (readonly string[])[];
  /** By seat, how many of each bug are in the reserve. */
  readonly reserve: readonly Readonly<Partial<Record<Bug, number>>>[];
  readonly lastMove: { readonly piece: string; readonly from: Cell | null; readonly to: Cell } | null;
  /** The piece that must not be moved or thrown in this turn. */
  readonly resting: string | null;
  /** By seat, the occupied cells around the queen; null before she is placed. */
  readonly queens: readonly (number | null)[];
}

const EXPANSIONS: readonly Bug[] = ["M", "L", "P"];

/** A piece on the board. */
export interface Tile extends Piece, Cell {
  /** Number of pieces under it. */
  readonly level: number;
  /** Number of pieces in its stack. */
  readonly height: number;
}

/** A place for the selected piece. */
export interface Target extends Cell {
  /** The whole move. */
  readonly text: string;
  /** Number of pieces there. */
  readonly level: number;
}

/** A move to point out; `from` is null for a piece from the reserve. */
export interface Hint {
  readonly piece: Piece;
  readonly from: Target | null;
  readonly to: Target;
}

/** The bugs of this type of game, in the order of a reserve. */
export function bugsOf({ type }: Pick<HiveView, "type">): Bug[] {
  const [, expansions = ""] = type.split("+");
  return BUGS.filter((bug) => !EXPANSIONS.includes(bug) || expansions.includes(bug));
}

export const cellKey = ({ q, r }: Cell): string => `${q},${r}`;

export const isSameCell = (a: Cell, b: Cell): boolean => a.q === b.q && a.r === b.r;

/** The stacks of a board, bottom first, by `cellKey`. */
export type Stacks = ReadonlyMap<string, readonly Tile[]>;

/** The board after the staged move. */
export function stacksOf(view: HiveView, staged: readonly string[]): Stacks {
  const cells = staged.reduce(withMove, view.cells);
  return new Map(cells.filter(({ pieces }) => pieces.length > 0).map((cell) => [cellKey(cell), stack(cell)]));
}

function stack({ q, r, pieces }: HiveView["cells"][number]): Tile[] {
  return pieces.flatMap((name, level) => {
    const piece = parsePiece(name);
    return piece === null ? [] : { ...piece, q, r, level, height: pieces.length };
  });
}

function withMove(cells: HiveView["cells"], text: string): HiveView["cells"] {
  const move = parseMove(text);
  const to = move === null ? null : destination(text, cells);
  if (move === null || to === null) return cells;
  const { name } = move.piece;
  const lifted = cells.map((cell) => ({ ...cell, pieces: cell.pieces.filter((other) => other !== name) }));
  const there = lifted.find((cell) => isSameCell(cell, to));
  const others = lifted.filter((cell) => cell !== there);
  return [...others, { ...to, pieces: [...(there?.pieces ?? []), name] }];
}

/** Whether the player to move has no piece on the board yet. */
export function isFirst({ cells, toMove }: HiveView): boolean {
  return cells.every(({ pieces }) => pieces.every((name) => parsePiece(name)?.seat !== toMove));
}

/** The pieces in drawing order: higher ones later, otherwise by name. */
export function tilesOf(stacks: Stacks): Tile[] {
  return [...stacks.values()].flat().toSorted((a, b) => a.level - b.level || (a.name < b.name ? -1 : 1));
}

/** The destination of a move; null if the text names no place on this board. */
function destination(text: string, cells: HiveView["cells"]): Cell | null {
  const move = parseMove(text);
  if (move === null) return null;
  if (move.beside === null) return { q: 0, r: 0 };
  const { name } = move.beside;
  const at = cells.find(({ pieces }) => pieces.includes(name));
  if (at === undefined) return null;
  const step = move.side === null ? { q: 0, r: 0 } : STEPS[move.side];
  return { q: at.q + step.q, r: at.r + step.r };
}

/** The names of the pieces that can be moved or placed. */
export function sourcesOf(legal: readonly string[]): ReadonlySet<string> {
  return new Set(legal.flatMap((text) => parseMove(text)?.piece.name ?? []));
}

/** The places where the legal moves put the piece of that name. */
export function targetsOf(view: HiveView, legal: readonly string[], name: string): Target[] {
  return legal.flatMap((text) => {
    const target = parseMove(text)?.piece.name === name ? targetOf(view, text) : null;
    return target ?? [];
  });
}

function targetOf(view: HiveView, text: string): Target | null {
  const mover = parseMove(text)?.piece.name;
  const cell = destination(text, view.cells);
  if (cell === null) return null;
  const there = view.cells.find((other) => isSameCell(other, cell))?.pieces ?? [];
  return { ...cell, text, level: there.filter((name) => name !== mover).length };
}

/** The move of a piece to an empty cell; null for other cells, and where it would touch no other piece. */
export function moveTo({ cells }: HiveView, name: string, to: Cell): string | null {
  if (cells.some((cell) => isSameCell(cell, to))) return null;
  for (const cell of cells) {
    const top = parsePiece(cell.pieces.filter((piece) => piece !== name).at(-1) ?? "");
    const side = SIDES.find((one) => isSameCell(to, { q: cell.q + STEPS[one].q, r: cell.r + STEPS[one].r }));
    if (top !== null && side !== undefined) return `${name} ${besideText(top, side)}`;
  }
  return null;
}

/** The step of a piece to an empty cell beside it; null if there is none. */
export function stepFrom({ cells }: HiveView, tile: Tile): string | null {
  const side = SIDES.find((one) => {
    const beside = { q: tile.q + STEPS[one].q, r: tile.r + STEPS[one].r };
    return !cells.some((cell) => isSameCell(cell, beside));
  });
  return side === undefined ? null : `${tile.name} ${besideText(tile, side)}`;
}

/** The hint for a move; null for a pass. */
export function hintOf(view: HiveView, text: string): Hint | null {
  const piece = parseMove(text)?.piece;
  const to = targetOf(view, text);
  if (piece === undefined || to === null) return null;
  const at = view.cells.find(({ pieces }) => pieces.includes(piece.name));
  const from = at === undefined ? null : { q: at.q, r: at.r, text, level: at.pieces.indexOf(piece.name) };
  return { piece, from, to };
}

/** The places where a seat's pieces may want to go in its next turn, whatever the other player does until then. */
export function intentionsOf(view: HiveView, seat: number): Target[] {
  const tops = view.cells.flatMap((cell) => {
    const piece = parsePiece(cell.pieces.at(-1) ?? "");
    return piece === null ? [] : [{ piece, q: cell.q, r: cell.r }];
  });
  const hand = (view.hands[seat] ?? []).flatMap((name) => parsePiece(name) ?? []);
  const own = tops.flatMap(({ piece }) => (piece.seat === seat ? piece : []));
  return [...hand, ...own].flatMap((piece) => {
    const others = tops.filter((top) => top.piece.name !== piece.name);
    const places = new Map(others.flatMap((top) => placesBeside(piece, top)).map((at) => [cellKey(at), at]));
    const occupied = new Set(tops.map(cellKey));
    const open = [...places.values()].filter((at) => !occupied.has(cellKey(at)));
    const isClimber = own.includes(piece) && CLIMBERS.includes(piece.bug);
    const onto = others.map((top) => ({ ...top, text: `${piece.name} ${top.piece.name}`, level: 1 }));
    return [...open, ...(isClimber ? onto : [])];
  });
}

/** The bugs that may end a move on top of others. */
const CLIMBERS: readonly Bug[] = ["B", "M"];

function placesBeside(piece: Piece, top: Cell & { readonly piece: Piece }): Target[] {
  return SIDES.map((side) => {
    const step = STEPS[side];
    return {
      q: top.q + step.q,
      r: top.r + step.r,
      text: `${piece.name} ${besideText(top.piece, side)}`,
      level: 0,
    };
  });
}
