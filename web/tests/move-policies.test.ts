// The policies of a simultaneous game: which moves are listed, and the element that shows them side by side.
import { afterEach, expect, it } from "vitest";
import type { Judgement, Studied } from "../src/api/analysis";
import { MoveList } from "../src/elements/move-list";
import { MovePolicies } from "../src/elements/move-policies";
import { judgementsBySeat } from "../src/state/analysis";
import { advance, NO_EVALUATIONS } from "../src/state/evaluation";
import { topMoves, type Mixture } from "../src/state/mixture";

const MIXTURE: Mixture = {
  policies: [
    { UP: 0.3, STAY: 0.004, RIGHT: 0.5, DOWN: 0.1, LEFT: 0.096 },
    { STAY: 0.5, LEFT: 0.5 },
  ],
  bestMove: "UP/LEFT",
};

afterEach(() => {
  document.body.replaceChildren();
});

it("lists the most probable moves, and marks the part of the best move", () => {
  expect(topMoves(MIXTURE, 0, 3)).toEqual([
    { move: "RIGHT", share: 0.5, isBest: false },
    { move: "UP", share: 0.3, isBest: true },
    { move: "DOWN", share: 0.1, isBest: false },
  ]);
  expect(topMoves(MIXTURE, 1, 3).map(({ move }) => move)).toEqual(["LEFT", "STAY"]);
  expect(topMoves(MIXTURE, 0, 5).map(({ move }) => move)).not.toContain("STAY");
  expect(topMoves(MIXTURE, 2, 3)).toEqual([]);
});

it("shows a column for each seat", async () => {
  const element = new MovePolicies();
  Object.assign(element, { mixture: MIXTURE, names: ["Ada", "Bo"] });
  document.body.append(element);
  await element.updateComplete;
  const root = element.shadowRoot ?? expect.unreachable();
  const rows = (column: number): (string | undefined)[] =>
    [...(root.querySelectorAll("section")[column]?.querySelectorAll("li") ?? [])].map((row) =>
      row.textContent.replaceAll(/\s+/g, " ").trim(),
    );
  expect([...root.querySelectorAll(".name")].map((name) => name.textContent)).toEqual(["Ada", "Bo"]);
  expect([rows(0), rows(1)]).toEqual([
    ["RIGHT 50 %", "UP 30 %", "DOWN 10 %"],
    ["LEFT 50 %", "STAY 50 %"],
  ]);
  expect([...root.querySelectorAll(".best .move")].map((move) => move.textContent)).toEqual(["UP", "LEFT"]);
  element.mixture = null;
  await element.updateComplete;
  expect(root.querySelectorAll("li")).toHaveLength(0);
  expect(root.querySelectorAll(".name")).toHaveLength(2);
});

it("takes the policies of a feed by ply, and drops those of turns taken back", () => {
  const entry = { evaluation: 0.5, values: [0.5, -0.5], ...MIXTURE };
  const history = { type: "eval-history", entries: [{ ply: 0, ...entry }] };
  const update = { type: "eval-update", ply: 1, ...entry, bestMove: "STAY/STAY" };
  const grown = advance(advance(NO_EVALUATIONS, history), update);
  expect(grown.mixtures.get(0)).toEqual(MIXTURE);
  expect(grown.mixtures.get(1)?.bestMove).toBe("STAY/STAY");
  expect([...advance(grown, history).mixtures.keys()]).toEqual([0]);
  const over = { type: "eval-update", ply: 2, evaluation: 1, bestMove: "" };
  expect(advance(grown, over).mixtures.has(2)).toBe(false);
});

it("marks the part of a simultaneous move that was bad", async () => {
  const judged = judgementsBySeat(
    new Map([
      [1, studied(1, null, "mistake")],
      [2, studied(2, null, null)],
    ]),
  );
  const list = new MoveList();
  Object.assign(list, { moves: ["UP/DOWN", "UP/STAY"], isSimultaneous: true, partJudgements: judged });
  document.body.append(list);
  await list.updateComplete;
  const parts = [...(list.shadowRoot ?? expect.unreachable()).querySelectorAll(".part")];
  expect(parts.map((part) => part.textContent)).toEqual(["UP", "DOWN?", "UP", "STAY"]);
});

function studied(ply: number, ...judgements: readonly (Judgement | null)[]): Studied {
  const played = judgements.map((judgement, seat) => ({ seat, loss: 0, judgement }));
  return {
    ply,
    toAct: [0, 1],
    played,
    values: [0, 0],
    bestMove: "UP/UP",
    lines: [],
    source: "native",
    samples: 9,
  };
}
