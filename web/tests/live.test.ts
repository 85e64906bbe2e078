// The pure parts of a running game: clocks, browsing, offers and chat, keys; and the lists of the lobby.
import { describe, expect, it, vi } from "vitest";
import type { GameRules, LiveGame, PastGame, Position, WaitingGame } from "../src/api/shapes";
import { NOBODY, applyFrame, offersIn, type MatchState } from "../src/state/match";
import { Browsing } from "../src/state/browsing";
import { clockText, clocksOf, leftAt, lowBelow } from "../src/state/clock";
import { browsedPly } from "../src/state/browsing-keys";
import { liveAfter } from "../src/state/lobby";
import {
  clockLabel,
  dateText,
  liveRow,
  pastRow,
  waitingRow,
  withSeats,
  type GameRow,
} from "../src/state/game-rows";
import { awaySeats, gameLine, presenceOf, scoreOf } from "../src/state/labels";
import type { Frame } from "../src/net/socket";

const POSITION: Position = {
  ply: 2,
  toAct: [0],
  status: "playing",
  view: {},
  legal: [],
  canFinish: true,
  history: ["a", "b"],
  clocks: [60_000, 30_000],
  running: [0],
};

describe("clocks", () => {
  it("run for the seats that the server names, and never below 0", () => {
    const clocks = clocksOf(POSITION, 1000);
    expect([leftAt(clocks, 0, 6000), leftAt(clocks, 1, 6000)]).toEqual([55_000, 30_000]);
    expect([leftAt(clocks, 0, 90_000), leftAt(clocks, 0, 0)]).toEqual([0, 60_000]);
  });

  it("do not run while the seat to move has not been asked for its move", () => {
    expect(leftAt(clocksOf({ ...POSITION, running: [] }, 0), 0, 9000)).toBe(60_000);
  });

  it("may be absent", () => {
    expect(leftAt(clocksOf({ ...POSITION, clocks: [null, null], running: [] }, 0), 0, 9000)).toBeNull();
  });

  it.each([
    [undefined, 20_000],
    [{ initialSeconds: 10, incrementSeconds: 0 }, 20_000],
    [{ initialSeconds: 0, incrementSeconds: 0, moveMs: 10_000 }, 2000],
    [{ initialSeconds: 0, incrementSeconds: 0, moveMs: 300_000 }, 20_000],
  ])("are low with the time control %j below %i ms", (control, ms) => {
    expect(lowBelow(control)).toBe(ms);
  });

  it.each([
    [245_000, "4:05"],
    [3_720_000, "1:02:00"],
    [60_999, "1:00"],
    [9_349, "0:09.3"],
    [0, "0:00.0"],
  ])("write %i ms as %s", (ms, text) => {
    expect(clockText(ms)).toBe(text);
  });
});

it("joins the chat that the server has kept with what was said since", () => {
  const line = (timestamp: number, text: string): Frame => ({
    type: "chat-message",
    channel: "game",
    senderId: "s",
    senderName: "Ada",
    text,
    timestamp,
  });
  const early = applyFrame(applyFrame(NOBODY, line(3, "c")), line(2, "b"));
  const kept = applyFrame(early, { type: "chat-history", lines: [line(1, "a"), line(2, "b")] });
  expect(kept.chat.map(({ text }) => text)).toEqual(["a", "b", "c"]);
  expect([early.isChatLoaded, kept.isChatLoaded]).toEqual([false, true]);
});

describe("browsing", () => {
  const at = (...history: string[]): Position => ({ ...POSITION, ply: history.length, history });
  const load = vi.fn((ply: number) => Promise.resolve(at(...["a", "b", "c"].slice(0, ply))));

  function begin(): Browsing {
    load.mockClear();
    const browsing = new Browsing(load, vi.fn(), (error) => {
      throw error;
    });
    browsing.follow(at("a", "b", "c"));
    return browsing;
  }

  it("shows earlier positions, requests each once, and returns", async () => {
    const browsing = begin();
    await browsing.show(1);
    expect([browsing.position?.history, browsing.ply]).toEqual([["a"], 1]);
    await browsing.show(2);
    await browsing.show(1);
    expect(load).toHaveBeenCalledTimes(2);
    await browsing.show(99);
    expect([browsing.position, browsing.ply]).toEqual([null, 3]);
    await browsing.show(-5);
    expect(browsing.ply).toBe(0);
  });

  it("stays while the game continues, and leaves a position that was taken back", async () => {
    const browsing = begin();
    await browsing.show(2);
    browsing.follow(at("a", "b", "c", "d"));
    expect(browsing.position?.ply).toBe(2);
    browsing.follow(at("a"));
    expect([browsing.position, browsing.ply]).toEqual([null, 1]);
  });

  it("shows the last requested position, whichever arrives first", async () => {
    const browsing = begin();
    const slow = browsing.show(1);
    await browsing.show(2);
    await slow;
    expect(browsing.position?.ply).toBe(2);
  });
});

describe("keys", () => {
  const press = (key: string, more: KeyboardEventInit = {}): number | null =>
    browsedPly(new KeyboardEvent("keydown", { key, ...more }), 3, 8);

  it("navigate the moves", () => {
    expect(["ArrowLeft", "ArrowRight", "Home", "End", "x"].map((key) => press(key))).toEqual([
      2,
      4,
      0,
      8,
      null,
    ]);
    expect(press("ArrowLeft", { altKey: true })).toBeNull();
  });
});

describe("the state of a match", () => {
  const follow = (...frames: Frame[]): MatchState => frames.reduce(applyFrame, NOBODY);

  it("remembers offers until they are answered", () => {
    expect(follow({ type: "draw-offer", playerId: 2 }).offers.draw).toBe(1);
    const refused = follow({ type: "draw-offer", playerId: 2 }, { type: "draw-rejected", playerId: 1 });
    expect([refused.offers.draw, refused.notice]).toEqual([null, "The draw was declined."]);
  });

  it("drops offers that are no longer open", () => {
    expect(offersIn(undefined)).toEqual({ takeback: null, draw: null, rematch: null });
    expect(offersIn({ kind: "rematch", seat: 1 })).toEqual({ takeback: null, draw: null, rematch: 1 });
  });

  it("stores the rematch, with the player's token or as a spectator", () => {
    const seat = { token: "t", socketToken: "t" };
    expect(follow({ type: "rematch-started", newGameId: "g2", seat }).rematch).toEqual({
      gameId: "g2",
      token: "t",
      isNew: true,
    });
    expect(follow({ type: "rematch-started", newGameId: "g2" }).rematch?.token).toBeNull();
  });

  it("keeps chat messages", () => {
    const said = { type: "chat-message", channel: "game", senderId: "s", senderName: "Ada", text: "Hi" };
    expect(follow(said, said).chat.map(({ text }) => text)).toEqual(["Hi", "Hi"]);
  });

  it("shows who has disconnected, except oneself, and only during the game", () => {
    const seats = [0, 1].map((seat) => ({ seat, kind: "human" as const }));
    const gone = { players: [{ connected: false }, { connected: false }] };
    expect(awaySeats({ position: POSITION, seats }, gone, 0)).toEqual([1]);
    expect(awaySeats({ position: { ...POSITION, status: "finished" }, seats }, gone, 0)).toEqual([]);
    expect(awaySeats({ position: POSITION, seats }, null, 0)).toEqual([]);
  });

  it("tells who has left a game that goes on from who is away", () => {
    const seats = [0, 1, 2].map((seat) => ({ seat, kind: "human" as const }));
    const gone = { players: [{ connected: true }, { connected: false }, { connected: false }] };
    const game = { position: { ...POSITION, history: ["a", "!1", "b"] }, seats };
    expect(seats.map(({ seat }) => presenceOf(game, gone, 0, seat))).toEqual(["here", "left", "away"]);
    const over = { ...game, position: { ...game.position, status: "finished" as const } };
    expect(presenceOf(over, gone, 1, 1)).toBe("left");
  });

  it("counts points from the second game on", () => {
    expect(scoreOf({ players: [], matchScore: { 1: 0, 2: 0 } }, 0)).toBe("");
    expect(scoreOf({ players: [], matchScore: { 1: 0, 2: 1.5 } }, 1)).toBe("1.5");
  });
});

describe("lobby", () => {
  const seats = [
    { seat: 0, kind: "human", name: "Ada" },
    { seat: 1, kind: "bot", name: "Easy" },
  ] as const;
  const game: LiveGame = {
    id: "g",
    game: "heap",
    variant: "plain",
    seats,
    boardWidth: 5,
    boardHeight: 4,
    moveCount: 1,
    lastMoveAt: 5,
    spectatorCount: 0,
  };
  const rules = new Map<string, GameRules>([
    ["heap", { game: "heap", variants: [], about: { title: "Heap", reasons: { line: "by a line" } } }],
  ]);

  it("follows the live games, newest move first", () => {
    const other = { ...game, id: "h", lastMoveAt: 9 };
    const frames: Frame[] = [
      { type: "snapshot", games: [game] },
      { type: "upsert", game: other },
      { type: "upsert", game: { ...game, moveCount: 2, lastMoveAt: 10 } },
    ];
    const games = frames.reduce(liveAfter, null);
    expect(games?.map(({ id, moveCount }) => `${id}${moveCount}`)).toEqual(["g2", "h1"]);
    expect(liveAfter(games, { type: "remove", gameId: "g" })).toEqual([other]);
    expect(liveAfter(games, { type: "later" })).toBe(games);
  });

  it("shows every kind of game as a row", () => {
    expect(liveRow(game, rules)).toMatchObject({
      players: ["Ada", "Easy"],
      about: "Heap, Plain, 5 × 4",
      note: "1 move",
    });
    const timeControl = { initialSeconds: 180, incrementSeconds: 2 };
    const config = { boardWidth: 5, boardHeight: 4, timeControl };
    const waiting: WaitingGame = {
      ...game,
      config,
      createdAt: 0,
      seats: [seats[0], { seat: 1, kind: "open" }],
    };
    const open = { players: ["Ada"], about: "Heap, Plain, 5 × 4", note: "3 + 2" };
    expect(waitingRow(waiting, rules)).toMatchObject(open);
    expect(waitingRow({ ...waiting, assistance: "open" }, rules).about).toBe(
      "Heap, Plain, 5 × 4, evaluation on",
    );
    const past: PastGame = {
      ...game,
      gameId: "g",
      ply: 7,
      updatedAt: 0,
      result: { winners: [0], reason: "line" },
    };
    expect(pastRow(past, rules)).toMatchObject({
      about: "Heap, Plain, 5 × 4 · Ada wins by a line.",
      note: expect.stringMatching(/^\d.* · 7 moves$/) as string,
    });
    expect(gameLine({ title: "Heap" }, { game: "heap", variant: "plain", config: {} })).toBe("Heap, Plain");
    const about = { title: "Heap", variantTitles: { plain: "Without walls" } };
    expect(gameLine(about, { game: "heap", variant: "plain", config: {} })).toBe("Heap, Without walls");
  });

  it("writes the time of today, and the date of other days", () => {
    const at = (text: string): number => new Date(text).getTime();
    const now = at("2026-11-28T12:00");
    expect(dateText(at("2026-11-28T09:05"), now)).toBe("09:05");
    expect(dateText(at("2026-03-02T09:05"), now)).toBe("2 Mar");
    expect(dateText(at("2025-03-02T09:05"), now)).toBe("2 Mar 2025");
  });

  it("puts the player's games first", () => {
    const row = (id: string): GameRow => ({ id, href: `/game/${id}`, players: [], about: "", note: "" });
    const seen = withSeats([row("a"), row("b"), row("c")], (id) => (id === "b" ? "t" : null));
    expect(seen.map(({ href, isOwn }) => [href, isOwn])).toEqual([
      ["/game/b", true],
      ["/game/a", undefined],
      ["/game/c", undefined],
    ]);
  });

  it.each([
    [undefined, "no clock"],
    [{ initialSeconds: 86_400, incrementSeconds: 0 }, "no clock"],
    [{ initialSeconds: 90, incrementSeconds: 1 }, "1.5 + 1"],
    [{ initialSeconds: 30, incrementSeconds: 0 }, "30 s + 0"],
    [{ initialSeconds: 0, incrementSeconds: 0, moveMs: 1500 }, "1.5 s per move"],
  ])("writes the clock %j as %s", (control, text) => {
    expect(clockLabel(control)).toBe(text);
  });
});
