// <new-game> with made-up games: it offers what the catalogue has, and asks only for what a game has.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Bot, GameRules } from "../src/api/shapes";
import "../src/elements/new-game";

const SIDE = { min: 3, max: 9, default: 5 };
const GRID: GameRules = {
  game: "grid",
  variants: ["open"],
  about: { title: "The Grid", boardWidth: SIDE, boardHeight: SIDE, variants: { open: "No walls." } },
};
const HEAP: GameRules = { game: "heap", variants: ["plain", "misere"], about: { seats: ["Left", "Right"] } };
const BOT = { id: "plyhouse:easy", clientId: "plyhouse", name: "Easy", timed: true };

let requests: string[];
let games: readonly GameRules[];
let bots: readonly Bot[];

beforeEach(() => {
  requests = [];
  bots = [BOT];
  vi.stubGlobal("fetch", (path: string, { body }: RequestInit) => {
    requests.push(typeof body === "string" ? body : path);
    return Promise.resolve(Response.json(path === "/api/rules" ? { games } : { bots, seats: [] }));
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

it("offers no choice of games if there is only one", async () => {
  const root = await open(GRID);
  expect(names(root)).toEqual(["bot", "variant", "boardWidth", "boardHeight", "clock"]);
  expect(root.querySelector("h1")?.textContent).toBe("New game of The Grid");
  expect(root.querySelector(".note")?.textContent).toBe("No walls.");
  expect(requests).toEqual(["/api/rules", "/api/bots?game=grid&variant=open&boardWidth=5&boardHeight=5"]);
});

it("offers all games, and boards only if there is a choice", async () => {
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
  const more = ["pile", "mound", "stack"].map((game) => ({ ...HEAP, game }));
  const root = await open(GRID, HEAP, ...more);
  const game = root.querySelector<HTMLSelectElement>("select[name=game]") ?? expect.unreachable();
  expect([...game.options].map(({ text }) => text)).toEqual(["The Grid", "Heap", "Pile", "Mound", "Stack"]);
});

const TABLE: GameRules = { game: "table", variants: ["open"], seats: [2, 4], about: { title: "Table" } };

async function change(root: ShadowRoot, selector: string, value?: string): Promise<void> {
  const field = root.querySelector<HTMLInputElement>(selector) ?? expect.unreachable();
  if (value !== undefined) field.value = value;
  field.dispatchEvent(new Event("change"));
  await vi.waitFor(() => undefined);
}

it("seats people and bots in games for many", async () => {
  games = [TABLE];
  const form = document.createElement("new-game");
  document.body.append(form);
  await vi.waitUntil(() => form.shadowRoot?.querySelector("[name=player-2]"));
  const root = form.shadowRoot ?? expect.unreachable();
  const [, three] = root.querySelectorAll<HTMLInputElement>("[name=players]");
  three?.dispatchEvent(new Event("change"));
  await vi.waitUntil(() => root.querySelector("[name=player-3]"));
  expect(root.querySelectorAll("[name=seat]")).toHaveLength(3);
  await change(root, "[name=player-3]", "open");
  await vi.waitUntil(() => root.querySelector("[name=guests]"));
  root.querySelectorAll<HTMLInputElement>("[name=guests]")[1]?.dispatchEvent(new Event("change"));
  root.querySelector("form")?.dispatchEvent(new Event("submit"));
  await vi.waitUntil(() => requests.some((request) => request.startsWith("{")));
  expect(JSON.parse(requests.at(-1) ?? "")).toMatchObject({
    seats: [{ kind: "human" }, { kind: "bot", bot: "plyhouse:easy" }, { kind: "open" }],
    listed: true,
    assistance: "none",
  });
});

it("offers a clock if the chosen bot plays with one", async () => {
  const guest = (botId: string, timed: boolean): Bot => ({
    id: `guest:${botId}`,
    clientId: "guest",
    name: botId,
    timed,
  });
  bots = [BOT, guest("slow", false), guest("quick", true)];
  const root = await open(GRID);
  expect(names(root)).toContain("clock");
  const [, attached] = root.querySelectorAll<HTMLInputElement>("[name=opponent]");
  attached?.dispatchEvent(new Event("change"));
  await vi.waitUntil(() => !names(root).includes("clock"));
  expect(root.textContent).toContain("This bot plays without a clock.");
  await change(root, "[name=bot]", "guest:quick");
  await vi.waitUntil(() => names(root).includes("clock"));
});

it("replaces chosen bots that do not play another variant", async () => {
  games = [{ ...TABLE, variants: ["open", "closed"] }];
  bots = [BOT, { id: "guest:b", clientId: "guest", name: "Guest", timed: false }];
  const form = document.createElement("new-game");
  document.body.append(form);
  const root = await vi.waitUntil(() => form.shadowRoot);
  await vi.waitUntil(() => root.querySelectorAll("[name=player-2] option").length === 3);
  await change(root, "[name=player-2]", "guest:b");
  bots = [BOT];
  await change(root, "[name=variant]", "closed");
  await vi.waitUntil(() => root.querySelectorAll("[name=player-2] option").length === 2);
  root.querySelector("form")?.dispatchEvent(new Event("submit"));
  await vi.waitUntil(() => requests.some((request) => request.startsWith("{")));
  expect(JSON.parse(requests.at(-1) ?? "")).toMatchObject({
    variant: "closed",
    seats: [{ kind: "human" }, { kind: "bot", bot: "plyhouse:easy" }],
  });
});

it("offers a time for each move only in games with a late move", async () => {
  const late: GameRules = { game: "maze", variants: ["open"], about: { lateMove: "STAY" } };
  const root = await open(late, HEAP);
  const times = (): string[] =>
    [...root.querySelectorAll("[name=clock] option")].map((row) => row.textContent);
  expect(times()).toContain("Fixed time per move");
  await change(root, "[name=clock]", "move");
  await vi.waitUntil(() => root.querySelector("[name=moveSeconds]"));
  const problem = (): string => root.querySelector(".problem:not([hidden])")?.textContent ?? "";
  const type = (seconds: string): void => {
    const field = root.querySelector<HTMLInputElement>("[name=moveSeconds]") ?? expect.unreachable();
    field.value = seconds;
    field.dispatchEvent(new Event("input"));
  };
  type("0.05");
  await vi.waitUntil(() => problem() === "Choose 0.1 to 3600 seconds for each move.");
  type("2.5");
  await vi.waitUntil(() => problem() === "");
  root.querySelector("form")?.dispatchEvent(new Event("submit"));
  await vi.waitUntil(() => requests.length === 3);
  expect(JSON.parse(requests[2] ?? "")).toMatchObject({
    timeControl: { initialSeconds: 0, incrementSeconds: 0, moveMs: 2500 },
  });

  root.querySelectorAll<HTMLInputElement>("[name=game]")[1]?.dispatchEvent(new Event("change"));
  await vi.waitUntil(() => root.querySelector("h1")?.textContent === "New game of Heap");
  expect(times()).not.toContain("Fixed time per move");
});

it("offers levels by strength, says what each is, and begins with an easy one", async () => {
  const level = (id: string, strength: number): Bot => ({
    ...BOT,
    id: `plyhouse:${id}`,
    name: id,
    level: strength,
    about: `It is ${id}.`,
  });
  bots = [level("easy", 3), level("beginner", 1), level("strong", 6)];
  const root = await open(GRID);
  const select = root.querySelector<HTMLSelectElement>("[name=bot]") ?? expect.unreachable();
  expect([...select.options].map(({ value }) => value)).toEqual([
    "plyhouse:beginner",
    "plyhouse:easy",
    "plyhouse:strong",
  ]);
  expect(select.value).toBe("plyhouse:easy");
  expect(root.querySelector(".level")?.textContent).toBe("It is easy.");
  select.value = "plyhouse:strong";
  select.dispatchEvent(new Event("change"));
  await vi.waitUntil(() => root.querySelector(".level")?.textContent === "It is strong.");
});
