// <hive-board> as an element: picking a piece and a place, passing, spread stacks, and texts for screen readers.
import { afterEach, expect, it } from "vitest";
import { HiveBoard } from "../src/boards/hive";
import type { HiveView } from "../src/boards/hive/scene";

const view: HiveView = {
  type: "Base+P",
  toMove: 0,
  cells: [
    { q: 0, r: 0, pieces: ["wP"] },
    { q: 1, r: 0, pieces: ["bA1"] },
    { q: -1, r: 0, pieces: ["wQ", "wB1"] },
  ],
  hands: [
    ["wA1", "wG1"],
    ["bQ", "bA2"],
  ],
  reserve: [
    { Q: 0, A: 3, G: 3 },
    { Q: 1, A: 2 },
  ],
  lastMove: { piece: "bA1", from: null, to: { q: 1, r: 0 } },
  resting: "bA1",
  queens: [1, null],
};
const LEGAL = ["wA1 -wB1", "wB1 wP", "wB1 -wB1", "bA1 wP\\"];

let picked: string[] = [];

afterEach(() => {
  document.body.replaceChildren();
  picked = [];
});

async function open(part: Partial<HiveBoard> = {}): Promise<HiveBoard> {
  const board = new HiveBoard();
  Object.assign(board, { view, legal: LEGAL, ...part });
  board.addEventListener("action", (event) => picked.push((event as CustomEvent<string>).detail));
  document.body.append(board);
  await board.updateComplete;
  return board;
}

function labels(board: HiveBoard, selector: string): (string | null)[] {
  return [...board.renderRoot.querySelectorAll(selector)].map((one) => one.getAttribute("aria-label"));
}

async function click(board: HiveBoard, label: string): Promise<void> {
  const found = board.renderRoot.querySelector(`[aria-label="${label}"]`);
  found?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  await board.updateComplete;
}

it("offers the pieces that have legal moves, of both colours", async () => {
  const board = await open();
  expect(labels(board, "button.slot")).toEqual(["White ant, 3 in hand"]);
  expect(labels(board, ".piece[role=button]")).toEqual(["Black ant 1", "White beetle 1 on white queen"]);
  expect(labels(board, ".piece.foreign")).toEqual(["Black ant 1"]);
  expect(labels(board, ".target")).toEqual([]);
});

it("lets a piece and then its place be picked", async () => {
  const board = await open();
  await click(board, "White ant, 3 in hand");
  expect(labels(board, ".target")).toEqual(["White ant 1 west of white beetle 1"]);
  await click(board, "White beetle 1 on white queen");
  expect(labels(board, ".target")).toEqual([
    "White beetle 1 west of white beetle 1",
    "White beetle 1 onto white pillbug",
  ]);
  await click(board, "White beetle 1 onto white pillbug");
  expect(picked).toEqual(["wB1 wP"]);
  expect(labels(board, ".target")).toEqual([]);
});

it("throws the other player's piece like any other", async () => {
  const board = await open();
  await click(board, "Black ant 1");
  await click(board, "Black ant 1 south-east of white pillbug");
  expect(picked).toEqual(["bA1 wP\\"]);
});

it("deselects a piece after a second click, a click elsewhere, or when it cannot be moved any more", async () => {
  const board = await open();
  const chosen = (): number => board.renderRoot.querySelectorAll("[aria-pressed=true]").length;
  for (const drop of [
    () => click(board, "Black ant 1"),
    () => click(board, "Board"),
    () => {
      board.legal = ["wA1 -wB1"];
      return board.updateComplete;
    },
  ]) {
    board.legal = LEGAL;
    await board.updateComplete;
    await click(board, "Black ant 1");
    expect(chosen()).toBe(1);
    await drop();
    expect(chosen()).toBe(0);
  }
});

it("asks for a forced pass, and shows that the last move was one", async () => {
  const board = await open({ legal: ["pass"] });
  board.renderRoot.querySelector<HTMLButtonElement>(".pass")?.click();
  expect(picked).toEqual(["pass"]);
  board.legal = [];
  board.lastMove = "pass";
  await board.updateComplete;
  expect(board.renderRoot.querySelector(".note")?.textContent).toBe("Black passed.");
});

it("shows a staged move at once", async () => {
  const board = await open({ legal: [], staged: ["wB1 wP"] });
  expect(labels(board, ".piece:not([aria-hidden])")).toContain("White beetle 1 on white pillbug");
  expect(board.renderRoot.querySelectorAll(".rest, .origin")).toHaveLength(0);
});

it("spreads out the stack under the pointer", async () => {
  const board = await open({ legal: [] });
  const top = board.renderRoot.querySelector("[aria-label='White beetle 1 on white queen']");
  top?.dispatchEvent(new PointerEvent("pointerenter", { pointerType: "mouse" }));
  await board.updateComplete;
  expect(board.renderRoot.querySelectorAll(".spread .tile")).toHaveLength(2);
  top?.dispatchEvent(new PointerEvent("pointerleave", { pointerType: "mouse" }));
  await board.updateComplete;
  expect(board.renderRoot.querySelector(".spread")).toBeNull();
});

it("shows the reserve of the player below on that side, and how far a queen is surrounded", async () => {
  const board = await open();
  const trays = (): (string | null)[] => labels(board, ".tray");
  expect(trays()).toEqual(["Black's pieces in hand", "White's pieces in hand"]);
  board.below = 1;
  await board.updateComplete;
  expect(trays()).toEqual(["White's pieces in hand", "Black's pieces in hand"]);
  expect(labels(board, ".siege")).toEqual(["White queen: 1 of 6 surrounding cells are occupied"]);
});

it("accepts whole moves, and has one tab stop", async () => {
  const board = await open();
  expect(board.compose(["wB1 wP"])).toBe("wB1 wP");
  expect(board.compose([])).toBe("pass");
  expect(board.renderRoot.querySelectorAll('[tabindex="0"]')).toHaveLength(1);
});
