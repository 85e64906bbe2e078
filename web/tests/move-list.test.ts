// <move-list>: words or codes, and who made each move.
import { afterEach, expect, it } from "vitest";
import "../src/elements/move-list";

afterEach(() => {
  document.body.replaceChildren();
  localStorage.clear();
});

async function list(parts: object): Promise<ShadowRoot> {
  const element = Object.assign(document.createElement("move-list"), parts);
  document.body.append(element);
  await (element as HTMLElement & { updateComplete: Promise<unknown> }).updateComplete;
  return element.shadowRoot ?? expect.unreachable();
}

const moves = (root: ShadowRoot): string[] =>
  [...root.querySelectorAll(".move")].map((move) => move.textContent.trim());
const spell = (move: string): string => `Word ${move}`;

it("shows words, one move in each row, and codes on request, which the browser remembers", async () => {
  const root = await list({ moves: ["1", "2"], movers: [0, 1], names: ["Ada", "Bo"], spell });
  expect(moves(root)).toEqual(["Word 1", "Word 2"]);
  expect(root.querySelectorAll("li")).toHaveLength(2);
  expect([...root.querySelectorAll(".move i")].map((mark) => mark.getAttribute("aria-label"))).toEqual([
    "Ada",
    "Bo",
  ]);
  root.querySelector<HTMLButtonElement>(".codes")?.click();
  await Promise.resolve();
  expect(moves(root)).toEqual(["1", "2"]);
  expect(root.querySelectorAll("li")).toHaveLength(1);
  expect(moves(await list({ moves: ["1"], spell }))).toEqual(["1"]);
});

it("spells the parts of a turn", async () => {
  const root = await list({ moves: ["1/2"], isSimultaneous: true, spell });
  expect([...root.querySelectorAll(".part")].map((part) => part.textContent.trim())).toEqual([
    "Word 1",
    "Word 2",
  ]);
});

it("has only codes where nothing spells them", async () => {
  const root = await list({ moves: ["1"] });
  expect(moves(root)).toEqual(["1"]);
  expect(root.querySelector(".codes")).toBeNull();
});

it("lists what is around the shown move of a long game, and more on request", async () => {
  const long = Array.from({ length: 1000 }, (_, index) => String(index + 1));
  const root = await list({ moves: long, ply: 500, last: 1000, isSimultaneous: true });
  const listed = (): [string | undefined, string | undefined] => [moves(root).at(0), moves(root).at(-1)];
  expect(listed()).toEqual(["301", "600"]);
  expect(root.querySelector(".shown")?.textContent.trim()).toBe("500");
  const press = async (label: string): Promise<void> => {
    const buttons = [...root.querySelectorAll<HTMLButtonElement>(".further")];
    buttons.find(({ textContent }) => textContent.trim() === label)?.click();
    await (root.host as HTMLElement & { updateComplete: Promise<unknown> }).updateComplete;
  };
  await press("Earlier moves");
  await press("Later moves");
  await press("Later moves");
  expect(listed()).toEqual(["201", "800"]);
  const element = root.host as HTMLElement & { updateComplete: Promise<unknown> };
  Object.assign(element, { moves: [...long, "1001"], ply: 600, last: 1001 });
  await element.updateComplete;
  expect(listed()).toEqual(["301", "900"]);
  Object.assign(element, { ply: 100 });
  await element.updateComplete;
  expect(listed()).toEqual(["1", "200"]);
  Object.assign(element, { ply: 250 });
  await element.updateComplete;
  expect(listed()).toEqual(["101", "400"]);
  const browsed = new Promise<number>((resolve) => {
    root.host.addEventListener("browse", (event) => {
      resolve((event as CustomEvent<number>).detail);
    });
  });
  root.querySelector<HTMLElement>(".part")?.click();
  expect(await browsed).toBe(101);
});

it("stays where a reader has scrolled it until another move is shown", async () => {
  const root = await list({ moves: ["1", "2"], ply: 1, last: 2, spell });
  const element = root.host as HTMLElement & { updateComplete: Promise<unknown> };
  const rows = root.querySelector<HTMLElement>(".moves") ?? expect.unreachable();
  rows.scrollTop = 50;
  Object.assign(element, { moves: ["1", "2"], judgements: new Map([[2, "mistake"]]) });
  await element.updateComplete;
  expect(root.querySelectorAll(".sign")).toHaveLength(1);
  expect(rows.scrollTop).toBe(50);
  Object.assign(element, { ply: 2 });
  await element.updateComplete;
  expect(rows.scrollTop).not.toBe(50);
});
