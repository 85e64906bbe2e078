// What a click means that hits no legal action: a wall near an edge, otherwise a step of the nearest pawn. The rules then
// say why it is refused. Pure. Called by the board element.
import * as texts from "#texts/boards/wallwars";
import type { Point } from "../common/arrows";
import { UNIT, WALL_REACH } from "./geometry";
import { cellName, type Cell, type PawnKind } from "./notation";
import { sameCell, type WallwarsView } from "./scene";

/** A pawn that the player may move. */
export interface OwnPawn {
  readonly piece: PawnKind;
  readonly cell: Cell;
}

type Size = Pick<WallwarsView, "boardWidth" | "boardHeight">;

/** The cell at a point of the board; null beside it. */
export function cellAt({ x, y }: Point, { boardWidth, boardHeight }: Size): Cell | null {
  const [column, row] = [Math.floor(x / UNIT), Math.floor(y / UNIT)];
  const isOn = column >= 0 && row >= 0 && column < boardWidth && row < boardHeight;
  return isOn ? { row, column } : null;
}

/** The text of the action at a point; null if there is none to name. */
export function meantAt(point: Point, size: Size, pawns: readonly OwnPawn[]): string | null {
  const cell = cellAt(point, size);
  if (cell === null) return null;
  const edge = edgeAt(point, cell);
  if (edge === null) return stepTo(cell, size, pawns);
  return isNamed(edge, size) ? edge.sign + cellName(edge.cell, size.boardHeight) : null;
}

/** Why there is no wall at a point of the left or lower border, which no action names; null elsewhere. */
export function borderAt(point: Point, size: Size): string | null {
  const cell = cellAt(point, size);
  const edge = cell === null ? null : edgeAt(point, cell);
  if (cell === null || edge === null || isNamed(edge, size)) return null;
  const name = cellName(cell, size.boardHeight);
  return edge.sign === ">" ? texts.borderLeftOf(name) : texts.borderBelow(name);
}

/** An edge by the cell that names it, which may be beside the board: the one to the left of it, or below it. */
export interface NamedEdge {
  readonly sign: ">" | "^";
  readonly cell: Cell;
}

function isNamed({ cell }: NamedEdge, { boardHeight }: Size): boolean {
  return cell.column >= 0 && cell.row < boardHeight;
}

/** The edge of a cell within `reach` of a point; null if there is none. */
export function edgeAt(point: Point, cell: Cell, reach = WALL_REACH): NamedEdge | null {
  const [left, top] = [point.x - cell.column * UNIT, point.y - cell.row * UNIT];
  const edges: (NamedEdge & { readonly gap: number })[] = [
    { gap: UNIT - left, sign: ">", cell },
    { gap: left, sign: ">", cell: { ...cell, column: cell.column - 1 } },
    { gap: top, sign: "^", cell },
    { gap: UNIT - top, sign: "^", cell: { ...cell, row: cell.row + 1 } },
  ];
  const edge = edges.toSorted((one, other) => one.gap - other.gap)[0];
  return edge === undefined || edge.gap > reach ? null : edge;
}

/** The step of the pawn that is nearest to a cell; null if one is there. */
export function stepTo(cell: Cell, { boardHeight }: Size, pawns: readonly OwnPawn[]): string | null {
  const steps = (from: Cell): number => Math.abs(from.row - cell.row) + Math.abs(from.column - cell.column);
  const pawn = pawns.toSorted((one, other) => steps(one.cell) - steps(other.cell))[0];
  if (pawn === undefined || sameCell(pawn.cell, cell)) return null;
  return (pawn.piece === "cat" ? "C" : "M") + cellName(cell, boardHeight);
}
