// What a click means that hits no legal action: a wall near an edge, otherwise a step of the nearest pawn. The rules then
// say why it is refused. Pure. Called by the board element.
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
  const [left, top] = [point.x - cell.column * UNIT, point.y - cell.row * UNIT];
  const edges = [
    { gap: UNIT - left, sign: ">", cell },
    { gap: left, sign: ">", cell: { ...cell, column: cell.column - 1 } },
    { gap: top, sign: "^", cell },
    { gap: UNIT - top, sign: "^", cell: { ...cell, row: cell.row + 1 } },
  ];
  const edge = edges.toSorted((one, other) => one.gap - other.gap)[0];
  if (edge === undefined || edge.gap > WALL_REACH) return stepTo(cell, size, pawns);
  const isNamed = edge.cell.column >= 0 && edge.cell.row < size.boardHeight;
  return isNamed ? edge.sign + cellName(edge.cell, size.boardHeight) : null;
}

/** The step of the pawn that is nearest to a cell; null if one is there. */
export function stepTo(cell: Cell, { boardHeight }: Size, pawns: readonly OwnPawn[]): string | null {
  const steps = (from: Cell): number => Math.abs(from.row - cell.row) + Math.abs(from.column - cell.column);
  const pawn = pawns.toSorted((one, other) => steps(one.cell) - steps(other.cell))[0];
  if (pawn === undefined || sameCell(pawn.cell, cell)) return null;
  return (pawn.piece === "cat" ? "C" : "M") + cellName(cell, boardHeight);
}
