// Where things lie on an unturned tile: outlines of cities, courses of roads, and the points for meeples, pennants and
// houses. All of it follows from the tile's row in the table. A tile is SIZE units wide, its middle is the origin and y
// grows downwards. Called by the drawings and the scene.
import type { Point } from "../common/arrows";
import { EDGES, type Segment, type TileRow } from "./tiles";

export const SIZE = 100;
const HALF = SIZE / 2;

/** Half of the width of a road. */
const ROAD = 5.5;
/** Half of the side of a monastery with its yard. */
export const YARD = 15;
/** Radius of the place in which roads end. */
export const VILLAGE = 10;

const DIRECTIONS: readonly Point[] = [
  { x: 0, y: -1 },
  { x: 1, y: 0 },
  { x: 0, y: 1 },
  { x: -1, y: 0 },
];

export interface TileLayout {
  /** Outlines of the cities, closed. */
  readonly cities: readonly (readonly Point[])[];
  /** The parts of these outlines inside the tile. */
  readonly walls: readonly (readonly Point[])[];
  /** Courses of the roads. */
  readonly roads: readonly (readonly Point[])[];
  readonly centre: "monastery" | "village" | null;
  /** Where a meeple stands, by segment. */
  readonly spots: readonly Point[];
  readonly pennants: readonly Point[];
  readonly houses: readonly Point[];
}

/** The layout of a tile. Costs some milliseconds: callers keep it. */
export function layoutOf({ segments }: TileRow): TileLayout {
  const cities = segments.map((segment) => (segment.kind === "city" ? cityOutline(edgesOf(segment)) : []));
  const roads = segments.map((segment) => (segment.kind === "road" ? roadCourse(edgesOf(segment)) : []));
  const centre = centreOf(segments);
  const raster = new Raster(segments, cities, roads, centre);
  const spots = segments.map((_, index) => raster.middle(index));
  const pennants = segments.flatMap(({ pennant }, index) =>
    pennant === true ? (raster.farFrom(index, spots[index] ?? ORIGIN) ?? []) : [],
  );
  return {
    cities: cities.filter(({ length }) => length > 0),
    walls: segments.flatMap((segment) => (segment.kind === "city" ? cityWalls(edgesOf(segment)) : [])),
    roads: roads.filter(({ length }) => length > 0),
    centre,
    spots,
    pennants,
    houses: segments.flatMap(({ kind }, index) =>
      kind === "city" ? raster.scatter(index, [...spots, ...pennants]) : [],
    ),
  };
}

/** A point of an unturned tile after its tile was turned clockwise by so many degrees. */
export function turned({ x, y }: Point, rotation: number): Point {
  return [
    { x, y },
    { x: -y, y: x },
    { x: -x, y: -y },
    { x: y, y: -x },
  ][rotation / 90] as Point;
}

const ORIGIN: Point = { x: 0, y: 0 };

/** The indices in `EDGES` that a city or a road touches. */
function edgesOf({ touches = "" }: Segment): number[] {
  return Array.from(touches, (edge) => EDGES.indexOf(edge)).sort();
}

function centreOf(segments: readonly Segment[]): TileLayout["centre"] {
  if (segments.some(({ kind }) => kind === "monastery")) return "monastery";
  const ends = segments.filter((segment) => segment.kind === "road" && edgesOf(segment).length === 1);
  return ends.length > 1 ? "village" : null;
}

// ---- cities and roads ------------------------------------------------------------------------

/** The edges of the tile that belong to the city, joined by its walls. */
function cityOutline(edges: readonly number[]): Point[] {
  return edges.flatMap((edge, index) => [corner(edge), ...(wallAfter(edges, index) ?? [corner(edge + 1)])]);
}

function cityWalls(edges: readonly number[]): Point[][] {
  return edges.flatMap((_, index) => {
    const wall = wallAfter(edges, index);
    return wall === null ? [] : [wall];
  });
}

/** The wall from one edge of the city to the next one; null if they touch. */
function wallAfter(edges: readonly number[], index: number): Point[] | null {
  const edge = edges[index] ?? 0;
  const next = edges[(index + 1) % edges.length] ?? edge;
  const gap = (next - edge + 3) % 4;
  return gap === 0 ? null : bend(corner(edge + 1), wallBend(edges, edge, gap), corner(next));
}

/** The corner of the tile clockwise before an edge. */
function corner(edge: number): Point {
  const [a, b] = [direction(edge), direction(edge + 3)];
  return { x: HALF * (a.x + b.x), y: HALF * (a.y + b.y) };
}

function direction(edge: number): Point {
  return DIRECTIONS[edge % 4] ?? ORIGIN;
}

/** How far a wall bends, for `gap` edges without city after `edge`. */
function wallBend(edges: readonly number[], edge: number, gap: number): Point {
  if (gap === 1) return scaled(direction(edge + 1), 8);
  return scaled(sum(edges.map(direction)), gap === 2 ? 13 : 5);
}

function roadCourse(edges: readonly number[]): Point[] {
  const ends = edges.map((edge) => scaled(direction(edge), HALF));
  const [from = ORIGIN, to = ORIGIN] = ends;
  return bend(from, scaled(sum(edges.map(direction)), edges.length === 2 ? 7 : 0), to);
}

/** Points of a quadratic curve, both ends included. */
function bend(from: Point, control: Point, to: Point): Point[] {
  const steps = 12;
  return Array.from({ length: steps + 1 }, (_, index) => {
    const t = index / steps;
    return sum([scaled(from, (1 - t) ** 2), scaled(control, 2 * t * (1 - t)), scaled(to, t ** 2)]);
  });
}

function sum(points: readonly Point[]): Point {
  return points.reduce((a, b) => ({ x: a.x + b.x, y: a.y + b.y }), ORIGIN);
}

function scaled({ x, y }: Point, factor: number): Point {
  return { x: x * factor, y: y * factor };
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

// ---- which segment lies where ----------------------------------------------------------------

const STEPS = 30;
const STEP = SIZE / STEPS;
/** No segment: the village. */
const NOBODY = -1;
/** Not known yet: a field. */
const BLANK = -2;

/** The tile as a grid of STEPS × STEPS points, each with the index of its segment. */
class Raster {
  private readonly owners: number[];
  /** How deep each point lies in its segment, in steps. */
  private readonly depths: number[];

  constructor(
    segments: readonly Segment[],
    cities: readonly (readonly Point[])[],
    roads: readonly (readonly Point[])[],
    centre: TileLayout["centre"],
  ) {
    const monastery = segments.findIndex(({ kind }) => kind === "monastery");
    this.owners = indices().map((index) => {
      const at = pointOf(index);
      if (monastery >= 0 && Math.max(Math.abs(at.x), Math.abs(at.y)) <= YARD) return monastery;
      const city = cities.findIndex((outline) => isInside(at, outline));
      if (city >= 0) return city;
      if (centre === "village" && distance(at, ORIGIN) <= VILLAGE) return NOBODY;
      const road = roads.findIndex((course) => course.some((point) => distance(point, at) <= ROAD));
      return road >= 0 ? road : BLANK;
    });
    this.fillFields(segments);
    this.depths = this.measure();
  }

  /** Fields spread from the edges that they touch until they meet something. */
  private fillFields(segments: readonly Segment[]): void {
    const queue = segments.flatMap(({ kind, touches = "" }, owner) =>
      kind === "field" ? seeds(touches).map((at) => [indexOf(at), owner] as const) : [],
    );
    for (const [index, owner] of queue) {
      if (this.owners[index] !== BLANK) continue;
      this.owners[index] = owner;
      queue.push(...beside(index).map((next) => [next, owner] as const));
    }
  }

  private measure(): number[] {
    const depths = this.owners.map(() => Infinity);
    const queue = indices().filter((index) => {
      const others = beside(index);
      return others.length < 4 || others.some((other) => this.owners[other] !== this.owners[index]);
    });
    for (const index of queue) depths[index] = 1;
    for (const index of queue) {
      for (const next of beside(index)) {
        if (depths[next] !== Infinity) continue;
        depths[next] = (depths[index] ?? 0) + 1;
        queue.push(next);
      }
    }
    return depths;
  }

  /** The deepest point of a segment; of several, the one nearest to the middle of all of them. */
  middle(owner: number): Point {
    const own = this.pointsOf(owner, 0);
    const most = Math.max(...own.map(({ depth }) => depth));
    const deepest = own.filter(({ depth }) => depth >= most - 0.5);
    const average = scaled(sum(deepest), 1 / Math.max(1, deepest.length));
    return nearest(average, deepest) ?? ORIGIN;
  }

  /** A point well inside a segment, as far as possible from another point. */
  farFrom(owner: number, from: Point): Point | undefined {
    const inside = this.pointsOf(owner, 4);
    return inside.toSorted((a, b) => distance(b, from) - distance(a, from))[0];
  }

  /** Points well inside a segment, away from each other and from those given. */
  scatter(owner: number, taken: readonly Point[]): Point[] {
    const found: Point[] = [];
    for (const point of this.pointsOf(owner, 3)) {
      if ([...taken, ...found].every((other) => distance(point, other) >= 21)) found.push(point);
    }
    return found;
  }

  private pointsOf(owner: number, depth: number): (Point & { depth: number })[] {
    return indices()
      .filter((index) => this.owners[index] === owner && (this.depths[index] ?? 0) >= depth)
      .map((index) => ({ ...pointOf(index), depth: this.depths[index] ?? 0 }));
  }
}

function indices(): number[] {
  return Array.from({ length: STEPS * STEPS }, (_, index) => index);
}

function pointOf(index: number): Point {
  const [column, row] = [index % STEPS, Math.floor(index / STEPS)];
  return { x: (column + 0.5) * STEP - HALF, y: (row + 0.5) * STEP - HALF };
}

function indexOf({ x, y }: Point): number {
  const cell = (value: number): number => Math.min(STEPS - 1, Math.max(0, Math.floor((value + HALF) / STEP)));
  return cell(y) * STEPS + cell(x);
}

function beside(index: number): number[] {
  const column = index % STEPS;
  return [
    ...(column > 0 ? [index - 1] : []),
    ...(column < STEPS - 1 ? [index + 1] : []),
    ...(index >= STEPS ? [index - STEPS] : []),
    ...(index < STEPS * (STEPS - 1) ? [index + STEPS] : []),
  ];
}

/** The middles of the half edges that a field touches. */
function seeds(touches: string): Point[] {
  return touches.split(" ").flatMap((edge) => {
    const at = EDGES.indexOf(edge.charAt(0));
    const sides = edge.length > 1 ? [EDGES.indexOf(edge.charAt(2))] : [at + 1, at + 3];
    return sides.map((side) => sum([scaled(direction(at), HALF - 1), scaled(direction(side), HALF / 2)]));
  });
}

function nearest<At extends Point>(to: Point, points: readonly At[]): At | undefined {
  return points.toSorted((a, b) => distance(a, to) - distance(b, to))[0];
}

/** By the number of sides that a ray to the east crosses. */
function isInside({ x, y }: Point, outline: readonly Point[]): boolean {
  const crossed = outline.filter((a, index) => {
    const b = outline[(index + 1) % outline.length] ?? a;
    return a.y > y !== b.y > y && x < a.x + ((b.x - a.x) * (y - a.y)) / (b.y - a.y);
  });
  return crossed.length % 2 === 1;
}
