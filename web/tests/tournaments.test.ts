// The pages of tournaments: their addresses, the tokens that a browser keeps, and what they say.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import "../src/elements/tournaments-page";
import { routeOf, tournamentPath } from "../src/state/route";
import { pointsText, progressText, scoreText } from "../src/state/tournament-labels";
import { keepTokens, tokenFor, tokensOf, tournamentOf } from "../src/state/tournament-tokens";

beforeEach(() => {
  localStorage.clear();
});

afterEach(() => {
  document.body.replaceChildren();
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

test("points have halves, and games a score", () => {
  expect([0, 0.5, 1, 2.5, 4.75].map(pointsText)).toEqual(["0", "½", "1", "2½", "4.75"]);
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
