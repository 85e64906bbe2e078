// <carcassonne-board> as an element: aiming at a cell, turning the tile, places for meeples, points, keys.
import { afterEach, expect, it } from "vitest";
import { CarcassonneBoard } from "../src/boards/carcassonne";
import { ROWS, view } from "./carcassonne-fixture";

const LEGAL = ["-1,0,90", "-1,0,90 city_E", "-1,0,180", "-1,0,180 road_E", "0,-1,180"];

let picked: string[] = [];

afterEach(() => {
  document.body.replaceChildren();
  picked = [];
});

async function open(part: Partial<CarcassonneBoard> = {}): Promise<CarcassonneBoard> {
  const board = new CarcassonneBoard();
  const about = { tiles: { standard: ROWS } };
  Object.assign(board, { view, legal: LEGAL, about, variant: "standard", ...part });
  board.addEventListener("action", (event) => picked.push((event as CustomEvent<string>).detail));
  document.body.append(board);
  await board.updateComplete;
  return board;
}

function labels(board: CarcassonneBoard, selector: string): (string | null)[] {
  return [...board.renderRoot.querySelectorAll(selector)].map((one) => one.getAttribute("aria-label"));
}

async function press(board: CarcassonneBoard, selector: string, key?: string): Promise<void> {
  const found = board.renderRoot.querySelector(selector) ?? expect.unreachable();
  found.dispatchEvent(
    key === undefined
      ? new MouseEvent("click", { bubbles: true })
      : new KeyboardEvent("keydown", { key, bubbles: true }),
  );
  await board.updateComplete;
}

it("offers each cell once", async () => {
  const board = await open();
  expect(labels(board, ".target")).toEqual(["Tile to -1, 0", "Tile to 0, -1"]);
  expect(board.renderRoot.querySelectorAll(".tiles use")).toHaveLength(2);
});

it("aims at a cell, and turns the tile with further presses", async () => {
  const board = await open();
  await press(board, '[data-reach="-1,0"]');
  expect(board.aimed).toBe("-1,0,90");
  await press(board, '[data-reach="-1,0"]');
  expect(board.aimed).toBe("-1,0,180");
  await press(board, '[data-reach="-1,0"]');
  expect(board.aimed).toBe("-1,0,90");
  await press(board, '[data-reach="0,-1"]');
  expect(board.aimed).toBe("0,-1,180");
  await press(board, ".table > svg");
  expect(board.aimed).toBeNull();
  expect(picked).toEqual([]);
});

it("is played with keys alone", async () => {
  const board = await open();
  await press(board, '[data-reach="-1,0"]', "Enter");
  await press(board, '[data-reach="-1,0"]', "r");
  expect(board.aimed).toBe("-1,0,180");
  await press(board, '[data-reach="-1,0"]', "Enter");
  expect(picked).toEqual(["-1,0,180"]);
});

it("offers places for a meeple on the staged tile", async () => {
  const board = await open({ staged: ["-1,0,180"], legal: ["skip", "road_E", "field_NE"] });
  expect(labels(board, ".target")).toEqual([]);
  expect(labels(board, ".spot").toSorted()).toEqual([
    "Meeple on the field in the north and east",
    "Meeple on the road in the east",
  ]);
  await press(board, '[data-reach="road_E"]');
  expect(picked).toEqual(["road_E"]);
  expect(board.compose(["-1,0,180", "road_E"])).toBe("-1,0,180 road_E");
});

it("ends a turn with its placement if no meeple is left", async () => {
  const board = await open();
  expect(board.compose(["0,-1,180"])).toBe("0,-1,180");
  board.view = { ...view, supply: [0, 6, 7] };
  expect(board.compose(["0,-1,180"])).toBe("0,-1,180 skip");
});

it("shows points, meeples, tiles left and what the last move scored", async () => {
  const board = await open();
  expect(labels(board, ".scoreboard .seat")[1]).toBe("Player 2: 4 points, 6 meeples left");
  expect(board.renderRoot.querySelector(".gained")?.textContent).toBe("+4");
  expect(board.renderRoot.querySelector(".award text")?.textContent).toBe("+4");
  expect(board.renderRoot.querySelectorAll(".scored")).toHaveLength(2);
  expect(board.renderRoot.querySelector(".left")?.textContent).toBe("1 tile left, 1 without a place");
  expect(board.renderRoot.querySelector(".breakdown")).toBeNull();
});

it("says who has left", async () => {
  const board = await open({ view: { ...view, left: [1] } });
  expect(labels(board, ".scoreboard .gone")).toEqual([
    "Player 2: 4 points, 6 meeples left, has left the game",
  ]);
});

it("shows at the end what the points were for", async () => {
  const none = { cities: 0, roads: 0, monasteries: 0, fields: 0 };
  const breakdown = [none, { ...none, fields: 3 }, none];
  const board = await open({
    view: { ...view, phase: "game_over", scores: [0, 7, 0], breakdown },
    legal: [],
  });
  const cells = [...board.renderRoot.querySelectorAll(".breakdown tr:nth-child(2) td")];
  expect(cells.map(({ textContent }) => textContent)).toEqual(["4", "0", "0", "0", "3", "7"]);
});

it("zooms with keys, and back", async () => {
  const board = await open();
  const svg = (): Element => board.renderRoot.querySelector(".table > svg") ?? expect.unreachable();
  await press(board, ".table > svg", "+");
  expect(svg().classList.contains("zoomed")).toBe(true);
  await press(board, ".table > svg", "0");
  expect(svg().classList.contains("zoomed")).toBe(false);
});

it("leaves the wheel to the page of another site", async () => {
  const board = await open({ isEmbedded: true });
  const svg = board.renderRoot.querySelector(".table > svg") ?? expect.unreachable();
  const turn = (ctrlKey: boolean): boolean => {
    const wheel = new WheelEvent("wheel", { deltaY: -200, cancelable: true });
    Object.defineProperty(wheel, "ctrlKey", { value: ctrlKey });
    return svg.dispatchEvent(wheel);
  };
  expect(turn(false)).toBe(true);
  await board.updateComplete;
  expect(svg.classList.contains("zoomed")).toBe(false);
  expect(turn(true)).toBe(false);
  await board.updateComplete;
  expect(svg.classList.contains("zoomed")).toBe(true);
});
