// <eval-bar> in all its states: its texts, and that it shows a value only if there is one.
import { afterEach, expect, it } from "vitest";
import { EvalBar } from "../src/elements/eval-bar";
import type { Basis, EvalStatus } from "../src/state/evaluation";
import { worthOf, type SentWorth, type Worth } from "../src/state/worth";

afterEach(() => {
  document.body.replaceChildren();
});

async function draw(status: EvalStatus, worth: Worth | null, below = 0): Promise<ShadowRoot> {
  const bar = new EvalBar();
  Object.assign(bar, { status, worth, below });
  document.body.append(bar);
  await bar.updateComplete;
  return bar.shadowRoot ?? expect.unreachable();
}

/** Of two seats, with unknown chances. */
function valued(value: number): Worth {
  return worthOf({ values: [value, -value] });
}

it.each<[EvalStatus, number | null, string, boolean]>([
  ["off", 0.5, "off", false],
  ["connecting", null, "connecting", false],
  ["pending", null, "thinking", false],
  ["pending", 0.5, "+0.50, thinking", true],
  ["live", 0.5, "+0.50", true],
  ["live", -0.004, "0.00", true],
  ["frozen", -0.5, "−0.50, not up to date", true],
  ["forbidden", 0.5, "not available for this game", false],
])("shows %s with %s as %s", async (status, value, text, isShown) => {
  const root = await draw(status, value === null ? null : valued(value));
  const bar = root.querySelector(".bar");
  expect(bar?.getAttribute("aria-valuetext")).toBe(text);
  expect(bar?.classList.contains("known")).toBe(isShown);
  expect(root.querySelector(".figure")?.hasAttribute("hidden")).toBe(!isShown);
  expect(root.querySelector(".no")?.hasAttribute("hidden")).toBe(status !== "forbidden");
});

it("names the network and its visits, if they are known and the value is shown", async () => {
  const title = async (status: EvalStatus, basis: Basis | null): Promise<string | null | undefined> => {
    const bar = new EvalBar();
    Object.assign(bar, { status, basis, worth: valued(0.5) });
    document.body.append(bar);
    await bar.updateComplete;
    return bar.shadowRoot?.querySelector(".bar")?.getAttribute("title");
  };
  const basis = { source: "8x8_large", samples: 1607 };
  expect(await title("live", basis)).toBe("Evaluation for the first player: +0.50 (8x8_large, 1,607 visits)");
  expect(await title("live", { source: "book", samples: 0 })).toContain("+0.50 (book)");
  expect(await title("live", null)).toBe("Evaluation for the first player: +0.50");
  expect(await title("off", basis)).toBe("Evaluation for the first player: off");
});

it("grows from the side of the seat below", async () => {
  const share = (root: ShadowRoot): string | null =>
    root.querySelector(".fill")?.getAttribute("style") ?? null;
  expect(share(await draw("live", valued(0.5)))).toContain("0.75");
  expect(share(await draw("live", valued(0.5), 1))).toContain("0.25");
});

it("divides the bar among more than two seats", async () => {
  const root = await draw("live", worthOf({ values: [0.5, -0.5, -1] }), 1);
  const bands = [...root.querySelectorAll<HTMLElement>(".band")];
  expect(bands.map(({ style }) => style.flexGrow)).toEqual(["0", "0.75", "0.25"]);
  const label = root.querySelector(".bar")?.getAttribute("aria-label");
  expect(label).toBe("Evaluation: player 1 75 %, player 2 25 %, player 3 0 %");
});

it.each<[SentWorth, string, string]>([
  [{ values: [0.3, -0.3], chances: [0.8, 0.2] }, "80 %", "80%"],
  [{ values: [-0.3, 0.3], chances: [0.2, 0.8] }, "20 %", "80%"],
  [{ values: [0.3, -0.3], chances: [0.8, 0.2], points: [90.4, 83] }, "+7.4 points, 80 %", "+7"],
  [{ values: [-0.3, 0.3] }, "−0.30", "+0.3"],
])("agrees in words, figure and length with %o", async (sent, words, figure) => {
  const root = await draw("live", worthOf(sent));
  expect(root.querySelector(".bar")?.getAttribute("aria-valuetext")).toBe(words);
  expect(root.querySelector(".figure")?.textContent.trim()).toBe(figure);
  const share = sent.chances?.[0] ?? 0.35;
  expect(root.querySelector(".fill")?.getAttribute("style")).toContain(String(share));
  expect(root.querySelector(".bar")?.getAttribute("aria-valuenow")).toBe(String(Math.round(100 * share)));
});
