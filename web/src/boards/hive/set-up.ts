// Setting up a Hive position by hand: pieces are put on cells, or on top of others, whatever the rules say about how they
// could have come there. Called by the board element.
import * as texts from "#texts/boards/hive";
import type { Config, SetUp, Tool } from "../../boards";
import type { Point } from "../common/arrows";
import type { Spot } from "../common/placing";
import { centre, nearestCell } from "./geometry";
import { describeStack, kindName, parsePiece, seatName, type Cell } from "./notation";
import { isSameCell, type HiveView } from "./scene";

type Cells = HiveView["cells"];

export const setUp: SetUp<HiveView> = {
  members: ["gameString", "cells", "toMove"],

  tools: (view) => [
    ...view.hands.flatMap((hand, seat) => hand.flatMap((name) => toolFor(view, name, seat))),
    { name: "remove", title: texts.removePiece },
    { name: "turn", title: texts.giveTurn(seatName(1 - view.toMove)), isInstant: true },
    { name: "clear", title: texts.emptyBoard, isInstant: true },
  ],

  configOf: (view) => configWith(view.cells, view.toMove),

  spots: ({ cells }, tool) => [
    ...cells.map((cell) =>
      spotAt(cell, describeStack(cell.pieces.flatMap((name) => parsePiece(name) ?? []))),
    ),
    ...(tool === "remove" ? [] : emptyAround(cells)).map((cell) =>
      spotAt(cell, texts.emptyCell(cell.q, cell.r)),
    ),
  ],

  after({ cells, toMove }, tool, point) {
    if (tool === "clear") return {};
    if (tool === "turn") return configWith(cells, 1 - toMove);
    return point === null ? null : configWith(withClick(cells, tool, point), toMove);
  },
};

function toolFor({ reserve }: HiveView, name: string, seat: number): Tool[] {
  const piece = parsePiece(name);
  if (piece === null) return [];
  return [{ name: kindOf(name), title: texts.left(kindName(piece), reserve[seat]?.[piece.bug] ?? 0) }];
}

const NEIGHBOURS = [
  [1, 0],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [0, -1],
  [1, -1],
] as const;

/** The empty cells beside pieces; without any, the one in the middle. */
function emptyAround(cells: Cells): Cell[] {
  if (cells.length === 0) return [{ q: 0, r: 0 }];
  const around = cells.flatMap(({ q, r }) => NEIGHBOURS.map(([dq, dr]): Cell => ({ q: q + dq, r: r + dr })));
  const byPlace = new Map(around.map((cell) => [`${cell.q} ${cell.r}`, cell]));
  return [...byPlace.values()].filter((cell) => !cells.some((other) => isSameCell(other, cell)));
}

function spotAt(cell: Cell, name: string): Spot {
  return { point: centre(cell, false), name };
}

/** A piece without its number: the next of its kind is placed. */
function kindOf(name: string): string {
  return name.slice(0, 2);
}

function configWith(cells: Cells, toMove: number): Config {
  return cells.length === 0 ? {} : { cells, toMove };
}

function withClick(cells: Cells, tool: string, point: Point): Cells {
  const at = nearestCell(point, false);
  const there = cells.find((cell) => isSameCell(cell, at));
  const others = cells.filter((cell) => cell !== there);
  const pieces = there?.pieces ?? [];
  const changed = tool === "remove" ? pieces.slice(0, -1) : [...pieces, nextOf(cells, tool)];
  return changed.length === 0 ? others : [...others, { ...at, pieces: changed }];
}

/** The first piece of a kind that is not on the board. */
function nextOf(cells: Cells, kind: string): string {
  const placed = new Set(cells.flatMap(({ pieces }) => pieces));
  const names = [kind, ...["1", "2", "3"].map((number) => kind + number)];
  return names.find((name) => parsePiece(name) !== null && !placed.has(name)) ?? kind;
}
