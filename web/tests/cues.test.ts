// What a player hears of a change, and the words for the end of a game.
import { expect, it } from "vitest";
import { soundOf } from "../src/state/cues";
import { reasonsIn } from "../src/state/labels";

const BEFORE = { ply: 4, status: "playing", isToMove: false, points: 3 };

it.each([
  [{}, null],
  [{ ply: 5 }, "move"],
  [{ ply: 5, isToMove: true }, "turn"],
  [{ ply: 5, isToMove: true, points: 5 }, "score"],
  [{ ply: 5, status: "finished", points: 5 }, "end"],
  [{ status: "finished" }, "end"],
])("of %j one hears %s", (change, sound) => {
  expect(soundOf(BEFORE, { ...BEFORE, ...change })).toBe(sound);
});

it("words reasons as their variant means them", () => {
  const about = {
    reasons: { capture: "by capture", survival: "by holding out" },
    variantReasons: { classic: { capture: "by reaching home" } },
  };
  expect(reasonsIn(about, "standard").capture).toBe("by capture");
  expect(reasonsIn(about, "classic")).toEqual({ capture: "by reaching home", survival: "by holding out" });
  expect(reasonsIn(undefined, "classic")).toEqual({});
});
