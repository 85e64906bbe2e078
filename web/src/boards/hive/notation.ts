// Converts Hive's move text to pieces and places, and to words. No rules: a valid text need not be legal.
// Called by the scene and the board element.
import * as texts from "#texts/boards/hive";

/** The bugs in the order in which a reserve shows them. */
export const BUGS = ["Q", "A", "G", "S", "B", "L", "M", "P"] as const;

export type Bug = (typeof BUGS)[number];

/** A piece by its name, such as `wA1`; queens and the bugs of the expansions have no number. */
export interface Piece {
  readonly name: string;
  readonly seat: number;
  readonly bug: Bug;
  /** In the order of placement, from 1; 0 if there is only one. */
  readonly number: number;
}

/** Axial coordinates: q grows to the east, r to the south-east. */
export interface Cell {
  readonly q: number;
  readonly r: number;
}

/** Where a piece goes: beside another one, or on top of it if `side` is null. `beside` is null for the first piece. */
export interface Move {
  readonly piece: Piece;
  readonly beside: Piece | null;
  readonly side: Side | null;
}

export type Side = "west" | "east" | "north-west" | "south-east" | "south-west" | "north-east";

export const PASS = "pass";

/** The offset of the cell on each side. */
export const STEPS: Readonly<Record<Side, Cell>> = {
  west: { q: -1, r: 0 },
  east: { q: 1, r: 0 },
  "north-west": { q: 0, r: -1 },
  "south-east": { q: 0, r: 1 },
  "south-west": { q: -1, r: 1 },
  "north-east": { q: 1, r: -1 },
};

export const SIDES = Object.keys(STEPS) as readonly Side[];

const BEFORE: Readonly<Record<string, Side>> = { "-": "west", "\\": "north-west", "/": "south-west" };
const AFTER: Readonly<Record<string, Side>> = { "-": "east", "\\": "south-east", "/": "north-east" };

const PIECE = /^([wb])([QMLP]|[SB][12]|[AG][123])$/;
const MOVE = /^(\w+)(?: ([-/\\]?)(\w+)([-/\\]?))?$/;

/** The piece of that name; null if there is none. */
export function parsePiece(name: string): Piece | null {
  const [, colour, rest] = PIECE.exec(name) ?? [];
  if (colour === undefined || rest === undefined) return null;
  return { name, seat: colour === "w" ? 0 : 1, bug: rest[0] as Bug, number: Number(rest[1] ?? 0) };
}

/** Parses a move such as `wA1`, `bB1 wQ` or `wA1 -bQ`; null for a pass and for invalid text. */
export function parseMove(text: string): Move | null {
  const [, mover = "", before = "", other, after = ""] = MOVE.exec(text) ?? [];
  const piece = parsePiece(mover);
  if (piece === null) return null;
  if (other === undefined) return { piece, beside: null, side: null };
  const beside = parsePiece(other);
  if (beside === null || (before !== "" && after !== "")) return null;
  return { piece, beside, side: BEFORE[before] ?? AFTER[after] ?? null };
}

/** A place beside a piece: `-bQ`, `bQ/`. */
export function besideText({ name }: Piece, side: Side): string {
  const find = (signs: Readonly<Record<string, Side>>): string | undefined =>
    Object.keys(signs).find((sign) => signs[sign] === side);
  const before = find(BEFORE);
  return before === undefined ? name + (find(AFTER) ?? "") : before + name;
}

/** `White ant 2`, `Black queen`. */
export function pieceName({ seat, bug, number }: Piece): string {
  return texts.piece(seatName(seat), bug, number);
}

/** The same for any piece of its kind: `White ant`. */
export function kindName({ seat, bug }: Piece): string {
  return texts.kind(seatName(seat), bug);
}

export function seatName(seat: number): string {
  return texts.seats[seat] ?? "";
}

/** The text of a move for screen readers. */
export function describeMove(text: string): string {
  const move = parseMove(text);
  if (move === null) return text === PASS ? texts.pass : text;
  const { piece, beside, side } = move;
  const moved = pieceName(piece);
  if (beside === null) return texts.opens(moved);
  const other = pieceName(beside);
  return side === null ? texts.onto(moved, other) : texts.beside(moved, side, other);
}

/** A stack from the top down: `White beetle 1 on black queen`. */
export function describeStack(bottomUp: readonly Piece[]): string {
  return texts.stack(bottomUp.toReversed().map(pieceName));
}
