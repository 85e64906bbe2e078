// Who is who, and results as their players tell them.
import { describe, expect, it } from "vitest";
import type { Seat } from "../src/api/shapes";
import { outcomeText, playerName, withNames } from "../src/state/labels";
import { moversOf } from "../src/state/moves";

const human = (seat: number, name?: string): Seat => ({
  seat,
  kind: "human",
  ...(name === undefined ? {} : { name }),
});
const bot = (seat: number): Seat => ({ seat, kind: "bot", name: "Plyhouse easy" });

describe("names", () => {
  const names = (seats: readonly Seat[], places?: readonly string[]): string[] =>
    withNames(seats, places).map((seat) => playerName(seat, null));

  it("tell players of one name apart, by the game's names of the seats or their numbers", () => {
    expect(names([bot(0), bot(1)], ["Rat", "Python"])).toEqual([
      "Plyhouse easy (Rat)",
      "Plyhouse easy (Python)",
    ]);
    expect(names([human(0, "Ada"), bot(1), human(2, "Ada")])).toEqual([
      "Ada (1)",
      "Plyhouse easy",
      "Ada (3)",
    ]);
  });

  it("are those of the seats for players without one", () => {
    expect(names([human(0), human(1)], ["White", "Black"])).toEqual(["White", "Black"]);
    expect(names([human(0), human(1)])).toEqual(["Player 1", "Player 2"]);
  });
});

describe("results", () => {
  const two = [human(0, "Ada"), human(1, "Bo")];
  const three = [...two, human(2, "Cy")];
  const told = (seats: readonly Seat[], winners: number[], reason: string): string =>
    outcomeText({ winners, reason }, seats, 0, { capture: "by capture" });

  it.each([
    [[1], "timeout", "You lost on time."],
    [[1], "resignation", "You lost by resignation."],
    [[1], "disconnect", "You lost because you had left."],
    [[1], "capture", "You lost: Bo won by capture."],
    [[0], "capture", "You won by capture."],
    [[0], "timeout", "You won on time."],
    [[], "draw-agreement", "Draw by agreement."],
  ])("with the winners %j by %s: %s", (winners, reason, text) => {
    expect(told(two, winners, reason)).toBe(text);
  });

  it("of games for more than two do not blame the loser", () => {
    expect(told(three, [1], "resignation")).toBe("You lost: Bo won by resignation.");
    expect(told(three, [1, 0], "capture")).toBe("You and Bo won by capture.");
  });
});

it("knows who made each move, also after somebody has left", () => {
  expect(moversOf(["a", "b", "c", "d"], 3)).toEqual([0, 1, 2, 0]);
  expect(moversOf(["a", "!1", "b", "c", "d"], 3)).toEqual([0, 2, 0, 2]);
  expect(moversOf(["!0", "!1", "a", "b"], 3)).toEqual([2, 2]);
});
