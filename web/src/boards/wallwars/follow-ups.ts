// The actions that can follow others in a turn, as the server lists them: the second action needs no request. Pure.
// Called by the board element; a test compares it with the rules.
import type { Point } from "../common/arrows";
import { cellName, type Action, type Cell, type PawnKind } from "./notation";
import { sameCell, type WallwarsView } from "./scene";

const ACTIONS_PER_TURN = 2;

/** An edge between two cells by its key, and the steps in the order in which the server lists them. */
type Edge = string;
const STEPS: readonly Point[] = [
  { x: 0, y: -1 },
  { x: 1, y: 0 },
  { x: 0, y: 1 },
  { x: -1, y: 0 },
];

type Pawns = Partial<Record<PawnKind | "home", Cell>>;

interface Turn {
  readonly view: WallwarsView;
  readonly seat: number;
  readonly pawns: readonly Pawns[];
  readonly walls: ReadonlySet<Edge>;
}

/** The actions with which `seat` can continue its turn after those; none if the turn is complete. */
export function followUps(view: WallwarsView, seat: number, actions: readonly Action[]): string[] {
  if (actions.length >= ACTIONS_PER_TURN) return [];
  const turn = after(view, seat, actions);
  return [...steps(turn), ...walls(turn)];
}

function after(view: WallwarsView, seat: number, actions: readonly Action[]): Turn {
  const pawns = [view.pawns.p1, view.pawns.p2].map((own) =>
    Object.fromEntries(Object.entries(own).map(([kind, [row, column]]) => [kind, { row, column }])),
  ) as Pawns[];
  const walls = new Set(
    view.walls.map(({ orientation, cell: [row, column] }) => edge(orientation, { row, column })),
  );
  for (const action of actions) {
    if (action.kind === "wall") walls.add(edge(action.orientation, action.cell));
    else pawns[seat] = { ...pawns[seat], [action.pawn]: action.cell };
  }
  return { view, seat, pawns, walls };
}

/** A vertical edge is on the right side of its cell, a horizontal one on its top side. */
function edge(orientation: "vertical" | "horizontal", { row, column }: Cell): Edge {
  return `${orientation} ${row} ${column}`;
}

/** The edge that a step crosses. */
function crossed({ row, column }: Cell, { x, y }: Point): Edge {
  return y === 0
    ? edge("vertical", { row, column: x > 0 ? column : column - 1 })
    : edge("horizontal", { row: y > 0 ? row + 1 : row, column });
}

function neighbours({ view, walls }: Turn, cell: Cell): { cell: Cell; over: Edge }[] {
  return STEPS.flatMap((way) => {
    const [row, column] = [cell.row + way.y, cell.column + way.x];
    const isOnBoard = row >= 0 && column >= 0 && row < view.boardHeight && column < view.boardWidth;
    const over = crossed(cell, way);
    return isOnBoard && !walls.has(over) ? [{ cell: { row, column }, over }] : [];
  });
}

function steps(turn: Turn): string[] {
  const own = turn.pawns[turn.seat] ?? {};
  const isMouseFree = turn.view.mouseCanMove !== false;
  return (["cat", "mouse"] as const).flatMap((pawn) => {
    const at = own[pawn];
    if (at === undefined || (pawn === "mouse" && !isMouseFree)) return [];
    const sign = pawn === "cat" ? "C" : "M";
    return neighbours(turn, at).map(({ cell }) => sign + cellName(cell, turn.view.boardHeight));
  });
}

/** The walls that leave every cat a way to its goal. Only an edge on a way can be the last one of all ways. */
function walls(turn: Turn): string[] {
  const { boardWidth, boardHeight } = turn.view;
  const closed = new Set([...turn.walls, ...races(turn).flatMap((race) => lastEdges(turn, race))]);
  const cells = Array.from({ length: boardHeight }, (_, row) =>
    Array.from({ length: boardWidth }, (__, column) => ({ row, column })),
  ).flat();
  const free = (orientation: "vertical" | "horizontal", sign: string, among: readonly Cell[]): string[] =>
    among
      .filter((cell) => !closed.has(edge(orientation, cell)))
      .map((cell) => sign + cellName(cell, boardHeight));
  return [
    ...free(
      "vertical",
      ">",
      cells.filter(({ column }) => column < boardWidth - 1),
    ),
    ...free(
      "horizontal",
      "^",
      cells.filter(({ row }) => row > 0),
    ),
  ];
}

type Race = readonly [cat: Cell, goal: Cell];

/** Each cat with its goal: its home, or the other player's mouse. */
function races({ pawns }: Turn): Race[] {
  return pawns.flatMap(({ cat, home }, seat): Race[] => {
    const goal = home ?? pawns[1 - seat]?.mouse;
    return cat === undefined || goal === undefined ? [] : [[cat, goal]];
  });
}

function lastEdges(turn: Turn, [cat, goal]: Race): Edge[] {
  return (wayTo(turn, cat, goal) ?? []).filter((over) => {
    const walls = new Set(turn.walls).add(over);
    return wayTo({ ...turn, walls }, cat, goal) === null;
  });
}

/** The edges of a shortest way; null if there is none. */
function wayTo(turn: Turn, from: Cell, to: Cell): Edge[] | null {
  const key = ({ row, column }: Cell): number => row * turn.view.boardWidth + column;
  const reached = new Map<number, { before: Cell; over: Edge } | null>([[key(from), null]]);
  const queue = [from];
  for (const cell of queue) {
    if (sameCell(cell, to)) break;
    for (const next of neighbours(turn, cell)) {
      if (reached.has(key(next.cell))) continue;
      reached.set(key(next.cell), { before: cell, over: next.over });
      queue.push(next.cell);
    }
  }
  const way: Edge[] = [];
  let step = reached.get(key(to));
  if (step === undefined) return null;
  while (step != null) {
    way.push(step.over);
    step = reached.get(key(step.before));
  }
  return way;
}
