// <eval-bar> in all its states: its texts, and that it shows a value only if there is one.
import { afterEach, expect, it } from "vitest";
import { EvalBar, sharesOf } from "../src/elements/eval-bar";
import type { Basis, EvalStatus } from "../src/state/evaluation";

afterEach(() => {
  document.body.replaceChildren();
});

async function draw(status: EvalStatus, value: number | null, below = 0): Promise<ShadowRoot> {
  const bar = new EvalBar();
  bar.status = status;
  bar.values = value === null ? null : [value, -value];
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

it("names the network and its visits, if they are known and the value is shown", async () => {
  const title = async (status: EvalStatus, basis: Basis | null): Promise<string | null | undefined> => {
    const bar = new EvalBar();
    Object.assign(bar, { status, basis, values: [0.5, -0.5] });
    document.body.append(bar);
    await bar.updateComplete;
    return bar.shadowRoot?.querySelector(".bar")?.getAttribute("title");
  };
  const basis = { source: "8x8_large", samples: 1607 };
  expect(await title("live", basis)).toBe("Evaluation for the first player: 0.5 (8x8_large, 1,607 visits)");
  expect(await title("live", { source: "book", samples: 0 })).toContain("0.5 (book)");
  expect(await title("live", null)).toBe("Evaluation for the first player: 0.5");
  expect(await title("off", basis)).toBe("Evaluation for the first player: off");
});

it("grows from the side of the seat below", async () => {
  const share = (root: ShadowRoot): string | null =>
    root.querySelector(".fill")?.getAttribute("style") ?? null;
  expect(share(await draw("live", 0.5))).toContain("0.75");
  expect(share(await draw("live", 0.5, 1))).toContain("0.25");
});

it("divides the bar among more than two seats", async () => {
  expect(sharesOf([1, 0, -1])).toEqual([2 / 3, 1 / 3, 0]);
  expect(sharesOf([-1, -1, -1, -1])).toEqual([0.25, 0.25, 0.25, 0.25]);
  const bar = new EvalBar();
  Object.assign(bar, { status: "live", values: [0.5, -0.5, -1], below: 1 });
  document.body.append(bar);
  await bar.updateComplete;
  const bands = [...(bar.shadowRoot ?? expect.unreachable()).querySelectorAll<HTMLElement>(".band")];
  expect(bands.map(({ style }) => style.flexGrow)).toEqual(["0", "0.75", "0.25"]);
  const label = bar.shadowRoot?.querySelector(".bar")?.getAttribute("aria-label");
  expect(label).toBe("Evaluation: player 1 75 %, player 2 25 %, player 3 0 %");
});

it("shows what the values are worth, and the value as a figure", async () => {
  const bar = new EvalBar();
  Object.assign(bar, { status: "live", values: [0.3, -0.3], chances: [0.8, 0.2], below: 1 });
  document.body.append(bar);
  await bar.updateComplete;
  const root = bar.shadowRoot ?? expect.unreachable();
  expect(root.querySelector(".fill")?.getAttribute("style")).toContain("0.2");
  expect(root.querySelector(".figure")?.textContent.trim()).toBe("0.3");
  expect(root.querySelector(".bar")?.getAttribute("aria-valuetext")).toBe("0.3, expected score 80 %");
});
