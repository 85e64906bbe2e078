// A PyRat position for the tests of its board.
//
//   +--+--+--+
//   |  |   P |   y = 2: the Python on 2,2, held by mud for two more turns
//   +  +--+  +
//   |   R ~~ |   y = 1: the Rat on 1,1; mud of 3 turns between 1,1 and 2,1
//   +  +  +  +
//   |     |  |   y = 0
//   +--+--+--+
import type { PyratView } from "../src/boards/pyrat/scene";

export const view: PyratView = {
  width: 3,
  height: 3,
  maxTurns: 30,
  turn: 4,
  starts: [
    [0, 0],
    [2, 2],
  ],
  exits: ["391", "7ed", "42c"],
  mud: [[[1, 1], [2, 1], 3]],
  cheese: [
    [0, 2],
    [2, 0],
  ],
  totalCheese: 5,
  players: [
    { cell: [1, 1], mud: 0, score: 1.5 },
    { cell: [2, 2], mud: 2, score: 1.5 },
  ],
};

/** What the Rat may do. */
export const LEGAL = ["RIGHT", "DOWN", "LEFT", "STAY"];
