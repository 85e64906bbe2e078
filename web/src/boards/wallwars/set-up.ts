// Setting up a Wallwars position by hand: pawns are put on cells, walls on edges. Player 1 has the first turn.
// Called by the board element.
import * as texts from "#texts/boards/wallwars";
import type { Config, SetUp } from "../../boards";
import type { Point } from "../common/arrows";
import type { Spot } from "../common/placing";
import { UNIT, centre } from "./geometry";
import { cellAt, edgeAt, type NamedEdge } from "./meant";
import { cellName, type Cell } from "./notation";
import type { WallwarsView } from "./scene";

type Pawns = WallwarsView["pawns"];
type Wall = WallwarsView["walls"][number];

const PLAYERS = ["p1", "p2"] as const;
const PIECES = ["cat", "mouse", "home"] as const;
const WALL = "wall";

export const setUp: SetUp<WallwarsView> = {
  members: ["boardWidth", "boardHeight", "initialState", "seed"],

  tools: ({ pawns }) => [
    ...PLAYERS.flatMap((player, seat) =>
      PIECES.filter((piece) => pawns[player][piece] !== undefined).map((piece) => ({
        name: `${player} ${piece}`,
        title: texts.place(seat + 1, piece),
      })),
    ),
    { name: `${WALL} 1`, title: texts.placeWall(1) },
    { name: `${WALL} 2`, title: texts.placeWall(2) },
    { name: WALL, title: texts.neutralWall },
    { name: "clear", title: texts.removeWalls, isInstant: true },
  ],

  configOf: (view) => configWith(view, view.pawns, view.walls),

  spots(view, tool) {
    const isWall = tool.startsWith(WALL);
    const cells = cellsOf(view).map((cell) => ({ ...cellSpot(view, cell), isPassage: isWall }));
    return isWall ? [...cells, ...cellsOf(view).flatMap((cell) => edgeSpots(view, cell))] : cells;
  },

  after(view, tool, point) {
    if (tool === "clear") return configWith(view, view.pawns, []);
    if (point === null) return null;
    const [what = "", detail] = tool.split(" ");
    return what === WALL ? withWall(view, detail, point) : withPawn(view, what, detail ?? "", point);
  },
};

function cellsOf({ boardWidth, boardHeight }: WallwarsView): Cell[] {
  return Array.from({ length: boardWidth * boardHeight }, (_, index) => ({
    row: Math.floor(index / boardWidth),
    column: index % boardWidth,
  }));
}

function cellSpot({ pawns, boardHeight }: WallwarsView, cell: Cell): Spot {
  const here = PLAYERS.flatMap((player, seat) =>
    PIECES.filter((piece) => {
      const [row, column] = pawns[player][piece] ?? [];
      return row === cell.row && column === cell.column;
    }).map((piece) => texts.pieceOf(piece, seat + 1)),
  );
  return { point: centre(cell), name: [cellName(cell, boardHeight), ...here].join(", ") };
}

/** The edges that a cell names: to the right of it and above, but for the border. */
function edgeSpots(view: WallwarsView, cell: Cell): Spot[] {
  const { x, y } = centre(cell);
  const name = cellName(cell, view.boardHeight);
  const spot = (edge: NamedEdge, where: string, point: Point): Spot => {
    const wall = view.walls.find((one) => isAt(one, edge));
    const there =
      wall === undefined ? "" : wall.playerId === undefined ? texts.wallThere : texts.wallOf(wall.playerId);
    return { point, name: where + there };
  };
  const right = spot({ sign: ">", cell }, texts.rightOf(name), { x: x + UNIT / 2, y });
  const above = spot({ sign: "^", cell }, texts.above(name), { x, y: y - UNIT / 2 });
  return [...(cell.column + 1 < view.boardWidth ? [right] : []), ...(cell.row > 0 ? [above] : [])];
}

function configWith(view: WallwarsView, pawns: Pawns, walls: readonly Wall[]): Config {
  const { boardWidth, boardHeight, turnsToSurvive, mouseCanMove } = view;
  const initialState =
    turnsToSurvive === undefined
      ? { pawns, walls }
      : { cat: pawns.p1.cat, mouse: pawns.p2.mouse, turnsToSurvive, mouseCanMove, walls };
  return { boardWidth, boardHeight, initialState };
}

function withPawn(view: WallwarsView, player: string, piece: string, point: Point): Config | null {
  const cell = cellAt(point, view);
  if (cell === null || (player !== "p1" && player !== "p2")) return null;
  const moved = { ...view.pawns[player], [piece]: [cell.row, cell.column] };
  return configWith(view, { ...view.pawns, [player]: moved }, view.walls);
}

/** Puts a wall on the nearest edge, or removes the one there. */
function withWall(view: WallwarsView, owner: string | undefined, point: Point): Config | null {
  const cell = cellAt(point, view);
  const edge = cell === null ? null : edgeAt(point, cell, Infinity);
  if (edge === null) return null;
  const others = view.walls.filter((wall) => !isAt(wall, edge));
  const wall: Wall = {
    cell: [edge.cell.row, edge.cell.column],
    orientation: orientationOf(edge),
    ...(owner === undefined ? {} : { playerId: Number(owner) }),
  };
  return configWith(view, view.pawns, others.length < view.walls.length ? others : [...others, wall]);
}

function orientationOf({ sign }: NamedEdge): Wall["orientation"] {
  return sign === ">" ? "vertical" : "horizontal";
}

function isAt({ cell: [row, column], orientation }: Wall, edge: NamedEdge): boolean {
  return row === edge.cell.row && column === edge.cell.column && orientation === orientationOf(edge);
}
