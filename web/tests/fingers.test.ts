// The meaning of a click on a board, by the touches before it.
import { beforeEach, describe, expect, it } from "vitest";
import { closest } from "../src/boards/common/arrows";
import { Fingers } from "../src/boards/common/fingers";

let fingers: Fingers;

beforeEach(() => {
  fingers = new Fingers();
});

function finger(pointerId: number, clientX: number, clientY: number, pointerType = "touch"): PointerEvent {
  return { pointerType, pointerId, isPrimary: pointerId === 1, clientX, clientY } as PointerEvent;
}

const click = { detail: 1 } as MouseEvent;

describe("a click", () => {
  it.each([
    [0, 0, "tap"],
    [6, 8, "tap"],
    [0, 11, "swipe"],
    [-11, 0, "swipe"],
  ])("after a finger has moved by %i, %i is a %s", (x, y, meaning) => {
    fingers.onDown(finger(1, 100, 100));
    fingers.onMove(finger(1, 100 + x, 100 + y));
    fingers.onUp(finger(1, 100, 100));
    expect(fingers.clickOf(click)).toBe(meaning);
  });

  it("with two fingers down is a swipe, whichever is lifted first", () => {
    fingers.onDown(finger(1, 100, 100));
    fingers.onDown(finger(2, 200, 100));
    fingers.onUp(finger(1, 100, 100));
    fingers.onUp(finger(2, 200, 100));
    expect(fingers.clickOf(click)).toBe("swipe");
  });

  it("is a swipe once the browser pans", () => {
    fingers.onDown(finger(1, 100, 100));
    fingers.onCancel(finger(1, 0, 0));
    expect(fingers.clickOf(click)).toBe("swipe");
  });

  it("is a tap again with the next finger, even if the last one was lifted elsewhere", () => {
    fingers.onDown(finger(1, 100, 100));
    fingers.onMove(finger(1, 200, 100));
    fingers.onDown(finger(1, 100, 100));
    expect(fingers.clickOf(click)).toBe("tap");
  });

  it("is a press by mouse, and without a pointer", () => {
    fingers.onDown(finger(1, 100, 100));
    expect(fingers.clickOf({ detail: 0 } as MouseEvent)).toBe("press");
    fingers.onDown(finger(1, 100, 100, "mouse"));
    expect(fingers.clickOf(click)).toBe("press");
  });
});

it("finds the closest point in any direction", () => {
  const points = [
    { x: 0, y: 0 },
    { x: 10, y: 10 },
    { x: 10, y: 20 },
  ];
  expect(
    [
      { x: 9, y: 4 },
      { x: 1, y: 6 },
      { x: 40, y: 40 },
    ].map((to) => closest(to, points)),
  ).toEqual([1, 0, 2]);
  expect(closest({ x: 0, y: 0 }, [])).toBeNull();
});
