// Which player is shown below a board, in games of any number of seats.
import { expect, test } from "vitest";
import { seatBelow } from "../src/boards";

test.each([2, 3, 4, 5])(
  "of %d seats, the viewer's is below, and another one if the board is flipped",
  (seats) => {
    for (let own = 0; own < seats; own++) {
      expect(seatBelow(seats, false, own)).toBe(own);
      const other = seatBelow(seats, true, own);
      expect(other).not.toBe(own);
      expect(other).toBeGreaterThanOrEqual(0);
      expect(other).toBeLessThan(seats);
    }
    expect(seatBelow(seats, true)).toBe(seats - 1);
  },
);
