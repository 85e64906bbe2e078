// Converts Wallwars' move text to cells of the drawing, and back. No rules: a valid text need not be legal.
// Called by the scene and the board element.
import * as texts from "#texts/boards/wallwars";

/** A cell; rows and columns count from 0 in the top left corner. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}

export type PawnKind = "cat" | "mouse";

/** A vertical wall is on the right side of its cell, a horizontal one on its top side. */
export type Orientation = "vertical" | "horizontal";

export type Action =
  | { readonly kind: "step"; readonly pawn: PawnKind; readonly cell: Cell }
  | { readonly kind: "wall"; readonly orientation: Orientation; readonly cell: Cell };

const ACTION = /^([CM>^])([a-z])([1-9]\d?)$/;
const PASS = "---";
const LETTER_A = "a".charCodeAt(0);

/** `a` for the leftmost column. */
export function columnName(column: number): string {
  return String.fromCharCode(LETTER_A + column);
}

/** The row's number on a board of `height` rows: 1 is the lowest. */
export function rowName(row: number, height: number): string {
  return String(height - row);
}

export function cellName(cell: Cell, height: number): string {
  return columnName(cell.column) + rowName(cell.row, height);
}

/** Parses an action, for example `Cb8` or `>d4`; null if the text is invalid. */
export function parseAction(text: string, height: number): Action | null {
  const match = ACTION.exec(text);
  if (match === null) return null;
  const [, sign = "", letter = "", number = ""] = match;
  const cell = { row: height - Number(number), column: letter.charCodeAt(0) - LETTER_A };
  switch (sign) {
    case "C":
      return { kind: "step", pawn: "cat", cell };
    case "M":
      return { kind: "step", pawn: "mouse", cell };
    case ">":
      return { kind: "wall", orientation: "vertical", cell };
    default:
      return { kind: "wall", orientation: "horizontal", cell };
  }
}

/** The actions of a move; empty for a pass. Invalid parts are left out. */
export function parseMove(text: string, height: number): Action[] {
  if (text === PASS) return [];
  return text.split(".").flatMap((part) => parseAction(part, height) ?? []);
}

/** The move that consists of these actions. */
export function composeMove(actions: readonly string[]): string {
  return actions.length === 0 ? PASS : actions.join(".");
}

/** The text of an action for screen readers. */
export function describe(action: Action, height: number): string {
  const cell = cellName(action.cell, height);
  if (action.kind === "step") return action.pawn === "cat" ? texts.catTo(cell) : texts.mouseTo(cell);
  return action.orientation === "vertical" ? texts.wallRightOf(cell) : texts.wallAbove(cell);
}

/** The same for a whole move. */
export function describeMove(move: string, height: number): string {
  const actions = parseMove(move, height).map((action) => describe(action, height));
  return actions.length === 0 ? texts.pass : actions.join(", ");
}
