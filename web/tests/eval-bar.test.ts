// <eval-bar> in all its states: what it says, and that a value is shown only where there is one to show.
import { afterEach, expect, it } from "vitest";
import { EvalBar } from "../src/elements/eval-bar";
import type { EvalStatus } from "../src/state/evaluation";

afterEach(() => {
  document.body.replaceChildren();
});

async function draw(status: EvalStatus, value: number | null, below = 0): Promise<ShadowRoot> {
  const bar = new EvalBar();
  bar.status = status;
  bar.value = value;
  bar.below = below;
  document.body.append(bar);
  await bar.updateComplete;
  return bar.shadowRoot ?? expect.unreachable();
}

it.each<[EvalStatus, number | null, string, boolean]>([
  ["off", 0.5, "off", false],
  ["connecting", null, "connecting", false],
  ["pending", null, "thinking", false],
  ["pending", 0.5, "0.5, thinking", true],
  ["live", 0.5, "0.5", true],
  ["live", -0.04, "0.0", true],
  ["frozen", 0.5, "0.5, not up to date", true],
  ["forbidden", 0.5, "not available for this game", false],
])("shows %s with %s as %s", async (status, value, text, isShown) => {
  const root = await draw(status, value);
  const bar = root.querySelector(".bar");
  expect(bar?.getAttribute("aria-valuetext")).toBe(text);
  expect(bar?.classList.contains("known")).toBe(isShown);
  expect(root.querySelector(".figure")?.hasAttribute("hidden")).toBe(!isShown);
  expect(root.querySelector(".no")?.hasAttribute("hidden")).toBe(status !== "forbidden");
});

it("grows from the side of the seat below", async () => {
  const share = (root: ShadowRoot): string | null =>
    root.querySelector(".fill")?.getAttribute("style") ?? null;
  expect(share(await draw("live", 0.5))).toContain("0.75");
  expect(share(await draw("live", 0.5, 1))).toContain("0.25");
});
