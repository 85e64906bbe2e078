"""The event stream of a client: what happens to its bots, on a running server, and what readers may cost."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from protocols.values import LeaveReason, Status
from server.domain import events as e
from server.domain.fold import fold
from server.domain.game import GameState
from server.domain.tournaments.acceptance import ABSENT
from server.routes.author.client_events import EventLines
from server.services.client_events import event_stream
from server.services.client_events.client_event import (
    BotDetached,
    ClientEvent,
    GameFinished,
    GameStarted,
    LadderPaused,
    LadderResumed,
    StreamClosed,
)
from server.services.client_events.client_feed import ClientFeed
from server.services.client_events.event_stream import MOST_WAITING, TOO_SLOW, EventStream
from server.web.connection_limit import ConnectionLimit
from server.web.http_connection import CUT, HttpConnection
from tests.server.bot_peers import SECONDS, Bot, Json, a_bot, between_people, challenge, http, submit
from tests.server.serving import Served
from tests.server.test_ladder import on_ladder
from tests.server.test_ladder_rules import BEGIN
from tests.server.tournament_calls import TOY, TOY_BOT, create, games_of, is_finished, start, until

PATH = "/api/stream/events"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server whose built-in levels play no games of the ladder."""
    limits = {"PLYHOUSE_LADDER_LEVEL_GAMES": "0", "PLYHOUSE_EVENT_STREAMS_PER_ADDRESS": "3"}
    options = ("--trust-proxy", "127.0.0.0/8")
    with Served(tmp_path_factory.mktemp("events"), *options, **limits) as server:
        yield server


class Lines:
    """One reader of a stream."""

    def __init__(self, answer: httpx.Response) -> None:
        self._lines = answer.aiter_lines()

    async def line(self) -> str:
        """The next line."""
        async with asyncio.timeout(SECONDS):
            return await anext(self._lines)

    async def next(self) -> Json:
        """The next event."""
        while not (line := await self.line()):
            pass
        return dict(json.loads(line))

    async def until(self, kind: str, **members: object) -> Json:
        """Reads to an event of this type with these members."""
        while True:
            event = await self.next()
            if event["type"] == kind and all(event[name] == value for name, value in members.items()):
                return event


def authorization(client_id: str, secret: str) -> dict[str, bytes]:
    return {"Authorization": f"Bearer {client_id}:{secret}".encode()}


@asynccontextmanager
async def reading(client: httpx.AsyncClient, client_id: str, secret: str) -> AsyncIterator[Lines]:
    async with client.stream("GET", PATH, headers=authorization(client_id, secret)) as answer:  # type: ignore[arg-type]
        assert answer.status_code == 200, await answer.aread()
        assert answer.headers["content-type"] == "application/x-ndjson"
        yield Lines(answer)


async def secret_of(served: Served, client_id: str) -> str:
    """Attaches a client once; returns its secret."""
    async with a_bot(served) as bot:
        return str((await bot.attach(client_id))["resumeSecret"])


async def resigning(bot: Bot) -> None:
    """Makes an illegal move whenever it is asked for one."""
    while True:
        asked = await bot.next()
        match asked["type"]:
            case "evaluate_position":
                ply = asked["expectedPly"]
                await bot.answer("evaluate_response", asked, ply=ply, bestMove="nonsense", evaluation=0.0)
            case "start_game_session":
                await bot.answer("game_session_started", asked)
            case "end_game_session":
                await bot.answer("game_session_ended", asked)
            case "apply_move":
                await bot.answer("move_applied", asked, ply=asked["expectedPly"] + 1)


async def test_an_author_sees_bots_come_play_and_go(served: Served) -> None:
    secret = await secret_of(served, "ann")
    async with http(served) as client, reading(client, "ann", secret) as lines:
        assert await lines.line() == "", "the stream begins at once"
        async with on_ladder(served, "ann", secret=secret, version="1"), on_ladder(served, "ben", name="Ben"):
            came = await lines.next()
            assert (came["type"], came["bot"], came["version"], came["ladder"]) == (
                "bot-connected", "ann:b1", "1", True,
            )  # fmt: skip
            games = [await lines.next() for _ in range(4)]
        assert [event["type"] for event in games] == ["game-started", "game-finished"] * 2
        begun, over = games[:2]
        assert begun["gameId"] == over["gameId"]
        assert (begun["bot"], begun["ladder"], begun["game"]) == ("ann:b1", True, "toy-draw")
        assert begun["opponents"] == [{"seat": 1 - begun["seat"], "name": "Ben", "bot": "ben:b1"}]
        read = (await client.get(f"/api/games/{over['gameId']}")).json()
        assert begun["opening"] == read["position"]["history"][: len(begun["opening"])]
        assert (over["result"], over["plies"]) == (read["position"]["result"], read["position"]["ply"])
        winners = over["result"]["winners"]
        assert over["score"] == ("drawn" if not winners else "won" if begun["seat"] in winners else "lost")
        assert (over["counts"], over["lostByError"]) == (True, False)
        await lines.until("bot-disconnected", bot="ann:b1")


async def test_a_reader_first_hears_how_things_are_and_then_why_a_game_was_lost(served: Served) -> None:
    async with a_bot(served) as bot, http(served) as client:
        secret = (await bot.attach("lost"))["resumeSecret"]
        game = await challenge(client, "lost:b1")
        async with reading(client, "lost", secret) as lines:
            connected, begun = await lines.next(), await lines.next()
            assert (connected["type"], connected["ladder"]) == ("bot-connected", False)
            assert (begun["type"], begun["gameId"], begun["seat"]) == ("game-started", game["gameId"], 1)
            assert begun["opponents"] == [{"seat": 0, "name": "Player 1"}]
            assert (begun["ladder"], begun["opening"]) == (False, [])
            playing = asyncio.ensure_future(resigning(bot))
            assert (await submit(client, game, "Cb2")).status_code == 200
            over = await lines.next()
            playing.cancel()
            assert (over["type"], over["gameId"], over["score"]) == ("game-finished", game["gameId"], "lost")
            assert over["result"]["reason"] == "resignation"
            assert "nonsense" in over["result"]["note"]
            assert over["counts"] is False, "it was none of the ladder"


async def test_a_pause_on_the_ladder_is_told_with_its_reason(served: Served) -> None:
    hour = datetime.now(UTC).hour
    quiet = {"quietHours": [hour, (hour + 2) % 24]}
    secret = await secret_of(served, "calm")
    async with http(served) as client, reading(client, "calm", secret) as lines:
        async with on_ladder(served, "calm", None, secret=secret, ladder=quiet):
            await lines.until("bot-connected")
            pause = await lines.next()
            assert (pause["type"], pause["reason"]) == ("ladder-paused", "has quiet hours")
            assert (pause["bot"], pause["game"], pause["variant"]) == ("calm:b1", "toy-draw", "standard")
            async with reading(client, "calm", secret) as others:
                assert [(await others.next())["type"] for _ in range(2)] == ["bot-connected", "ladder-paused"]
        assert (await lines.next())["type"] == "bot-disconnected"


async def test_a_forfeit_in_a_tournament_is_told_to_both_authors(tmp_path: Path) -> None:
    """The game does not begin, so that no other event tells of it."""
    with Served(tmp_path, PLYHOUSE_TOURNAMENT_WAIT_SECONDS="0.2") as served:
        async with http(served) as client, a_bot(served) as stays, a_bot(served) as leaves:
            secrets = [
                str((await bot.attach(name, TOY_BOT))["resumeSecret"])
                for name, bot in (("stays", stays), ("leaves", leaves))
            ]
            made = await create(client, {"bot": "stays:b1"}, {"bot": "leaves:b1"}, config={}, **TOY)
            await leaves.connection.close()
            async with (
                reading(client, "stays", secrets[0]) as winner,
                reading(client, "leaves", secrets[1]) as loser,
            ):
                assert [await winner.line(), await loser.line()] == ["", ""]
                await start(client, made)
                won, lost = await winner.until("game-forfeited"), await loser.until("game-forfeited")
            found = await until(client, made, is_finished)
    [game] = games_of(found)
    assert (won["points"], lost["points"], won["round"]) == (1, 0, 1)
    assert (lost["bot"], lost["seat"]) == ("leaves:b1", game["players"].index(2))
    assert lost["opponents"] == [{"seat": won["seat"], "name": "B", "bot": "stays:b1"}]
    assert (lost["tournamentId"], lost["tournament"]) == (made["id"], "Test")
    assert (lost["reason"], lost["note"]) == (game["reason"], game["note"]) == ("absent", ABSENT.note)


async def test_only_the_owner_of_a_client_id_reads(served: Served) -> None:
    owner = await secret_of(served, "mine")
    guest = await secret_of(served, "mine")
    async with http(served) as client:
        for headers, why in (
            ({}, "Send the clientId and the resumeSecret"),
            ({"Authorization": b"Bearer mine"}, "Send the clientId and the resumeSecret"),
            ({"Authorization": b"Basic bWluZQ=="}, "Send a token as Authorization: Bearer <token>."),
            (authorization("nobody", owner), "There is no client 'nobody'"),
            (authorization("mine", "wrong"), "That is not the resumeSecret of the client 'mine'."),
            (authorization("mine", guest), "this is a guest's resumeSecret"),
        ):
            answer = await client.get(PATH, headers=headers)  # type: ignore[arg-type]  # bytes are fine
            assert (answer.status_code, answer.json()["code"]) == (401, "no-token")
            assert why in answer.json()["error"]
        async with reading(client, "mine", owner) as lines:
            assert await lines.line() == ""


async def test_names_of_any_script_can_read(served: Served) -> None:
    secret = await secret_of(served, "Zoë ☃")
    async with http(served) as client, reading(client, "Zoë ☃", secret) as lines:
        assert await lines.line() == ""


async def test_a_newer_stream_takes_over(served: Served) -> None:
    secret = await secret_of(served, "one")
    async with (
        http(served) as client,
        reading(client, "one", secret) as oldest,
        reading(client, "one", secret),
        reading(client, "one", secret),
    ):
        closed = await oldest.next()
        assert (closed["type"], "a newer stream" in closed["reason"]) == ("closed", True)
        with pytest.raises(StopAsyncIteration):
            await oldest.line()


async def test_an_address_has_so_many_streams(served: Served) -> None:
    one, other = await secret_of(served, "first"), await secret_of(served, "second")
    async with http(served) as client:
        client.headers["X-Forwarded-For"] = "203.0.113.7"
        async with (
            reading(client, "first", one),
            reading(client, "first", one),
            reading(client, "second", other),
        ):
            answer = await client.get(PATH, headers=authorization("second", other))  # type: ignore[arg-type]
            assert answer.status_code == 429
            assert answer.json()["error"] == "At most 3 event streams at once from one address."
            client.headers["X-Forwarded-For"] = "203.0.113.8"
            async with reading(client, "second", other) as lines:
                assert await lines.line() == ""


async def test_games_of_others_are_not_told(served: Served) -> None:
    secret = await secret_of(served, "alone")
    async with http(served) as client, reading(client, "alone", secret) as lines:
        assert await lines.line() == ""
        one, _ = await between_people(client)
        await submit(client, one, "Cb2")
        async with on_ladder(served, "alone", None, secret=secret):
            assert (await lines.next())["type"] == "bot-connected"


# ---- one client -----------------------------------------------------------------------------------


def state(status: Status, game_id: str = "g", created_at: int = 1000) -> GameState:
    """A game of the bot ``ann:b``, which is over by a resignation unless it is played."""
    log: list[e.Event] = [BEGIN]
    if status is Status.FINISHED:
        log.append(e.Left(1, LeaveReason.RESIGNATION))
    folded = fold(game_id, [e.Recorded(seq, created_at, event) for seq, event in enumerate(log, start=1)])
    assert folded is not None
    return folded


async def test_a_game_begins_once_and_ends_once() -> None:
    feed = ClientFeed("ann", since=1000)
    stream = EventStream((), None, lambda: None)
    feed.add(stream, 1000)
    for status in (Status.PLAYING, Status.PLAYING, Status.FINISHED, Status.FINISHED, Status.PLAYING):
        feed.see_game(state(status))
    stream.end(StreamClosed(1, "done"))
    assert [type(event) for event in await read(stream)] == [
        type(None),
        GameStarted,
        GameFinished,
        StreamClosed,
    ]
    stream.release()


async def test_a_game_that_was_missed_is_told_and_one_that_was_over_is_not() -> None:
    feed = ClientFeed("ben", since=100_000)
    stream = EventStream((), None, lambda: None)
    feed.add(stream, 100_000)
    feed.see_game(state(Status.FINISHED, "old", created_at=1000))
    assert feed.known == []
    feed.see_game(state(Status.FINISHED, "new", created_at=101_000))
    stream.end(StreamClosed(1, "done"))
    _, begun, over, _ = await read(stream)
    assert isinstance(begun, GameStarted)
    assert isinstance(over, GameFinished)
    assert (begun.game.seat, begun.game.opponents[0].bot_id, over.score) == (1, "ann:b", "lost")
    stream.release()


async def test_a_pause_is_told_when_its_reason_changes_and_when_it_ends() -> None:
    feed = ClientFeed("ann", since=0)
    stream = EventStream((), None, lambda: None)
    feed.add(stream, 0)
    key = "ann:b", ("hive", "Base")
    for now, reasons in enumerate(({}, {key: "tired"}, {key: "tired"}, {key: "ill"}, {}, {}), start=1):
        feed.see_pauses(reasons, now)
        assert [event.at for event in feed.known] == ([] if not reasons else [4 if now == 4 else 2])
    stream.end(StreamClosed(7, "done"))
    assert await read(stream) == [
        None,
        LadderPaused(2, "ann:b", "hive", "Base", "tired"),
        LadderPaused(4, "ann:b", "hive", "Base", "ill"),
        LadderResumed(5, "ann:b", "hive", "Base"),
        StreamClosed(7, "done"),
    ]
    stream.release()


# ---- one stream ------------------------------------------------------------------------------------


def numbered(count: int) -> list[ClientEvent]:
    return [BotDetached(number, "ann:b", "hive") for number in range(count)]


async def read(stream: EventStream) -> list[ClientEvent | None]:
    async with asyncio.timeout(SECONDS):
        return [event async for event in stream.events()]


async def test_a_slow_reader_gets_what_waited_and_the_reason() -> None:
    stream = EventStream(numbered(3), None, lambda: None)
    told = numbered(MOST_WAITING + 5)
    for event in told:
        stream.offer(event)
    assert stream.is_ended
    assert await read(stream) == [
        None,
        *numbered(3),
        *told[:MOST_WAITING],
        StreamClosed(MOST_WAITING, TOO_SLOW),
    ]
    stream.release()


async def test_silence_is_broken_by_empty_lines() -> None:
    stream = EventStream((), None, lambda: None, keep_alive=0.01)
    events = stream.events()
    assert [await anext(events) for _ in range(3)] == [None] * 3
    stream.offer(numbered(1)[0])
    found = None
    async with asyncio.timeout(SECONDS):
        while found is None:
            found = await anext(events)
    assert found == numbered(1)[0]


async def test_who_does_not_read_to_the_end_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_stream, "LAST_SECONDS", 0.01)
    is_cut = asyncio.Event()
    stream = EventStream((), None, is_cut.set)
    stream.end(StreamClosed(1, "done"))
    async with asyncio.timeout(SECONDS):
        await is_cut.wait()
    left = EventStream((), None, lambda: pytest.fail("it has left"))
    left.end(StreamClosed(1, "done"))
    left.release()
    await asyncio.sleep(0.05)  # Nothing happens.


async def test_a_connection_that_is_not_read_is_cut_and_its_stream_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(event_stream, "LAST_SECONDS", 0.1)
    streams: list[EventStream] = []
    is_closed = asyncio.Event()

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        streams.append(EventStream((), None, scope["extensions"][CUT]))
        await EventLines(streams[0], is_closed.set)(scope, receive, send)

    http: Any = partial(HttpConnection, limit=ConnectionLimit(0))
    config = uvicorn.Config(application, http=http, port=0, log_config=None, lifespan="off")
    config.load()
    server = uvicorn.Server(config)
    server.lifespan = config.lifespan_class(config)
    await server.startup()
    try:
        with socket.create_connection(server.servers[0].sockets[0].getsockname()) as client:
            client.sendall(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
            async with asyncio.timeout(SECONDS):
                while not streams or not streams[0].is_ended:
                    await asyncio.sleep(0.001)  # The connection takes what its buffers can hold.
                    for stream in streams:
                        stream.offer(BotDetached(1, "a" * 60_000, "hive"))
                await is_closed.wait()
    finally:
        await server.shutdown()
