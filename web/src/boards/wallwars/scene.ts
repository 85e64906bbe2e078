// What is visible on a Wallwars board: the server's view plus the staged actions, as plain lists to draw.
// Knows neither rules nor SVG. Called by the board element.
import type { Action, Cell, Orientation, PawnKind } from "./notation";

type CellJson = readonly [row: number, column: number];
type PlayerKey = "p1" | "p2";

/** The `view` of a Wallwars position. Survival has one cat and one mouse; classic has homes instead of mice. */
export interface WallwarsView {
  readonly boardWidth: number;
  readonly boardHeight: number;
  readonly turn: number;
  readonly pawns: Readonly<Record<PlayerKey, Partial<Record<PawnKind | "home", CellJson>>>>;
  readonly walls: readonly { cell: CellJson; orientation: Orientation; playerId?: number }[];
  /** Survival only: the cat's turns so far, and after how many the mouse wins. */
  readonly turnsPlayed?: number;
  readonly turnsToSurvive?: number;
  /** Survival only. */
  readonly mouseCanMove?: boolean;
}

/** `past`: where the pawn was before the staged actions; `next`: where they move it. */
export type Moment = "present" | "past" | "next";

export interface ScenePiece {
  readonly piece: PawnKind | "home";
  readonly seat: number;
  readonly cell: Cell;
  readonly moment: Moment;
}

export interface SceneWall {
  readonly orientation: Orientation;
  readonly cell: Cell;
  /** Null for walls without an owner. */
  readonly seat: number | null;
  readonly moment: Moment;
  /** Whether the last move built it. */
  readonly isFresh: boolean;
}

/** A move to point out. */
export interface Hint {
  /** In order: the second of two steps of a pawn starts where the first ends. */
  readonly steps: readonly { readonly from: Cell; readonly to: Cell }[];
  readonly walls: readonly { readonly orientation: Orientation; readonly cell: Cell }[];
}

export interface Scene {
  readonly homes: readonly ScenePiece[];
  readonly pawns: readonly ScenePiece[];
  readonly walls: readonly SceneWall[];
  /** Cells that a pawn reached with the last move. */
  readonly arrivals: readonly Cell[];
}

const PLAYERS: readonly PlayerKey[] = ["p1", "p2"];
const PAWNS: readonly PawnKind[] = ["cat", "mouse"];

const toCell = ([row, column]: CellJson): Cell => ({ row, column });

export const sameCell = (a: Cell, b: Cell): boolean => a.row === b.row && a.column === b.column;

/** `staged` are actions of the seat `mover`; `last` those of the move that led to `view`. */
export function scene(
  view: WallwarsView,
  staged: readonly Action[],
  last: readonly Action[],
  mover = view.turn - 1,
): Scene {
  return {
    homes: pieces(view, ["home"]),
    pawns: pieces(view, PAWNS).flatMap((pawn) => stagedPawn(pawn, mover, staged)),
    walls: [...builtWalls(view, last), ...stagedWalls(mover, staged)],
    arrivals: last.flatMap((action) => (action.kind === "step" ? action.cell : [])),
  };
}

function pieces(view: WallwarsView, kinds: readonly (PawnKind | "home")[]): ScenePiece[] {
  return PLAYERS.flatMap((player, seat) =>
    kinds.flatMap((piece) => {
      const at = view.pawns[player][piece];
      return at === undefined ? [] : { piece, seat, cell: toCell(at), moment: "present" as const };
    }),
  );
}

function stagedPawn(pawn: ScenePiece, mover: number, staged: readonly Action[]): ScenePiece[] {
  const target = staged.findLast((action) => action.kind === "step" && action.pawn === pawn.piece);
  if (pawn.seat !== mover || target === undefined) return [pawn];
  return [
    { ...pawn, moment: "past" },
    { ...pawn, cell: target.cell, moment: "next" },
  ];
}

function builtWalls(view: WallwarsView, last: readonly Action[]): SceneWall[] {
  return view.walls.map(({ cell, orientation, playerId }) => ({
    orientation,
    cell: toCell(cell),
    seat: playerId === undefined ? null : playerId - 1,
    moment: "present",
    isFresh: last.some(
      (action) =>
        action.kind === "wall" && action.orientation === orientation && sameCell(action.cell, toCell(cell)),
    ),
  }));
}

function stagedWalls(mover: number, staged: readonly Action[]): SceneWall[] {
  return staged.flatMap((action) =>
    action.kind === "wall"
      ? { orientation: action.orientation, cell: action.cell, seat: mover, moment: "next", isFresh: false }
      : [],
  );
}

/** How to point out `move` of the player to move. */
export function hintOf(view: WallwarsView, move: readonly Action[]): Hint {
  const at = new Map(
    pieces(view, PAWNS).flatMap(({ piece, seat, cell }) => (seat === view.turn - 1 ? [[piece, cell]] : [])),
  );
  const steps = move.flatMap((action) => {
    const from = action.kind === "step" ? at.get(action.pawn) : undefined;
    if (action.kind !== "step" || from === undefined) return [];
    at.set(action.pawn, action.cell);
    return { from, to: action.cell };
  });
  return { steps, walls: move.filter((action) => action.kind === "wall") };
}
