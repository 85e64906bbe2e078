// What can follow an action in Wallwars, compared with the rules: tests/engines/test_follow_ups.py keeps the data true.
import { expect, it } from "vitest";
import cases from "../../tests/golden/wallwars/follow-ups.json";
import { followUps } from "../src/boards/wallwars/follow-ups";
import { parseMove } from "../src/boards/wallwars/notation";
import type { WallwarsView } from "../src/boards/wallwars/scene";

it.each(cases)("lists what the rules allow after $staged in $name", ({ view, staged, legal }) => {
  const board = view as unknown as WallwarsView;
  const actions = staged === "" ? [] : parseMove(staged, board.boardHeight);
  expect(followUps(board, board.turn - 1, actions).toSorted()).toEqual(legal);
});
