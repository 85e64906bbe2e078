// Setting up a Wallwars position by hand: pawns are put on cells, walls on edges. Player 1 has the first turn.
// Called by the board element.
import type { Config, SetUp } from "../../boards";
import type { Point } from "../common/arrows";
import { cellAt, edgeAt, type NamedEdge } from "./meant";
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
        title: `Player ${seat + 1}: ${piece}`,
      })),
    ),
    { name: `${WALL} 1`, title: "Player 1: wall" },
    { name: `${WALL} 2`, title: "Player 2: wall" },
    { name: WALL, title: "Neutral wall" },
    { name: "clear", title: "Remove all walls", isInstant: true },
  ],

  configOf: (view) => configWith(view, view.pawns, view.walls),

  after(view, tool, point) {
    if (tool === "clear") return configWith(view, view.pawns, []);
    if (point === null) return null;
    const [what = "", detail] = tool.split(" ");
    return what === WALL ? withWall(view, detail, point) : withPawn(view, what, detail ?? "", point);
  },
};

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
