// Changes that come together are drawn once.
import { expect, it } from "vitest";
import { onceAFrame } from "../src/state/once-a-frame";

const frame = (): Promise<unknown> => new Promise(requestAnimationFrame);

it("draws once a frame, however many changes there are, and again after the next change", async () => {
  let drawn = 0;
  const change = onceAFrame(() => drawn++);
  for (let count = 0; count < 200; count++) change();
  expect(drawn).toBe(0);
  await frame();
  expect(drawn).toBe(1);
  await frame();
  expect(drawn).toBe(1);
  change();
  await frame();
  expect(drawn).toBe(2);
});
