// What is visible of a game: the server's view with the last turn, the suggested one and the steps to pick, as plain
// lists to draw. Knows neither rules nor SVG. Called by the board element.
import * as texts from "#texts/boards/pyrat";
import { isOpen, isSameCell, origin, stepped, type Cell } from "./geometry";
import { DIRECTIONS, describeDirection, parseDirection, parseTurn, type Direction } from "./notation";

/** Mud between two cells, and its cost in turns. */
export type Mud = readonly [Cell, Cell, number];

export interface Player {
  readonly cell: Cell;
  /** For how many turns mud still holds the player. */
  readonly mud: number;
  readonly score: number;
}

/** The `view` of a PyRat position. */
export interface PyratView {
  readonly width: number;
  readonly height: number;
  readonly maxTurns: number;
  readonly turn: number;
  readonly starts: readonly Cell[];
  readonly exits: readonly string[];
  readonly mud: readonly Mud[];
  readonly cheese: readonly Cell[];
  readonly totalCheese: number;
  readonly players: readonly Player[];
}

/** One player's part of a turn. */
export interface Step {
  readonly seat: number;
  readonly from: Cell;
  /** The same as `from` if the player stays. */
  readonly to: Cell;
}

/** The steps that led to the view; none if the text is not a turn. */
export function stepsBefore({ players }: PyratView, turn: string | null): Step[] {
  const directions = turn === null ? null : parseTurn(turn);
  return (directions ?? []).flatMap((direction, seat) => {
    const to = players[seat]?.cell;
    return to === undefined ? [] : [{ seat, from: origin(to, direction), to }];
  });
}

/** The steps of a turn that starts in the view; none if the text is not a turn. */
export function stepsAfter({ players }: PyratView, turn: string | null): Step[] {
  const directions = turn === null ? null : parseTurn(turn);
  return (directions ?? []).flatMap((direction, seat) => stepFrom(players, seat, direction));
}

/** One seat's step in the view; none if the text is not a direction. */
export function stepOf({ players }: PyratView, seat: number, text: string | null): Step[] {
  const direction = text === null ? null : parseDirection(text);
  return direction === null ? [] : stepFrom(players, seat, direction);
}

function stepFrom(players: readonly Player[], seat: number, direction: Direction): Step[] {
  const from = players[seat]?.cell;
  return from === undefined ? [] : [{ seat, from, to: stepped(from, direction) }];
}

/** The view with a seat's player where its step leads. */
export function afterStep(view: PyratView, seat: number, text: string | null): PyratView {
  const [step] = stepOf(view, seat, text);
  if (step === undefined) return view;
  const players = view.players.map((player, index) =>
    index === seat ? { ...player, cell: step.to } : player,
  );
  return { ...view, players };
}

/** The open directions of a seat's player, whatever mud there is. */
export function directionsFrom({ players, exits }: PyratView, seat: number): Direction[] {
  const cell = players[seat]?.cell;
  return cell === undefined
    ? []
    : DIRECTIONS.filter((direction) => direction === "STAY" || isOpen(exits, cell, direction));
}

export function stays({ from, to }: Step): boolean {
  return isSameCell(from, to);
}

/** A cell that can be picked. */
export interface Target {
  readonly direction: Direction;
  readonly cell: Cell;
  /** Its label: "Up", "Up, through mud for 3 turns", "Stay". */
  readonly name: string;
}

/** The cells that a seat's legal directions lead to. */
export function targetsOf(view: PyratView, seat: number, legal: readonly string[]): Target[] {
  const player = view.players[seat];
  if (player === undefined) return [];
  return legal.flatMap((text) => {
    const direction = parseDirection(text);
    if (direction === null) return [];
    const cell = stepped(player.cell, direction);
    return [{ direction, cell, name: nameOf(view, player, direction, cell) }];
  });
}

function nameOf({ mud }: PyratView, player: Player, direction: Direction, cell: Cell): string {
  const name = describeDirection(direction);
  if (direction === "STAY") return player.mud === 0 ? name : `${name}, ${texts.held(player.mud)}`;
  const between = mud.find(
    ([one, other]) =>
      (isSameCell(one, player.cell) && isSameCell(other, cell)) ||
      (isSameCell(other, player.cell) && isSameCell(one, cell)),
  );
  return between === undefined ? name : texts.throughMud(name, between[2]);
}

/** Where two players on one cell stand beside its middle, in cells: the first one to the left. */
export function asideOf(players: readonly Player[], seat: number): number {
  const [first, second] = players;
  if (first === undefined || second === undefined || !isSameCell(first.cell, second.cell)) return 0;
  return seat === 0 ? -0.19 : 0.19;
}

/** The direction that an input means: where only staying is possible, any. Null if the way is blocked. */
export function meant(legal: readonly string[], direction: Direction): Direction | null {
  if (legal.includes(direction)) return direction;
  return legal.length === 1 && legal[0] === "STAY" ? "STAY" : null;
}
