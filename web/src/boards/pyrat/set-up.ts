// Setting up a PyRat position by hand: players and cheese are put on cells, walls and mud between cells. Points that were
// won before are not kept. Called by the board element.
import * as texts from "#texts/boards/pyrat";
import type { Config, SetUp } from "../../boards";
import type { Point } from "../common/arrows";
import type { Spot } from "../common/placing";
import { SIZE, centreOf, isOpen, isSameCell, type Cell } from "./geometry";
import { NAMES } from "./notation";
import type { Mud, PyratView } from "./scene";

type Wall = readonly [Cell, Cell];

/** The least mud, and the most that repeated clicks lead to. */
const LEAST_MUD = 2;
const MOST_MUD = 5;

export const setUp: SetUp<PyratView> = {
  members: ["width", "height", "maxTurns", "walls", "mud", "cheeseCount", "cheese", "starts", "seed"],

  tools: () => [
    { name: "0", title: NAMES[0] },
    { name: "1", title: NAMES[1] },
    { name: "cheese", title: texts.cheese },
    { name: "wall", title: texts.wall },
    { name: "mud", title: texts.mud },
    { name: "clear", title: texts.removeWalls, isInstant: true },
  ],

  configOf: (view) => configOf(view, {}),

  spots(view, tool) {
    const isEdge = tool === "wall" || tool === "mud";
    const cells = cellsOf(view).map((cell) => ({ ...cellSpot(view, cell), isPassage: isEdge }));
    return isEdge ? [...cells, ...edgeSpots(view)] : cells;
  },

  after(view, tool, point) {
    if (tool === "clear") return configOf(view, { walls: [], mud: [] });
    if (point === null) return null;
    if (tool === "wall" || tool === "mud") {
      const edge = edgeAt(view, point);
      return edge === null
        ? null
        : configOf(view, tool === "wall" ? withWall(view, edge) : withMud(view, edge));
    }
    const cell = cellAt(view, point);
    return cell === null
      ? null
      : configOf(view, tool === "cheese" ? withCheese(view, cell) : withPlayer(view, tool, cell));
  },
};

function cellsOf({ width, height }: PyratView): Cell[] {
  return Array.from({ length: width * height }, (_, index): Cell => [
    index % width,
    Math.floor(index / width),
  ]);
}

function middleOf(cell: Cell, view: PyratView): Point {
  return centreOf(cell, { ...view, isFlipped: false });
}

function cellSpot(view: PyratView, cell: Cell): Spot {
  const players = view.players.flatMap((player, seat) =>
    isSameCell(player.cell, cell) ? (NAMES[seat] ?? []) : [],
  );
  const cheese = view.cheese.some((one) => isSameCell(one, cell)) ? [texts.cheeseThere] : [];
  return { point: middleOf(cell, view), name: [nameOf(cell), ...players, ...cheese].join(", ") };
}

/** A cell by its numbers in a configuration, which begin with 0 at the lower left. */
function nameOf([x, y]: Cell): string {
  return `(${x}, ${y})`;
}

/** The edges between cells of the board, each with what is on it. */
function edgeSpots(view: PyratView): Spot[] {
  const depths = new Map(view.mud.map((mud) => [`${mud[0].join()} ${mud[1].join()}`, mud[2]]));
  return edgesOf(view).map(({ edge, isWall }) => {
    const [one, other] = edge.map((cell) => middleOf(cell, view)) as [Point, Point];
    const depth = depths.get(`${edge[0].join()} ${edge[1].join()}`);
    const [first, second] = [nameOf(edge[0]), nameOf(edge[1])];
    const unwalled = depth === undefined ? texts.edge(first, second) : texts.muddyEdge(first, second, depth);
    const point = { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
    return { point, name: isWall ? texts.walledEdge(first, second) : unwalled };
  });
}

function configOf(view: PyratView, changed: Config): Config {
  const { width, height, maxTurns, turn, mud, cheese, players } = view;
  const starts = players.map(({ cell }) => cell);
  return {
    width,
    height,
    maxTurns: Math.max(1, maxTurns - turn),
    walls: wallsIn(view),
    mud,
    cheese,
    starts,
    ...changed,
  };
}

/** The edges between cells of the board, each with its left or lower cell first. */
function edgesOf(view: PyratView): { readonly edge: Wall; readonly isWall: boolean }[] {
  const { exits, width, height } = view;
  return cellsOf(view).flatMap(([x, y]) => [
    ...(x + 1 < width
      ? [
          {
            edge: [
              [x, y],
              [x + 1, y],
            ] as const,
            isWall: !isOpen(exits, [x, y], "RIGHT"),
          },
        ]
      : []),
    ...(y + 1 < height
      ? [
          {
            edge: [
              [x, y],
              [x, y + 1],
            ] as const,
            isWall: !isOpen(exits, [x, y], "UP"),
          },
        ]
      : []),
  ]);
}

function wallsIn(view: PyratView): Wall[] {
  return edgesOf(view).flatMap(({ edge, isWall }) => (isWall ? [edge] : []));
}

function cellAt({ width, height }: PyratView, point: Point): Cell | null {
  const [x, y] = [Math.floor(point.x / SIZE), height - 1 - Math.floor(point.y / SIZE)];
  return x >= 0 && y >= 0 && x < width && y < height ? [x, y] : null;
}

/** The nearest edge between two cells of the board. */
function edgeAt(view: PyratView, point: Point): Wall | null {
  const cell = cellAt(view, point);
  if (cell === null) return null;
  const [x, y] = cell;
  const [right, up] = [point.x / SIZE - x, view.height - y - point.y / SIZE];
  const edges = [
    { gap: 1 - right, wall: [cell, [x + 1, y]] as const },
    { gap: right, wall: [[x - 1, y], cell] as const },
    { gap: 1 - up, wall: [cell, [x, y + 1]] as const },
    { gap: up, wall: [[x, y - 1], cell] as const },
  ];
  const isInside = ({ wall }: { readonly wall: Wall }): boolean =>
    wall.every(([column, row]) => column >= 0 && row >= 0 && column < view.width && row < view.height);
  return edges.filter(isInside).toSorted((one, other) => one.gap - other.gap)[0]?.wall ?? null;
}

function isSameEdge(one: Wall | Mud, other: Wall): boolean {
  return isSameCell(one[0], other[0]) && isSameCell(one[1], other[1]);
}

/** Puts a wall on an edge instead of its mud, or removes the one there. */
function withWall(view: PyratView, edge: Wall): Config {
  const walls = wallsIn(view);
  const others = walls.filter((wall) => !isSameEdge(wall, edge));
  const mud = view.mud.filter((each) => !isSameEdge(each, edge));
  return { walls: others.length < walls.length ? others : [...others, edge], mud };
}

/** Puts mud on an edge instead of its wall; more of it with each click, and none after the most. */
function withMud(view: PyratView, edge: Wall): Config {
  const walls = wallsIn(view).filter((wall) => !isSameEdge(wall, edge));
  const others = view.mud.filter((each) => !isSameEdge(each, edge));
  const depth = (view.mud.find((each) => isSameEdge(each, edge))?.[2] ?? LEAST_MUD - 1) + 1;
  return { walls, mud: depth > MOST_MUD ? others : [...others, [...edge, depth]] };
}

function withCheese({ cheese }: PyratView, cell: Cell): Config {
  const others = cheese.filter((other) => !isSameCell(other, cell));
  return { cheese: others.length < cheese.length ? others : [...others, cell] };
}

function withPlayer({ players }: PyratView, seat: string, cell: Cell): Config {
  return { starts: players.map((player, index) => (String(index) === seat ? cell : player.cell)) };
}
