import { expect, it } from "vitest";
import type { Position } from "../src/api/shapes";
import { withHistory } from "../src/state/history";

function position(history: string, historyFrom?: number): Position {
  const from = historyFrom === undefined ? {} : { historyFrom };
  const moves = history.split(" ");
  const ply = (historyFrom ?? 0) + moves.length;
  return {
    ply,
    toAct: [],
    status: "playing",
    view: {},
    legal: [],
    canFinish: false,
    clocks: [],
    history: moves,
    ...from,
  };
}

it.each([
  ["the whole history", "", position("a b c"), "a b c"],
  ["the whole history of a shortened frame", "x y z", position("a b c", 0), "a b c"],
  ["the next move", "a b c d", position("c d e", 2), "a b c d e"],
  ["several moves", "a b c d", position("c d e f g", 2), "a b c d e f g"],
  ["a move taken back", "a b c d", position("b c", 1), "a b c"],
  ["the same again", "a b c d", position("c d", 2), "a b c d"],
  ["moves that nothing is known before", "", position("c d", 2), undefined],
  ["moves after a gap", "a b c", position("e f", 4), undefined],
  [
    "moves right after those that are known, which may be others by now",
    "a b c",
    position("d e", 3),
    undefined,
  ],
  ["other moves", "a b c d", position("x d", 2), undefined],
])("takes %s", (_, known, next, history) => {
  const whole = withHistory(next, known.split(" "));
  expect(whole?.history.join(" ")).toBe(history);
  expect(whole?.historyFrom).toBeUndefined();
});
