// The pages of tournaments: their addresses, the tokens that a browser keeps, and what they say.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import "../src/elements/tournament-page";
import "../src/elements/tournaments-page";
import { keepSeat } from "../src/state/seats";
import { routeOf, tournamentPath } from "../src/state/route";
import { pointsText, progressText, scoreText } from "../src/state/tournament-labels";
import { forgetToken, keepTokens, tokenFor, tokensOf, tournamentOf } from "../src/state/tournament-tokens";

beforeEach(() => {
  localStorage.clear();
});

afterEach(() => {
  document.body.replaceChildren();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test("addresses of tournaments are read as they are written", () => {
  const route = (path: string): unknown => routeOf(new URL(path, "http://host"));
  expect(route("/tournaments")).toEqual({ page: "tournaments" });
  expect(route(tournamentPath("a b/c"))).toEqual({ page: "tournament", id: "a b/c" });
  expect(route("/tournaments/a/b")).toEqual({ page: "unknown" });
});

test("an entry is withdrawn with its own token, or the owner's", () => {
  keepTokens("t", { owner: "o" });
  keepTokens("t", { own: { entry: 2, token: "me" } });
  keepTokens("t", { bots: [[3, "bot"]] });
  keepTokens("other", { owner: "x" });
  expect([1, 2, 3].map((entry) => tokenFor(tokensOf("t"), entry))).toEqual(["o", "me", "bot"]);
  expect(tokenFor(tokensOf("unknown"), 1)).toBeNull();
  expect([tournamentOf("me"), tournamentOf("bot"), tournamentOf(null)]).toEqual(["t", null, null]);
  keepTokens("t", { own: null });
  expect(tokenFor(tokensOf("t"), 2)).toBe("o");
});

test("the tokens of the latest tournaments are kept", () => {
  for (let number = 0; number < 60; number++) keepTokens(`t${number}`, { owner: `o${number}` });
  expect(tokensOf("t0").owner).toBeUndefined();
  expect(tokensOf("t59").owner).toBe("o59");
});

test("only the token that is wrong is forgotten", () => {
  keepTokens("t", { owner: "o", own: { entry: 2, token: "me" }, bots: [[3, "bot"]] });
  expect(forgetToken("t", "an older one")).toBe(false);
  expect(forgetToken("t", "me")).toBe(true);
  expect(tokensOf("t")).toEqual({ owner: "o", own: null, bots: [[3, "bot"]] });
  expect([forgetToken("t", "o"), forgetToken("t", "bot"), forgetToken("t", "o")]).toEqual([
    true,
    true,
    false,
  ]);
  expect(tokensOf("t")).toEqual({ own: null, bots: [] });
});

test("points have halves, and games a score", () => {
  expect([0, 0.5, 1, 2.5, 4.75, 5 / 3].map(pointsText)).toEqual(["0", "½", "1", "2½", "4.75", "1.67"]);
  expect(scoreText({ points: [0.5, 0.5], status: "over" })).toBe("½–½");
  expect(scoreText({ points: null, status: "playing" })).toBe("playing");
});

test("a tournament says where it stands", () => {
  const text = (status: "waiting" | "running" | "finished" | "cancelled", round = 0): string =>
    progressText({ status, round, rounds: 3, startsAt: null });
  expect([text("waiting"), text("running"), text("running", 2), text("finished"), text("cancelled")]).toEqual(
    ["Open for entries", "Starting", "Round 2 of 3", "Finished", "Cancelled"],
  );
});

const LISTED = {
  name: "Cup",
  game: "heap",
  variant: "plain",
  system: "round-robin",
  status: "running",
  round: 1,
  rounds: 1,
  startsAt: null,
};
const PLAYED = {
  ...LISTED,
  id: "t",
  seats: 2,
  gamesPerPair: 1,
  timeControl: { initialSeconds: 60, incrementSeconds: 1 },
  tieBreaks: [],
  open: true,
  note: null,
  entrants: [1, 2].map((entry) => ({ entry, name: `P${entry}`, bot: null, gone: false })),
  games: [
    {
      games: [{ players: [1, 2], status: "playing", gameId: "g", points: null, reason: null, note: null }],
      byes: [],
    },
  ],
  table: [1, 2].map((entry) => ({ place: 1, entry, points: 0, byes: 0, tieBreaks: {}, against: {} })),
};

const EMPTY: Readonly<Record<string, unknown>> = {
  "/api/rules": { games: [] },
  "/api/bots?game=all": { bots: [] },
};

/** Has the server answer with what `answer` returns for a path and the token that was sent. */
function serve(answer: (path: string, token: string | null) => unknown): void {
  vi.stubGlobal("fetch", (path: string, { headers }: { headers: Headers }) => {
    const body = EMPTY[path] ?? answer(path, headers.get("Authorization"));
    return Promise.resolve(body instanceof Response ? body : Response.json(body));
  });
}

/** Shows a page, and waits for its heading. */
async function show(tag: string): Promise<ShadowRoot> {
  const page = Object.assign(document.createElement(tag), { tournamentId: "t" });
  document.body.append(page);
  const root = page.shadowRoot ?? expect.unreachable();
  await vi.waitUntil(() => root.querySelector("h1") !== null);
  return root;
}

function texts(root: ShadowRoot, selector: string): string[] {
  return [...root.querySelectorAll(selector)].map((element) => element.textContent.trim());
}

test("the list shows those that are not over first, and more pages if asked", async () => {
  const one = (id: string, status: string): object => ({ ...LISTED, id, name: id, status, entrants: 2 });
  serve((path) =>
    path === "/api/tournaments?cursor=b"
      ? { tournaments: [one("c", "finished"), one("d", "waiting")] }
      : { tournaments: [one("a", "cancelled"), one("b", "running")], cursor: "b" },
  );
  const root = await show("tournaments-page");
  expect(texts(root, "td a")).toEqual(["b", "a"]);
  root.querySelector<HTMLElement>("button.more")?.click();
  await vi.waitUntil(() => texts(root, "td a").length > 2);
  expect(texts(root, "td a")).toEqual(["b", "d", "a", "c"]);
  expect(root.querySelector("button.more")).toBeNull();
});

test("the tab calls a person whose game has begun, until the page is left", async () => {
  keepTokens("t", { own: { entry: 1, token: "me" } });
  keepSeat("g", "me");
  serve(() => ({ ...PLAYED, you: { owner: false, entry: 1, gameId: "g" } }));
  await show("tournament-page");
  expect(document.title).toBe("● Your game in Cup – Plyhouse");
  document.body.replaceChildren();
  expect(document.title).toBe("Plyhouse");
});

test.each([
  ["a player", { gone: false }, { status: "running" }, true],
  ["a player before the start", { gone: false }, { status: "waiting" }, true],
  ["a player who has withdrawn", { gone: true }, { status: "running" }, false],
  ["a player when it is over", { gone: false }, { status: "finished" }, false],
])("a hidden page of %s goes on only if games may come", async (_, player, part, isRead) => {
  vi.useFakeTimers();
  vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  let reads = 0;
  serve(() => {
    reads += 1;
    const entrants = PLAYED.entrants.map((one) => ({ ...one, ...player }));
    return { ...PLAYED, ...part, entrants, you: { owner: false, entry: 1 } };
  });
  await show("tournament-page");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reads > 1).toBe(isRead);
});

test("the table has a column for withdrawing only if somebody may, or has", async () => {
  serve(() => PLAYED);
  const headings = ["#", "Player", "Points", "1", "2"];
  expect(texts(await show("tournament-page"), "th")).toEqual(headings);
  keepTokens("t", { own: { entry: 1, token: "me" } });
  expect(texts(await show("tournament-page"), "th")).toEqual([...headings, "Entry"]);
});

test("the table has a column for byes only if there are any", async () => {
  const table = PLAYED.table.map((row) => ({ ...row, byes: row.entry - 1 }));
  serve(() => ({ ...PLAYED, table }));
  const root = await show("tournament-page");
  expect(texts(root, ".cross th")).toEqual(["#", "Player", "Points", "Byes", "1", "2"]);
  expect(texts(root, ".cross tbody td:nth-child(4)")).toEqual(["0", "1"]);
});

test("a table of three has a line for each player, and byes", async () => {
  const game = {
    players: [2, 3, 1],
    status: "over",
    gameId: "g",
    points: [1, 0.25, 0.25],
    reason: "points",
    note: null,
  };
  const entrants = [1, 2, 3, 4].map((entry) => ({ entry, name: `P${entry}`, bot: null, gone: false }));
  serve(() => ({ ...PLAYED, seats: 3, entrants, games: [{ games: [game], byes: [4] }] }));
  const root = await show("tournament-page");
  expect(texts(root, "details td.name div")).toEqual(["P2 1", "P3 0.25", "P1 0.25"]);
  expect(texts(root, "details td a")).toEqual(["Game"]);
  expect(texts(root, "details .note")).toEqual(["Bye: P4"]);
  expect(texts(root, ".note")[0]).toContain("Round robin, 1 game of each table of 3");
  expect(texts(root, ".note")[1]).toContain("A game is worth their mean");
});

test("a new tournament has as many seats as its game allows, and tables have rounds", async () => {
  const games = [
    { game: "pair", about: {}, variants: ["plain"], seats: [2, 2] },
    { game: "heap", about: {}, variants: ["plain"], seats: [2, 4] },
  ];
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", (path: string, init: { method: string; body?: string }) => {
    if (init.method === "POST") sent.push(JSON.parse(init.body ?? ""));
    return Promise.resolve(
      Response.json(path === "/api/rules" ? { games } : { tournaments: [], id: "t", token: "o" }),
    );
  });
  const root = await show("tournaments-page");
  const field = (name: string): HTMLInputElement | null => root.querySelector(`[name=${name}]`);
  expect([field("seats"), field("rounds")]).toEqual([null, null]);
  const change = async (name: string, value: string): Promise<void> => {
    const input = field(name) ?? expect.unreachable();
    input.value = value;
    input.dispatchEvent(new Event("change"));
    input.dispatchEvent(new Event("input"));
    await Promise.resolve();
  };
  await change("title", "Cup");
  await change("game", "heap");
  expect([field("seats") !== null, field("rounds")]).toEqual([true, null]);
  await change("seats", "3");
  await vi.waitUntil(() => field("rounds") !== null);
  root.querySelector("form")?.requestSubmit();
  await vi.waitUntil(() => sent.length === 1);
  expect(sent[0]).toMatchObject({ game: "heap", seats: 3, rounds: 5, gamesPerPair: 2 });
  await change("rounds", "");
  root.querySelector("form")?.requestSubmit();
  await vi.waitUntil(() => sent.length === 2);
  expect(sent[1]).not.toHaveProperty("rounds");
});

test("a token that the server does not know is forgotten, and the page is shown without it", async () => {
  keepTokens("t", { owner: "o", own: { entry: 3, token: "me" } });
  const refused = (): Response => Response.json({ error: "No", code: "no-token" }, { status: 401 });
  serve((_, token) => (token === null ? { ...PLAYED, status: "waiting", games: [], table: [] } : refused()));
  const root = await show("tournament-page");
  expect(texts(root, "[role=alert]")).toEqual(["You are no longer entered: the owner has withdrawn you."]);
  expect([tokensOf("t").own, tokensOf("t").owner]).toEqual([null, "o"]);
  [...root.querySelectorAll("button")].find(({ textContent }) => textContent.trim() === "Start")?.click();
  await vi.waitUntil(() => tokensOf("t").owner === undefined);
  await vi.waitUntil(() => !texts(root, "button").includes("Start"));
});
