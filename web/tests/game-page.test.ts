// <game-page> with a made-up game: nothing on it may depend on one game. The server is a table of answers.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Game, Position } from "../src/api/shapes";
import "../src/elements/game-page";
import { ownSeat } from "../src/state/seats";
import { GameSession } from "../src/state/session";

const POSITION: Position = {
  ply: 0,
  toAct: [1],
  status: "playing",
  view: {},
  legal: ["1", "2"],
  canFinish: false,
  history: [],
  clocks: [null, null],
};
const GAME: Game = {
  gameId: "g",
  game: "heap",
  variant: "plain",
  config: {},
  assistance: "open",
  seatIndex: 1,
  seats: [
    { seat: 0, kind: "bot", name: "Robo" },
    { seat: 1, kind: "human" },
  ],
  position: POSITION,
};

/** A socket in which the test plays the server. */
class Line {
  static newest: Line | null = null;
  static readonly OPEN = 1;
  readonly readyState = Line.OPEN;
  /** The frames that the page has sent. */
  readonly sent: Record<string, unknown>[] = [];
  readonly send = (text: string): void => {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  };
  readonly close = vi.fn();
  onopen: (() => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  constructor() {
    Line.newest = this;
  }
  /** The moves that the page has sent. */
  get moves(): Record<string, unknown>[] {
    return this.sent.filter(({ type }) => type === "submit-move");
  }
  /** Answers the last move. */
  answer(frame: object): void {
    this.say({ ...frame, clientMsgId: this.moves.at(-1)?.clientMsgId });
  }
  say(frame: object): void {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }
}

const RULES = {
  game: "heap",
  variants: ["plain"],
  about: { reasons: { emptied: "by taking the last one" } },
};
let answers: Record<string, unknown>;

beforeEach(() => {
  answers = { "/api/rules": { games: [RULES] } };
  vi.stubGlobal("fetch", (path: string) => Promise.resolve(Response.json(answers[path])));
  vi.stubGlobal("WebSocket", Line);
});

afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

async function open(game: Game): Promise<ShadowRoot> {
  answers["/api/games/g"] = game;
  const page = Object.assign(document.createElement("game-page"), { gameId: "g", token: "t" });
  document.body.append(page);
  const root = page.shadowRoot ?? expect.unreachable();
  await vi.waitUntil(() => all(root, ".now").length > 0);
  return root;
}

/** All matches in the page and in its elements. */
function all(root: ShadowRoot, selector: string): Element[] {
  return [...root.querySelectorAll("*")].flatMap((element) => [
    ...(element.matches(selector) ? [element] : []),
    ...(element.shadowRoot === null ? [] : all(element.shadowRoot, selector)),
  ]);
}

function texts(root: ShadowRoot, selector: string): string[] {
  return all(root, selector).map((element) => element.textContent.trim());
}

function follows(part: Partial<Position>): void {
  Line.newest?.say({ type: "state", position: { ...POSITION, ...part }, seats: GAME.seats });
}

it("knows the player's seat in any game", async () => {
  const root = await open(GAME);
  expect(texts(root, ".now")).toEqual(["Your turn."]);
  expect(texts(root, "player-strip .name")).toEqual(["Robo", "You"]);
});

it("lets those without a seat watch", async () => {
  const root = await open({ ...GAME, seatIndex: null });
  expect(texts(root, ".now")).toEqual(["Player 2 to move."]);
  expect(texts(root, ".note")).toContain("You are watching.");
});

it("watches a game with a token that is for no seat of it", async () => {
  const asked: (string | null)[] = [];
  vi.stubGlobal("fetch", (path: string, { headers }: { headers: Headers }) => {
    if (path === "/api/rules") return Promise.resolve(Response.json(answers[path]));
    const token = headers.get("Authorization");
    asked.push(token);
    const refusal = Response.json({ error: "No.", code: "no-token" }, { status: 401 });
    return Promise.resolve(token === null ? Response.json({ ...GAME, seatIndex: null }) : refusal);
  });
  const session = new GameSession("g", "wrong", vi.fn());
  await session.open();
  expect(asked).toEqual(["Bearer wrong", null]);
  expect(session.state.problem).toBe("");
  expect(session.seat).toBeNull();
});

it.each([true, false])("says before one joins whether the creator knows what is drawn: %s", async (known) => {
  const position: Position = { ...POSITION, status: "open", toAct: [] };
  const root = await open({ ...GAME, seatIndex: null, position, hostKnowsOrder: known });
  expect(texts(root, "form button")).toContain("Join this game");
  const shown = all(root, "form .note:not([hidden])").map((note) => note.textContent.trim());
  expect(shown.some((note) => note.includes("chose its seed"))).toBe(known);
});

it("keeps the seat in the browser, and its token out of the address bar", async () => {
  history.replaceState(null, "", "/game/g?token=t");
  await open(GAME);
  await vi.waitUntil(() => ownSeat("g") === "t");
  expect(location.pathname + location.search).toBe("/game/g");
});

it("leaves the token in the address if the browser stores nothing", async () => {
  const denied = (): never => {
    throw new Error("denied");
  };
  vi.stubGlobal("localStorage", { getItem: denied, setItem: denied, clear: vi.fn() });
  history.replaceState(null, "", "/game/g?token=t");
  await open(GAME);
  await vi.waitUntil(() => document.title.includes("Your turn"));
  expect(location.search).toBe("?token=t");
});

it("follows a rematch that starts, and only links to one that started earlier", async () => {
  const over = { ...POSITION, status: "finished", toAct: [], result: { winners: [], reason: "unknown" } };
  const ask = await open({ ...GAME, position: over as Position });
  Line.newest?.say({ type: "state", position: over, seats: GAME.seats, rematch: "g2" });
  await vi.waitUntil(() => texts(ask, "button").includes("Go to the rematch"));
  expect(location.pathname).not.toBe("/game/g2");
  document.body.replaceChildren();

  await open({ ...GAME, position: over as Position });
  const gone = vi.fn();
  window.addEventListener("popstate", gone);
  Line.newest?.say({ type: "rematch-started", newGameId: "g3", seat: { token: "t" } });
  follows({ ...over, status: "finished" });
  expect(location.pathname + location.search).toBe("/game/g3");
  expect(gone).toHaveBeenCalledOnce();
});

it.each([
  [{ initialSeconds: 15, incrementSeconds: 0 }, ["+15 s"], 2],
  [{ initialSeconds: 0, incrementSeconds: 0, moveMs: 15_000 }, [], 0],
])(
  "with the time control %j offers to give %j, and shows %i clocks as low",
  async (timeControl, gifts, low) => {
    const seats = GAME.seats.map((seat) => ({ ...seat, kind: "human" as const }));
    const position = { ...POSITION, clocks: [15_000, 15_000] };
    const matchStatus = { players: [{ connected: true }, { connected: true }], config: { timeControl } };
    const root = await open({ ...GAME, seats, position, matchStatus });
    expect(texts(root, "player-strip button")).toEqual(gifts);
    expect(all(root, "game-clock .low")).toHaveLength(low);
  },
);

it("offers to pass only if the game allows it", async () => {
  const root = await open(GAME);
  expect(texts(root, "turn-controls button")).toEqual([]);
  follows({ canFinish: true });
  await vi.waitUntil(() => all(root, "turn-controls button").length > 0);
  expect(texts(root, "turn-controls button")).toEqual(["Pass"]);
});

it.each([
  ["emptied", "You win by taking the last one."],
  ["resignation", "You win by resignation."],
  ["boredom", "You win (boredom)."],
])("tells the end of the game by %s", async (reason, sentence) => {
  const over = { toAct: [], status: "finished", result: { winners: [1], reason } } as const;
  const root = await open({ ...GAME, position: { ...POSITION, ...over } });
  expect(texts(root, ".now")).toEqual([sentence]);
});

it("requests the moves that a frame lacks", async () => {
  answers["/api/games/g"] = { ...GAME, position: { ...POSITION, ply: 2, history: ["a", "b"] } };
  const session = new GameSession("g", "t", vi.fn());
  await session.open();
  const history = (): string | undefined => session.state.game?.position.history.join("");
  follows({ ply: 3, history: ["b", "c"], historyFrom: 1 });
  expect(history()).toBe("abc");
  answers["/api/games/g"] = {
    ...GAME,
    position: { ...POSITION, ply: 6, history: ["a", "b", "c", "d", "e", "f"] },
  };
  follows({ ply: 6, history: ["e", "f"], historyFrom: 4 });
  await vi.waitUntil(() => history() === "abcdef");
});

/** A position in which both seats act together; each has two moves. */
const BOTH: Position = { ...POSITION, toAct: [0, 1], legal: { 0: ["1", "2"], 1: ["1", "2"] } };
/** The same after seat 1 has moved. */
const HALF: Position = { ...BOTH, toAct: [0], pending: [0], legal: { 0: ["1", "2"] } };

describe("simultaneous moves", () => {
  const composer = { compose: (): string => "2" };
  const taken = { type: "move-taken", ply: 0, pending: [0] };

  async function sending(): Promise<GameSession> {
    answers["/api/games/g"] = { ...GAME, position: BOTH };
    const session = new GameSession("g", "t", vi.fn());
    await session.open();
    return session;
  }

  it("are sealed until the others have moved", async () => {
    const session = await sending();
    expect(session.state).toMatchObject({ legal: ["1", "2"], sealed: null });
    const sent = session.finish(composer);
    Line.newest?.answer(taken);
    await sent;
    expect(session.state).toMatchObject({ legal: [], staged: [], sealed: "2", problem: "" });
    follows(HALF);
    expect(session.state.sealed).toBe("2");
    follows({ ...BOTH, ply: 1, history: ["1/2"] });
    expect(session.state).toMatchObject({ legal: ["1", "2"], sealed: null });
  });

  it("are sealed if the frame comes before the answer, and open again after a takeback", async () => {
    const session = await sending();
    const sent = session.finish(composer);
    follows(HALF);
    expect(session.state.sealed).toBe("2");
    Line.newest?.answer(taken);
    await sent;
    expect(session.state.sealed).toBe("2");
    follows(BOTH);
    expect(session.state).toMatchObject({ legal: ["1", "2"], sealed: null });
    follows(HALF);
    expect(session.state.sealed).toBeNull();
  });

  it("do not hide the next turn if the others were faster than the answer", async () => {
    const session = await sending();
    const sent = session.finish(composer);
    follows({ ...BOTH, ply: 1, history: ["1/2"] });
    Line.newest?.answer(taken);
    await sent;
    expect(session.state).toMatchObject({ legal: ["1", "2"], sealed: null });
    expect(session.state.game?.position.toAct).toEqual([0, 1]);
  });

  it("are remembered when the page is loaded again", async () => {
    const sent = (await sending()).finish(composer);
    Line.newest?.answer(taken);
    await sent;
    answers["/api/games/g"] = { ...GAME, position: HALF };
    const again = new GameSession("g", "t", vi.fn());
    await again.open();
    expect(again.state.sealed).toBe("2");
    follows({ ...HALF, ply: 1, history: ["1/2"] });
    expect(again.state.sealed).toBeNull();
  });

  it("say whom the page waits for, and who has moved", async () => {
    const root = await open({ ...GAME, position: BOTH });
    const tags = (): string[] => texts(root, "player-strip .tag:not([hidden])");
    expect(texts(root, ".now")).toEqual(["Your turn."]);
    expect(tags()).toEqual(["to move", "to move"]);
    const buttons = (root: ShadowRoot): string[] =>
      texts(root, "button").filter((text) => ["Abort", "Resign"].includes(text));
    expect(buttons(root)).toEqual(["Abort"]);
    follows(HALF);
    await vi.waitUntil(() => texts(root, ".now")[0] === "Waiting for Robo.");
    expect(tags()).toEqual(["to move", "moved"]);
    expect(buttons(root)).toEqual(["Resign"]);
  });

  it("are named to spectators, who see who has moved", async () => {
    const root = await open({ ...GAME, seatIndex: null, position: BOTH });
    expect(texts(root, ".now")).toEqual(["Robo and Player 2 to move."]);
    follows(HALF);
    await vi.waitUntil(() => texts(root, ".now")[0] === "Robo to move.");
  });

  it("have a row per turn in the list, with the part of each seat", async () => {
    answers["/api/rules"] = { games: [{ ...RULES, about: { simultaneous: true } }] };
    const root = await open({ ...GAME, position: { ...BOTH, ply: 2, history: ["1/2", "2/1"] } });
    expect(texts(root, "move-list .number")).toEqual(["1.", "2."]);
    expect(texts(root, "move-list .part")).toEqual(["1", "2", "2", "1"]);
    expect(texts(root, "button.move.shown .part")).toEqual(["2", "1"]);
  });
});

/** A server that does not answer requests for these paths. */
function silence(...paths: string[]): void {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", (path: string) =>
    paths.includes(path)
      ? Promise.reject(new TypeError("away"))
      : Promise.resolve(Response.json(answers[path])),
  );
}

async function staging(...actions: string[]): Promise<GameSession> {
  const session = new GameSession("g", "t", vi.fn());
  await session.open();
  for (const action of actions) {
    const staged = session.stage(action, { compose: (all) => all.join(".") });
    await vi.advanceTimersByTimeAsync(7000);
    await staged;
  }
  return session;
}

it("keeps the move being made until the server answers again", async () => {
  answers["/api/games/g"] = GAME;
  answers["/api/games/g?staged=1"] = { ...GAME, position: { ...POSITION, legal: ["3"] } };
  silence("/api/games/g?staged=1.3");
  const session = await staging("1", "3");
  const problem = "The server does not respond.";
  expect(session.state).toMatchObject({ staged: ["1"], legal: ["3"], isBusy: false, problem });
  Line.newest?.say({ type: "pong" });
  expect(session.state).toMatchObject({ staged: ["1"], problem: "" });
});

it("says why something is not possible until the next move, whoever comes or goes", async () => {
  answers["/api/games/g"] = GAME;
  const session = await staging();
  const problem = "There is a wall in the way.";
  await session.explain({ why: problem }, {});
  follows(POSITION);
  expect(session.state.problem).toBe(problem);
  follows({ ply: 1, history: ["2"], toAct: [1] });
  expect(session.state.problem).toBe("");
});

describe("a move on its way", () => {
  const composer = { compose: (): string => "2" };

  async function sending(): Promise<[GameSession, Promise<void>]> {
    answers["/api/games/g"] = GAME;
    const session = new GameSession("g", "t", vi.fn());
    await session.open();
    return [session, session.finish(composer)];
  }

  it("is sent again over a new connection, with the same id, until it is taken", async () => {
    const [session, sent] = await sending();
    const [first] = Line.newest?.moves ?? [];
    expect(first).toMatchObject({ move: "2", expectedPly: 0 });
    Line.newest?.onopen?.();
    expect(Line.newest?.moves).toEqual([first, first]);
    expect(session.state.isBusy).toBe(true);
    Line.newest?.answer({ type: "move-taken", ply: 1 });
    follows({ ply: 1, history: ["2"], toAct: [0] });
    await sent;
    Line.newest?.onopen?.();
    expect(Line.newest?.moves).toHaveLength(2);
    expect(session.state).toMatchObject({ isBusy: false, problem: "" });
  });

  it("may be taken after the state that it leads to has arrived", async () => {
    const [session, sent] = await sending();
    follows({ ply: 1, history: ["2"], toAct: [0] });
    expect(session.state.isBusy).toBe(true);
    Line.newest?.answer({ type: "move-taken", ply: 1 });
    await sent;
    expect(session.state.isBusy).toBe(false);
  });

  it("may be refused", async () => {
    const [session, sent] = await sending();
    const error = "The wall closes the last path.";
    Line.newest?.answer({ type: "error", message: error, error, code: "illegal-move" });
    await sent;
    expect(session.state).toMatchObject({ isBusy: false, problem: error, staged: [] });
  });

  it("is given up if the server closes the connection for good", async () => {
    const [session, sent] = await sending();
    Line.newest?.onclose?.({ code: 1008 });
    await sent;
    expect(session.state).toMatchObject({ isBusy: false, problem: "The server closed the connection." });
  });
});

describe("an offer on a dead line", () => {
  async function offering(): Promise<[GameSession, Promise<void>, string[]]> {
    answers["/api/games/g"] = { ...GAME, position: { ...POSITION, ply: 1, history: ["1"] } };
    const session = new GameSession("g", "t", vi.fn());
    await session.open();
    Line.newest?.say({ type: "match-status", snapshot: null, seq: 4 });
    const sent: string[] = [];
    vi.stubGlobal("fetch", (path: string) => {
      sent.push(path);
      return sent.length === 1 ? Promise.reject(new TypeError("away")) : Promise.resolve(Response.json({}));
    });
    const offer = session.propose("draw");
    await vi.waitUntil(() => sent.length === 1);
    return [session, offer, sent];
  }

  it("is sent once more when the line is back", async () => {
    const [session, offer, sent] = await offering();
    await Promise.resolve();
    expect(session.state.isBusy).toBe(true);
    Line.newest?.onopen?.();
    await vi.waitUntil(() => {
      Line.newest?.say({ type: "pong" });
      return sent.length === 2;
    });
    await offer;
    expect(sent).toEqual(["/api/games/g/draw", "/api/games/g/draw"]);
    expect(session.state).toMatchObject({ isBusy: false, problem: "", offers: { draw: 1 } });
  });

  it("is not sent again if something has happened since", async () => {
    const [session, offer, sent] = await offering();
    Line.newest?.say({ type: "match-status", snapshot: null, seq: 5 });
    await vi.waitUntil(() => {
      Line.newest?.say({ type: "pong" });
      return !session.state.isBusy;
    });
    await offer;
    expect(sent).toHaveLength(1);
    expect(session.state.problem).toContain("your offer (draw) is not open");
  });
});

it("drops the move being made if the game has continued meanwhile", async () => {
  answers["/api/games/g"] = GAME;
  answers["/api/games/g?staged=1"] = { ...GAME, position: { ...POSITION, legal: [] } };
  const session = new GameSession("g", "t", vi.fn());
  await session.open();
  const staged = session.stage("1", { compose: (all) => all.join(".") });
  await vi.waitUntil(() => Line.newest?.moves.length === 1);
  follows({ ply: 1, history: ["1"], toAct: [0] });
  Line.newest?.answer({ type: "error", message: "Too late.", error: "Too late.", code: "stale-ply" });
  await staged;
  expect(session.state).toMatchObject({ staged: [], legal: [] });
});

it("keeps the move being made if another player leaves meanwhile", async () => {
  answers["/api/games/g"] = GAME;
  answers["/api/games/g?staged=1"] = { ...GAME, position: { ...POSITION, legal: ["3"] } };
  silence();
  const session = await staging("1");
  follows({ history: ["!0"] });
  expect(session.state).toMatchObject({ staged: ["1"], legal: ["3"] });
  follows({ history: ["!0", "2"], ply: 1, toAct: [0] });
  expect(session.state).toMatchObject({ staged: [], legal: [] });
});

it("drops the move being made if the player leaves", async () => {
  answers["/api/games/g"] = GAME;
  answers["/api/games/g?staged=1"] = { ...GAME, position: { ...POSITION, legal: ["3"] } };
  silence();
  const session = await staging("1");
  follows({ history: ["!1"], toAct: [0] });
  expect(session.state).toMatchObject({ staged: [], legal: [] });
});

it("shows a player who has left only the board, and makes no offers to players who have left", async () => {
  const person = { seat: 2, kind: "human", name: "Cleo" } as const;
  const three = { ...GAME, seats: [...GAME.seats, person], position: { ...POSITION, ply: 3 } };
  const actions = ["Takeback", "Offer draw", "Resign"];
  const buttons = (root: ShadowRoot): string[] =>
    texts(root, "button").filter((one) => actions.includes(one));
  expect(buttons(await open(three))).toEqual(actions);
  document.body.replaceChildren();
  const other = await open({ ...three, position: { ...three.position, history: ["!2"] } });
  expect(buttons(other)).toEqual(["Takeback", "Resign"]);
  expect(texts(other, "player-strip .left")).toEqual(["left"]);
  document.body.replaceChildren();
  const own = await open({ ...three, position: { ...three.position, history: ["!1"], toAct: [2] } });
  expect(texts(own, ".now")).toEqual(["You have left the game. Cleo to move."]);
  expect(buttons(own)).toEqual([]);
});

describe("an absent player", () => {
  const people: Game = {
    ...GAME,
    seats: [
      { seat: 0, kind: "human", name: "Ada" },
      { seat: 1, kind: "human" },
    ],
    position: { ...POSITION, ply: 1, toAct: [0] },
  };
  const claims = (root: ShadowRoot): string[] => texts(root, "[aria-label='Absent player'] button");

  it("can be beaten from the moment on that the server names", async () => {
    const root = await open(people);
    vi.useFakeTimers();
    Line.newest?.say({ type: "claim", claimableAt: 65_000, serverTime: 5000 });
    await vi.advanceTimersByTimeAsync(59_000);
    expect(claims(root)).toEqual([]);
    await vi.advanceTimersByTimeAsync(2000);
    expect(claims(root)).toEqual(["Claim the win", "Call a draw"]);
    Line.newest?.say({ type: "claim", claimableAt: null, serverTime: 66_000 });
    await vi.advanceTimersByTimeAsync(1);
    expect(claims(root)).toEqual([]);
  });

  it("loses when the player presses the button", async () => {
    const root = await open(people);
    const position = { ...people.position, status: "finished", toAct: [] };
    answers["/api/games/g/claim"] = {
      ply: 1,
      position: { ...position, result: { winners: [1], reason: "disconnect" } },
    };
    Line.newest?.say({ type: "claim", claimableAt: 0, serverTime: 0 });
    await vi.waitUntil(() => claims(root).length > 0);
    all(root, "[aria-label='Absent player'] button")[0]?.dispatchEvent(new Event("click"));
    await vi.waitUntil(() => texts(root, "button").includes("Rematch"));
    expect(claims(root)).toEqual([]);
  });

  it("does not keep more than one other player from going on", async () => {
    const third = { seat: 2, kind: "human", name: "Cleo" } as const;
    const root = await open({ ...people, seats: [...people.seats, third] });
    Line.newest?.say({ type: "claim", claimableAt: 0, serverTime: 0 });
    await vi.waitUntil(() => claims(root).length > 0);
    expect(claims(root)).toEqual(["Go on without"]);
  });
});

it("explains why a game without assistance has no evaluation, and offers it at the end", async () => {
  const root = await open({ ...GAME, assistance: "none" });
  const bar = (): string | null | undefined => all(root, ".bar")[0]?.getAttribute("title");
  const evaluation = root.querySelector<HTMLInputElement>("[role=switch]") ?? expect.unreachable();
  expect(evaluation.disabled).toBe(true);
  expect(texts(root, ".note")).toContain("heap, Plain, no engine assistance");
  expect(texts(root, ".view .note:not([hidden])")).toEqual(["Evaluations are available after the game."]);
  expect(bar()).toContain("not available for this game Evaluations are available after the game.");
  follows({ status: "finished", toAct: [], result: { winners: [], reason: "draw-agreement" } });
  await vi.waitUntil(() => !evaluation.disabled);
  expect(texts(root, ".view .note:not([hidden])")).toEqual([]);
  expect(texts(root, ".note")).toContain("heap, Plain");
});

it("shows that a bot has disconnected, until it is back or the game is over", async () => {
  const root = await open(GAME);
  const notes = (): string[] => texts(root, ".note:not([hidden])");
  const gone = "Waiting for the bot to reconnect.";
  const attend = (connected: boolean): void =>
    Line.newest?.say({ type: "match-status", snapshot: { players: [{ connected }, { connected: false }] } });
  expect(notes()).not.toContain(gone);
  attend(false);
  await vi.waitUntil(() => notes().includes(gone));
  attend(true);
  await vi.waitUntil(() => !notes().includes(gone));
  attend(false);
  follows({ status: "finished", toAct: [], result: { winners: [], reason: "draw-agreement" } });
  await vi.waitUntil(() => texts(root, ".now")[0] === "Draw by agreement.");
  expect(notes()).not.toContain(gone);
});
