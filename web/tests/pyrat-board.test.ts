// <pyrat-board> as an element: cells to pick, keys, swipes, both steps of a turn, and what a sealed step looks like.
import { afterEach, expect, it, vi } from "vitest";
import { PyratBoard } from "../src/boards/pyrat";
import { LEGAL, view } from "./pyrat-fixture";

let picked: string[] = [];

afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
  picked = [];
});

async function open(part: Partial<PyratBoard> = {}): Promise<PyratBoard> {
  const board = new PyratBoard();
  Object.assign(board, { view, legal: LEGAL, seat: 0, ...part });
  board.addEventListener("action", (event) => picked.push((event as CustomEvent<string>).detail));
  document.body.append(board);
  await board.updateComplete;
  return board;
}

function all(board: PyratBoard, selector: string): Element[] {
  return [...board.renderRoot.querySelectorAll(selector)];
}

function labels(board: PyratBoard, selector: string): (string | null)[] {
  return all(board, selector).map((one) => one.getAttribute("aria-label"));
}

/** Presses a key in an element, by default the page itself; returns whether the page is to handle it. */
function press(key: string, where: Element = document.body, more: KeyboardEventInit = {}): boolean {
  const init = { key, bubbles: true, composed: true, cancelable: true, ...more };
  return where.dispatchEvent(new KeyboardEvent("keydown", init));
}

function picture(board: PyratBoard): Element {
  return board.renderRoot.querySelector(".table > svg") ?? expect.unreachable();
}

function touch(board: PyratBoard, type: string, x: number, y: number, pointerId = 1): void {
  const init = { pointerType: "touch", pointerId, isPrimary: pointerId === 1, clientX: x, clientY: y };
  picture(board).dispatchEvent(new PointerEvent(type, { bubbles: true, ...init }));
}

it("offers the next cells and the own one", async () => {
  const board = await open();
  expect(labels(board, ".target")).toEqual(["Right, through mud of 3 turns", "Down", "Left", "Stay"]);
  for (const target of all(board, ".target")) target.dispatchEvent(new MouseEvent("click"));
  expect(picked).toEqual(LEGAL);
});

it("is steered with arrows, letters and the space bar", async () => {
  const board = await open();
  for (const key of ["ArrowDown", "a", "D", " "]) expect(press(key)).toBe(false);
  expect(press("ArrowLeft", picture(board))).toBe(false);
  expect(picked).toEqual(["DOWN", "LEFT", "RIGHT", "STAY", "LEFT"]);
});

it("goes the way of the screen on a flipped board", async () => {
  await open({ isFlipped: true });
  press("ArrowUp");
  expect(picked).toEqual(["DOWN"]);
});

it("does not run into walls, nor while a key is held down", async () => {
  await open();
  expect(press("w")).toBe(false);
  expect(press("s", document.body, { repeat: true })).toBe(false);
  expect(picked).toEqual([]);
});

it("stays with any key in mud", async () => {
  const board = await open({ seat: 1, legal: ["STAY"] });
  press("ArrowUp");
  expect(picked).toEqual(["STAY"]);
  expect(labels(board, ".target")).toEqual(["Stay, held by mud for 2 more turns"]);
});

it("keeps its keys while the others move, and leaves them to the page otherwise", async () => {
  const board = await open({ legal: [], sealed: "DOWN" });
  expect(press("ArrowLeft")).toBe(false);
  board.sealed = null;
  board.staged = ["DOWN"];
  expect(press("ArrowLeft")).toBe(false);
  board.staged = [];
  expect(press("ArrowLeft")).toBe(true);
  board.legal = LEGAL;
  expect(press("ArrowLeft", document.body, { ctrlKey: true })).toBe(true);
  const field = document.createElement("input");
  document.body.append(field);
  expect(press("a", field)).toBe(true);
  expect(picked).toEqual([]);
  board.remove();
  expect(press("ArrowDown")).toBe(true);
});

it("goes where a finger swipes, unless there are two", async () => {
  const board = await open();
  touch(board, "pointerdown", 100, 100);
  touch(board, "pointermove", 130, 104);
  touch(board, "pointerup", 160, 104);
  expect(picked).toEqual(["RIGHT"]);
  touch(board, "pointerdown", 100, 100);
  touch(board, "pointerup", 100, 110);
  expect(picked).toEqual(["RIGHT"]);
  touch(board, "pointerdown", 100, 100);
  touch(board, "pointerdown", 200, 100, 2);
  touch(board, "pointermove", 40, 100);
  touch(board, "pointerup", 200, 100, 2);
  touch(board, "pointerup", 40, 100);
  expect(picked).toEqual(["RIGHT"]);
});

it("leaves a finger of a spectator to the page", async () => {
  const board = await open({ seat: null, legal: [] });
  expect(picture(board).classList.contains("zoomed")).toBe(false);
  touch(board, "pointerdown", 100, 100);
  touch(board, "pointerup", 160, 100);
  expect(picked).toEqual([]);
  expect(labels(board, ".target")).toEqual([]);
});

it("only aims where a finger cannot hit a cell", async () => {
  const board = await open();
  const target = (): Element =>
    board.renderRoot.querySelector('[data-direction="LEFT"]') ?? expect.unreachable();
  const world = board.renderRoot.querySelector(".world") ?? expect.unreachable();
  Object.assign(world, { getScreenCTM: () => ({ a: 0.2 }) });
  const tap = async (): Promise<void> => {
    touch(board, "pointerdown", 10, 10);
    touch(board, "pointerup", 10, 10);
    target().dispatchEvent(new MouseEvent("click", { detail: 1 }));
    await board.updateComplete;
  };
  await tap();
  expect([board.aimed, target().getAttribute("aria-pressed"), picked]).toEqual(["LEFT", "true", []]);
  await tap();
  expect(picked).toEqual(["LEFT"]);
});

it("shows both steps of the last turn", async () => {
  const board = await open({ lastMove: "UP/STAY" });
  expect(all(board, ".last").map((one) => one.getAttribute("class"))).toEqual([
    "last arrow seat-0",
    "last ring seat-1",
  ]);
});

it("shows both steps of a hint, and the own step that is sealed", async () => {
  const board = await open({ hint: "LEFT/STAY", legal: [], sealed: "DOWN" });
  expect(all(board, ".hinted").map((one) => one.getAttribute("class"))).toEqual([
    "hinted arrow seat-0",
    "hinted ring seat-1",
  ]);
  expect(all(board, ".sealed").map((one) => one.getAttribute("class"))).toEqual(["sealed arrow seat-0"]);
});

it("shows points, cheese and mud", async () => {
  const board = await open();
  expect(labels(board, ".scoreboard")).toEqual(["Rat 1.5, Python 1.5, cheese left: 2 of 5"]);
  expect(all(board, ".share").map((share) => share.getAttribute("style"))).toEqual([
    "width: 30%",
    "width: 30%",
  ]);
  expect(all(board, ".things use")).toHaveLength(2);
  expect(all(board, ".cost").map(({ textContent }) => textContent)).toEqual(["3"]);
  expect(labels(board, ".player")).toEqual([
    "Rat on 1, 1, points: 1.5",
    "Python on 2, 2, points: 1.5, held by mud for 2 more turns",
  ]);
  expect(all(board, ".held").map(({ textContent }) => textContent)).toEqual(["In mud: Python for 2"]);
  board.seat = 1;
  await board.updateComplete;
  expect(all(board, ".held").map(({ textContent }) => textContent)).toEqual(["In mud: you for 2"]);
});

it("zooms with keys, and pans where there is more to see", async () => {
  const board = await open();
  const world = (): string | null | undefined => all(board, ".world")[0]?.getAttribute("style");
  const before = world();
  press("+", picture(board));
  await board.updateComplete;
  const zoomed = world();
  expect(zoomed).not.toBe(before);
  press("ArrowRight", picture(board), { shiftKey: true });
  await board.updateComplete;
  expect(world()).not.toBe(zoomed);
  press("0", picture(board));
  await board.updateComplete;
  expect(world()).toBe(before);
  expect(picked).toEqual([]);
});

it("is wider than high like its board, within limits", async () => {
  const board = await open({ view: { ...view, width: 21, height: 15 } });
  expect(board.widthFor(592)).toBeCloseTo(700);
  board.view = { ...view, width: 64, height: 2 };
  expect(board.widthFor(592)).toBeLessThan(1200);
});

it("gets its keys before the page", async () => {
  const browse = vi.fn((event: KeyboardEvent) => event.defaultPrevented);
  window.addEventListener("keydown", browse);
  await open();
  press("ArrowLeft");
  window.removeEventListener("keydown", browse);
  expect(picked).toEqual(["LEFT"]);
  expect(browse).toHaveReturnedWith(true);
});
