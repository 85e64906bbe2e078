// The page's pure parts: rows of moves, addresses, sentences, evaluations, and the choice of a game.
import { describe, expect, it } from "vitest";
import type { Game, GameRules, Seat } from "../src/api/shapes";
import { boardOf, boardProblem, botsFor, clockProblem, firstChoice, requestFor } from "../src/state/choice";
import {
  NO_EVALUATIONS,
  advance,
  basisAt,
  worthAt,
  withLink,
  type Evaluations,
} from "../src/state/evaluation";
import { historyUntil, moveRows, movesOf } from "../src/state/moves";
import { gamePath, routeOf } from "../src/state/route";
import { playerName, resultText, statusText, withNames } from "../src/state/labels";
import type { Frame } from "../src/net/socket";

describe("move list", () => {
  it.each([
    [[], 2, []],
    [["a"], 2, [{ number: 1, moves: ["a"] }]],
    [
      ["a", "b", "c"],
      2,
      [
        { number: 1, moves: ["a", "b"] },
        { number: 2, moves: ["c"] },
      ],
    ],
    [["a", "b", "c"], 3, [{ number: 1, moves: ["a", "b", "c"] }]],
  ])("puts %j with %i seats into rounds", (history, seats, rows) => {
    expect(moveRows(history, seats)).toEqual(rows);
  });

  it("counts no seat that leaves as a move", () => {
    const history = ["a", "!1", "b", "!2", "c"];
    expect(movesOf(history)).toEqual(["a", "b", "c"]);
    expect([0, 1, 2, 3].map((ply) => historyUntil(history, ply).join())).toEqual([
      "",
      "a,!1",
      "a,!1,b,!2",
      "a,!1,b,!2,c",
    ]);
  });
});

describe("addresses", () => {
  it.each([
    ["/", { page: "lobby" }],
    ["/game/ab%2Fc?token=t", { page: "game", gameId: "ab/c", token: "t" }],
    ["/game/abc", { page: "game", gameId: "abc", token: null }],
    ["/new", { page: "new", game: null }],
    ["/new/hive", { page: "new", game: "hive" }],
    ["/learn/hive", { page: "learn", game: "hive", number: 1 }],
    ["/learn/hive?step=3", { page: "learn", game: "hive", number: 3 }],
    ["/learn/hive?step=x", { page: "learn", game: "hive", number: 1 }],
    ["/learn/hive/rules", { page: "rules", game: "hive" }],
    ["/learn", { page: "unknown" }],
    ["/games", { page: "unknown" }],
    ["/game/%E0", { page: "unknown" }],
    ["/analysis/%E0", { page: "unknown" }],
    ["/learn/%E0", { page: "unknown" }],
    ["/new/%E0", { page: "unknown" }],
  ])("reads %s", (path, route) => {
    expect(routeOf(new URL(path, "http://plyhouse.test"))).toEqual(route);
  });

  it("round-trips", () => {
    const path = gamePath("ab/c", "t&=");
    expect(routeOf(new URL(path, "http://plyhouse.test"))).toEqual({
      page: "game",
      gameId: "ab/c",
      token: "t&=",
    });
  });
});

describe("sentences", () => {
  const seats: Seat[] = [
    { seat: 0, kind: "human" },
    { seat: 1, kind: "bot", name: "Easy" },
  ];

  it("gives nameless players the names of their seats", () => {
    const all: Seat[] = [...seats, { seat: 2, kind: "open" }];
    const names = withNames(all, ["White", "Black", "Red"]).map(({ name }) => name);
    expect(names).toEqual(["White", "Easy", undefined]);
    expect(withNames(all)).toEqual(all);
  });

  it.each([
    [[0], "capture", 0, "You win by capture."],
    [[0], "line", 0, "You win (line)."],
    [[1], "resignation", 0, "Easy wins by resignation."],
    [[0], "timeout", null, "Player 1 wins on time."],
    [[], "draw-agreement", 0, "Draw by agreement."],
  ])("tells the result: winners %j by %s for seat %s", (winners, reason, own, text) => {
    expect(resultText({ winners, reason }, seats, own, { capture: "by capture" })).toBe(text);
  });

  it.each([
    [[1], "disconnect", 0, "Bo wins because the last opponent disconnected."],
    [[0, 2], "points", 2, "You and Ada win by points."],
    [[0, 1, 2], "points", null, "Ada, Bo and Cleo win by points."],
    [[2], "resignation", 2, "You win by resignation."],
  ])("tells the result among three: winners %j by %s for seat %s", (winners, reason, own, text) => {
    const three = ["Ada", "Bo", "Cleo"].map((name, seat): Seat => ({ seat, kind: "human", name }));
    expect(resultText({ winners, reason }, three, own, { points: "by points" })).toBe(text);
  });

  it("marks seats that an engine plays", () => {
    const engine: Seat = { seat: 0, kind: "human", name: "nokamute", via: "uhp" };
    expect(playerName(engine, null)).toBe("nokamute (engine)");
    expect(playerName(engine, 0)).toBe("You");
  });

  it("quotes the loser's note", () => {
    const result = { winners: [1], reason: "resignation", note: "out of time, sorry" };
    expect(resultText(result, seats, null, {})).toBe("Easy wins by resignation: “out of time, sorry”.");
  });

  it("shows whose turn it is", () => {
    const board = { view: {}, legal: [], canFinish: false, history: [], clocks: [null, null] };
    const position = { ply: 0, toAct: [0], status: "playing", ...board } as const;
    const common = { gameId: "g", game: "wallwars", variant: "standard", config: {} };
    const game: Game = { ...common, assistance: "open", seatIndex: 0, seats, position };
    expect(statusText(game, 0, {})).toBe("Your turn.");
    expect(statusText(game, null, {})).toBe("Player 1 to move.");
    expect(statusText({ ...game, position: { ...position, toAct: [1] } }, 0, {})).toBe("Easy to move.");
    expect(statusText({ ...game, position: { ...position, toAct: [1], history: ["!0"] } }, 0, {})).toBe(
      "You have left the game. Easy to move.",
    );
    expect(statusText({ ...game, position: { ...position, status: "open" } }, 0, {})).toBe(
      "Waiting for an opponent.",
    );
  });
});

describe("evaluations", () => {
  const follow = (...frames: Frame[]): Evaluations => frames.reduce(advance, NO_EVALUATIONS);
  const accepted = { type: "eval-handshake-accepted" };
  const history = {
    type: "eval-history",
    entries: [
      { ply: 0, evaluation: 0 },
      { ply: 1, evaluation: 0.5 },
    ],
  };

  it("is live with the history and grows by updates", () => {
    expect(follow(accepted).status).toBe("pending");
    const state = follow(accepted, history, { type: "eval-update", ply: 2, evaluation: -2 });
    expect(state.status).toBe("live");
    expect([...state.byPly].map(([ply, { values }]) => [ply, ...values])).toEqual([
      [0, 0, -0],
      [1, 0.5, -0.5],
      [2, -1, 1],
    ]);
  });

  it("uses the values of all seats if a frame has them", () => {
    const update = { type: "eval-update", ply: 2, evaluation: 0.5, values: [0.5, 0.1, -2] };
    expect(follow(accepted, history, update).byPly.get(2)?.values).toEqual([0.5, 0.1, -1]);
  });

  it("knows what the shown value is based on", () => {
    const update = { type: "eval-update", ply: 2, evaluation: 0, source: "net", samples: 7 };
    const state = follow(accepted, history, update);
    expect([1, 2, 3].map((ply) => basisAt(state, ply))).toEqual([
      null,
      { source: "net", samples: 7 },
      { source: "net", samples: 7 },
    ]);
  });

  it("replaces everything by a fresh history", () => {
    const update = { type: "eval-update", ply: 2, evaluation: 1 };
    expect(follow(accepted, history, update, history).byPly.size).toBe(2);
  });

  it("keeps the values while a new history is computed", () => {
    const state = follow(accepted, history, { type: "eval-pending", totalMoves: 1 });
    expect(state.status).toBe("pending");
    expect(state.byPly.size).toBe(2);
  });

  it.each([
    ["eval-error", "frozen", 2],
    ["eval-handshake-rejected", "forbidden", 0],
  ])("shows the sentence of %s", (type, status, values) => {
    const state = follow(accepted, history, { type, message: "No." });
    expect(state).toMatchObject({ status, problem: "No." });
    expect(state.byPly.size).toBe(values);
  });

  it("freezes the values while the connection is lost", () => {
    expect(withLink(follow(accepted), "waiting").status).toBe("connecting");
    const lost = withLink(follow(accepted, history), "waiting");
    expect([lost.status, lost.byPly.size]).toEqual(["frozen", 2]);
    expect(advance(lost, accepted).status).toBe("pending");
    expect(withLink(NO_EVALUATIONS, "closed").status).toBe("off");
  });

  it("ignores unknown frames", () => {
    expect(follow({ type: "pong" })).toBe(NO_EVALUATIONS);
  });

  it("shows the last known value", () => {
    const state = follow(history);
    expect([0, 1, 5].map((ply) => worthAt(state, ply)?.values[0])).toEqual([0, 0.5, 0.5]);
    expect(worthAt(NO_EVALUATIONS, 3)).toBeNull();
  });

  it("shows chances and points only with the values that they belong to", () => {
    const entries = [
      { ply: 0, evaluation: 0.2, chances: [0.7, 0.3], points: [5, 4] },
      { ply: 1, evaluation: 1 },
    ];
    const known = advance(NO_EVALUATIONS, { type: "eval-history", entries });
    expect([0, 1, 5].map((ply) => worthAt(known, ply)?.chances)).toEqual([[0.7, 0.3], null, null]);
    expect([0, 1].map((ply) => worthAt(known, ply)?.points)).toEqual([[5, 4], null]);
    const update = { type: "eval-update", ply: 2, evaluation: 0.5, chances: [0.8, 0.2] };
    expect(worthAt(advance(known, update), 5)?.chances).toEqual([0.8, 0.2]);
  });
});

describe("choice of a game", () => {
  const rules: GameRules = {
    game: "wallwars",
    variants: ["standard", "freestyle"],
    about: {
      title: "Wallwars",
      boardWidth: { min: 3, max: 20, default: 8 },
      boardHeight: { min: 3, max: 20, default: 7 },
      fixedBoards: { freestyle: { boardWidth: 12, boardHeight: 10 } },
      variants: {},
    },
  };
  const first = firstChoice(rules);
  const EASY = { id: "plyhouse:easy", clientId: "plyhouse", name: "Easy", timed: true };

  it("starts with the defaults", () => {
    const board = { boardWidth: 8, boardHeight: 7 };
    expect(first).toMatchObject({ variant: "standard", board, opponent: "engine" });
  });

  it("handles variants with a fixed board, and restores the choice afterwards", () => {
    expect(boardOf(rules, { ...first, variant: "freestyle" })).toEqual({ boardWidth: 12, boardHeight: 10 });
    expect(boardOf(rules, first)).toEqual({ boardWidth: 8, boardHeight: 7 });
  });

  it.each([
    [8, 8, null],
    [2, 8, "Choose 3 to 20 columns."],
    [8, 21, "Choose 3 to 20 rows."],
    [8, NaN, "Choose 3 to 20 rows."],
    [4.5, 8, "Choose 3 to 20 columns."],
  ])("judges %d by %d", (boardWidth, boardHeight, problem) => {
    expect(boardProblem(rules, { ...first, board: { boardWidth, boardHeight } })).toBe(problem);
  });

  it("distinguishes built-in bots from attached ones", () => {
    const bots = ["plyhouse", "lab"].map((clientId) => ({
      id: `${clientId}:b`,
      clientId,
      name: "B",
      timed: true,
    }));
    expect(botsFor("engine", bots).map(({ id }) => id)).toEqual(["plyhouse:b"]);
    expect(botsFor("bot", bots).map(({ id }) => id)).toEqual(["lab:b"]);
    expect(botsFor("friend", bots)).toEqual([]);
  });

  it("requests a bot or an open seat, on the other side", () => {
    expect(requestFor(rules, first, [EASY], "").seats).toEqual([
      { kind: "human" },
      { kind: "bot", bot: "plyhouse:easy" },
    ]);
    const friend = { ...first, opponent: "friend", seat: 1 } as const;
    expect(requestFor(rules, friend, [], "").seats).toEqual([{ kind: "open" }, { kind: "human" }]);
  });

  it("lists an open game that anyone can join, with the player's name", () => {
    const request = requestFor(rules, { ...first, opponent: "anybody" }, [], "Ada");
    expect(request).toMatchObject({
      listed: true,
      seats: [{ kind: "human", name: "Ada" }, { kind: "open" }],
    });
    expect(requestFor(rules, first, [EASY], "")).not.toHaveProperty("listed");
  });

  it.each([
    ["engine", null, "open"],
    ["friend", null, "none"],
    ["friend", "open", "open"],
    ["anybody", null, "none"],
    ["anybody", "open", "open"],
  ] as const)("allows evaluations against %s who chose %s: %s", (opponent, chosen, assistance) => {
    expect(requestFor(rules, { ...first, opponent, assistance: chosen }, [], "").assistance).toBe(assistance);
  });

  it.each([
    ["none", undefined],
    ["blitz", { initialSeconds: 180, incrementSeconds: 2, preset: "blitz" }],
    ["own", { initialSeconds: 90, incrementSeconds: 4 }],
  ])("asks for the clock %s", (clock, timeControl) => {
    const choice = { ...first, clock, ownClock: { minutes: 1.5, increment: 4 } };
    const bots = [
      EASY,
      ...[false, true].map((timed) => ({ ...EASY, id: `lab:${timed}`, clientId: "lab", timed })),
    ];
    const against = (botId: string): unknown =>
      requestFor(rules, { ...choice, opponent: "bot", botId }, bots, "").timeControl;
    expect(requestFor(rules, choice, bots, "").timeControl).toEqual(timeControl);
    expect([against("lab:true"), against("lab:false")]).toEqual([timeControl, undefined]);
  });

  it("knows the limits of clocks", () => {
    const own = (minutes: number, increment: number): string | null =>
      clockProblem({ ...first, clock: "own", ownClock: { minutes, increment } }, [EASY]);
    expect([own(5, 3), own(0, 3), own(NaN, 3), own(5, 61)]).toEqual([
      null,
      "Choose 0.5 to 60 minutes.",
      "Choose 0.5 to 60 minutes.",
      "Choose 0 to 60 whole seconds per move.",
    ]);
  });

  it("needs no board", () => {
    const heap: GameRules = { game: "heap", variants: ["plain"], about: {} };
    const choice = firstChoice(heap);
    expect([boardOf(heap, choice), boardProblem(heap, choice)]).toEqual([null, null]);
    expect(requestFor(heap, choice, [], "")).toMatchObject({ game: "heap", variant: "plain", config: {} });
  });
});
