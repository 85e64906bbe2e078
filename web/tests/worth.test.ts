// What a position is worth, in words.
import { expect, it } from "vitest";
import { leadOf, percentage, sharesOf, signed, worthOf } from "../src/state/worth";

it("divides the whole among the seats", () => {
  expect(sharesOf(worthOf({ values: [1, 0, -1] }))).toEqual([2 / 3, 1 / 3, 0]);
  expect(sharesOf(worthOf({ values: [-1, -1, -1, -1] }))).toEqual([0.25, 0.25, 0.25, 0.25]);
  expect(sharesOf(worthOf({ values: [0, 0], chances: [0.3, 0.7] }))).toEqual([0.3, 0.7]);
});

it("compares a seat with the best of the others", () => {
  expect([0, 1, 2].map((seat) => leadOf([40, 50, 45], seat))).toEqual([-10, 5, -5]);
});

it("says 0 and 100 % only of what is certain", () => {
  expect([0, 0.001, 0.734, 0.9995, 1].map(percentage)).toEqual(["0 %", "<1 %", "73 %", ">99 %", "100 %"]);
});

it("writes signs, but none at zero", () => {
  expect([0.321, -1, 0.001, -0.004].map((value) => signed(value))).toEqual([
    "+0.32",
    "−1.00",
    "0.00",
    "0.00",
  ]);
  expect(signed(7.4, 0)).toBe("+7");
});
