// <new-game> with made-up games: it offers what the catalogue has, and asks only for what a game has.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { GameRules } from "../src/api/shapes";
import "../src/elements/new-game";

const SIDE = { min: 3, max: 9, default: 5 };
const GRID: GameRules = {
  game: "grid",
  variants: ["open"],
  about: { title: "The Grid", boardWidth: SIDE, boardHeight: SIDE, variants: { open: "No walls." } },
};
const HEAP: GameRules = { game: "heap", variants: ["plain", "misere"], about: { seats: ["Left", "Right"] } };
const BOT = { id: "plyhouse:easy", clientId: "plyhouse", name: "Easy" };

let requests: string[];
let games: readonly GameRules[];

beforeEach(() => {
  requests = [];
  vi.stubGlobal("fetch", (path: string, { body }: RequestInit) => {
    requests.push(typeof body === "string" ? body : path);
    return Promise.resolve(Response.json(path === "/api/rules" ? { games } : { bots: [BOT], seats: [] }));
  });
});

afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

async function open(...offered: GameRules[]): Promise<ShadowRoot> {
  games = offered;
  const form = document.createElement("new-game");
  document.body.append(form);
  await vi.waitUntil(() => form.shadowRoot?.querySelector("[name=bot]"));
  return form.shadowRoot ?? expect.unreachable();
}

function names(root: ShadowRoot): (string | null)[] {
  return [...root.querySelectorAll(".field [name]")].map((field) => field.getAttribute("name"));
}

it("asks for no game where there is one", async () => {
  const root = await open(GRID);
  expect(names(root)).toEqual(["bot", "variant", "boardWidth", "boardHeight", "clock"]);
  expect(root.querySelector("h1")?.textContent).toBe("New game of The Grid");
  expect(root.querySelector(".note")?.textContent).toBe("No walls.");
  expect(requests).toEqual(["/api/rules", "/api/bots?game=grid&variant=open&boardWidth=5&boardHeight=5"]);
});

it("offers every game, and boards only where there is a choice of them", async () => {
  const root = await open(GRID, HEAP);
  const [grid, heap] = root.querySelectorAll<HTMLInputElement>("[name=game]");
  expect([grid, heap].map((radio) => radio?.nextElementSibling?.textContent)).toEqual(["The Grid", "Heap"]);
  heap?.dispatchEvent(new Event("change"));
  await vi.waitUntil(() => root.querySelector("h1")?.textContent === "New game of Heap");
  await vi.waitUntil(() => root.querySelector("[name=bot]"));
  expect(names(root)).toEqual(["bot", "variant", "clock"]);
  expect(root.querySelector(".note:not([hidden])")).toBeNull();
  expect(root.querySelector("fieldset:last-of-type")?.textContent).toMatch(/You play\s+Left\s+Right/);
  expect(requests.at(-1)).toBe("/api/bots?game=heap&variant=plain");

  root.querySelector("form")?.dispatchEvent(new Event("submit"));
  await vi.waitUntil(() => requests.length === 4);
  expect(JSON.parse(requests[3] ?? "")).toMatchObject({ game: "heap", variant: "plain", config: {} });
});

it("lets many games be chosen from a list", async () => {
  const root = await open(GRID, HEAP, { ...HEAP, game: "pile" }, { ...HEAP, game: "mound" });
  const game = root.querySelector<HTMLSelectElement>("select[name=game]") ?? expect.unreachable();
  expect([...game.options].map(({ text }) => text)).toEqual(["The Grid", "Heap", "Pile", "Mound"]);
});
