"""The contract of every bus, and of one that connects several processes."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any

import psycopg
import pytest
from redis.asyncio.connection import AbstractConnection

from protocols.values import LeaveReason, OfferKind, Seat, SeatKind, TimeControl
from server.adapters import message_relay, redis_channels, redis_stream
from server.adapters.bus_codec import read_message, write_message, write_short_message
from server.adapters.message_relay import BusUnreachableError
from server.adapters.postgres_notices import PostgresNotices
from server.adapters.redis_stream import STREAM, RedisStream, check
from server.adapters.shared_bus import SharedBus
from server.domain import events as e
from server.ports.store import Listing
from server.services.bus import Bus, OverrunError, Subscription
from server.services.changes import LOGS, GamesChanged, LogGrown, log_topic
from server.services.server_messages import SERVERS, Announced
from tools.services.postgres import PostgresServer
from tools.services.redis import RedisServer


@asynccontextmanager
async def started(bus: Bus) -> AsyncIterator[Bus]:
    await bus.start()
    try:
        yield bus
    finally:
        await bus.stop()


def redis_bus(url: str) -> SharedBus:
    medium = RedisStream(url)
    return SharedBus(medium, write_message, medium.channels)


@pytest.fixture(params=["memory", "redis", "postgres"])
async def bus(request: pytest.FixtureRequest) -> AsyncIterator[Bus]:
    if request.param == "memory":
        async with started(Bus()) as bus:
            yield bus
        return
    if request.param == "postgres":
        database = request.getfixturevalue("postgres").new_database()
        async with started(SharedBus(PostgresNotices(database), write_message)) as bus:
            yield bus
        return
    with RedisServer() as child:
        async with started(redis_bus(child.url)) as bus:
            yield bus


@pytest.fixture
async def pair(redis_server: RedisServer) -> AsyncIterator[tuple[Bus, Bus]]:
    """The buses of two processes."""
    async with started(redis_bus(redis_server.url)) as one, started(redis_bus(redis_server.url)) as other:
        yield one, other


ROW = Listing("game", "wallwars", "standard", "playing", is_timed=True, has_bot=False, created_at=1, updated_at=2,
              ply=7, summary={"seats": [{"seat": 0, "kind": "human", "name": "Ádá"}], "host": 0})  # fmt: skip


def changed(number: int) -> GamesChanged:
    return GamesChanged("w", {ROW.game_id: number}, (ROW,))


def grown(number: int, game_id: str = "game") -> LogGrown:
    return LogGrown("w", game_id, number, number, (e.Recorded(number, 1000, e.Moved(0, "Cb2")),))


async def taken(subscription: Subscription, count: int) -> list[object]:
    """The next messages."""
    messages: list[object] = []
    async with asyncio.timeout(60):
        async for message in subscription:
            messages.append(message)
            if len(messages) == count:
                return messages
    return messages


async def until(is_so: Callable[[], object]) -> None:
    async with asyncio.timeout(60):
        while not is_so():  # noqa: ASYNC110 - there is no event to wait for
            await asyncio.sleep(0.01)


# ---- every bus -----------------------------------------------------------------------------------


async def test_subscribers_get_later_messages(bus: Bus) -> None:
    await bus.publish("games", 1)
    first = bus.subscribe("games")
    await bus.publish("games", 2)
    second = bus.subscribe("games")
    await bus.publish("games", 3)
    await bus.publish("game:a", 4)
    assert await taken(first, 2) == [2, 3]
    assert await taken(second, 1) == [3]


async def test_a_shared_topic_is_delivered_locally_once(bus: Bus) -> None:
    subscription = bus.subscribe(LOGS)
    await bus.publish(LOGS, changed(1))
    await until(lambda: bus.state().waiting == 0)
    await bus.publish(LOGS, changed(2))
    assert await taken(subscription, 2) == [changed(1), changed(2)]


async def test_a_closed_subscription_ends(bus: Bus) -> None:
    subscription = bus.subscribe("games")
    await bus.publish("games", 1)
    subscription.close()
    await bus.publish("games", 2)
    assert [message async for message in subscription] == [1]


async def test_a_slow_subscriber_is_overrun_without_affecting_others(bus: Bus) -> None:
    slow, quick = bus.subscribe("games", 3), bus.subscribe("games")
    for number in range(5):
        await bus.publish("games", number)
    assert await taken(quick, 5) == [0, 1, 2, 3, 4]
    with pytest.raises(OverrunError):
        await taken(slow, 4)
    assert bus.state().overruns == 1


# ---- several processes ---------------------------------------------------------------------------


async def test_every_event_crosses_unchanged() -> None:
    seats = (Seat(SeatKind.HUMAN, name="Ann", appearance={"pawn": "cat"}), Seat(SeatKind.OPEN))
    created = e.Created("wallwars", "standard", {"boardWidth": 5}, {"seed": 1}, seats, 0, TimeControl(60, 1))
    events: tuple[e.Event, ...] = (
        created,
        e.SeatTaken(1, "Bob"),
        e.Sealed(0, "LEFT", "a", (1, 2)),
        e.Moved(1, "RIGHT"),
        e.TookBack(0, 0),
        e.Offered(OfferKind.DRAW, 1),
        e.OfferAccepted(OfferKind.DRAW, 0),
        e.OfferRejected(OfferKind.TAKEBACK, 0),
        e.Left(0, LeaveReason.TIMEOUT),
        e.DrawAgreed(),
    )
    recorded = tuple(e.Recorded(seq, 1000 + seq, event) for seq, event in enumerate(events, start=1))
    message = LogGrown("w", "game", 1, len(recorded), recorded)
    assert read_message(log_topic("game"), write_message(message)) == message


@pytest.mark.parametrize("rows", [(), (ROW,), (ROW, replace(ROW, game_id="other", summary={}))])
async def test_every_row_crosses_unchanged(rows: tuple[Listing, ...]) -> None:
    message = GamesChanged("w", {row.game_id: 7 for row in rows}, rows)
    assert read_message(LOGS, write_message(message)) == message


async def test_the_bus_stops_although_the_client_swallows_a_cancellation(
    redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading = asyncio.Event()
    swallowed: list[bool] = []
    answers = redis_stream._answers

    async def swallow_once(connection: AbstractConnection, *commands: Sequence[Any]) -> list[Any]:
        if commands[0][0] != b"XREAD":
            return await answers(connection, *commands)
        reading.set()
        try:
            return await answers(connection, *commands)
        except asyncio.CancelledError:
            if swallowed:
                raise
            swallowed.append(True)
            return [None]

    monkeypatch.setattr(redis_stream, "_answers", swallow_once)
    async with asyncio.timeout(60), started(redis_bus(redis_server.url)):
        await reading.wait()
    assert swallowed


async def test_only_shared_topics_reach_the_other_process(pair: tuple[Bus, Bus]) -> None:
    one, other = pair
    logs, games = other.subscribe(LOGS), other.subscribe("games")
    await one.publish("games", object())
    for number in range(1, 1501):
        await one.publish(LOGS, changed(number))
        if number % 100 == 0:
            await asyncio.sleep(0)
    assert await taken(logs, 256) == [changed(number) for number in range(1, 257)]
    await other.publish("games", "local")
    assert await taken(games, 1) == ["local"]


async def test_a_bus_that_stops_sends_what_is_waiting(redis_server: RedisServer) -> None:
    async with started(redis_bus(redis_server.url)) as other:
        there = other.subscribe(LOGS)
        async with started(redis_bus(redis_server.url)) as one:
            await one.publish(LOGS, changed(1))
            await until(lambda: one.state().sent == 1)
            for number in range(2, 6):
                await one.publish(LOGS, changed(number))
        assert await taken(there, 5) == [changed(number) for number in range(1, 6)]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shortens the time limits for Redis of buses started after this."""
    monkeypatch.setattr(redis_stream, "BLOCK_MS", 200)
    monkeypatch.setattr(redis_stream, "ANSWER_SECONDS", 1.0)


async def test_messages_sent_while_redis_hangs_arrive_later_and_once(
    impatient: None, pair: tuple[Bus, Bus], redis_server: RedisServer
) -> None:
    one, other = pair
    here, there = one.subscribe(LOGS, 100), other.subscribe(LOGS, 100)
    redis_server.freeze()
    for number in range(1, 51):
        await one.publish(LOGS, changed(number))
        await asyncio.sleep(0)
    assert await taken(here, 50) == [changed(number) for number in range(1, 51)]
    await until(lambda: one.state().trouble is not None)  # The answer is overdue, so it will be sent again.
    redis_server.thaw()
    assert await taken(there, 50) == [changed(number) for number in range(1, 51)]
    await until(lambda: one.state().trouble is None)
    await one.publish(LOGS, changed(51))
    assert await taken(there, 1) == [changed(51)]


async def test_a_redis_that_lost_its_data_is_a_gap(
    pair: tuple[Bus, Bus], redis_server: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, message_relay.__name__)
    one, other = pair
    there = other.subscribe(LOGS)
    await one.publish(LOGS, changed(1))
    assert await taken(there, 1) == [changed(1)]
    redis_server.kill()
    await until(lambda: one.state().trouble and other.state().trouble)
    await one.publish(LOGS, changed(2))
    redis_server.start()
    await until(lambda: one.state().trouble is None and other.state().trouble is None)
    with pytest.raises(OverrunError):
        await taken(there, 2)
    again = other.subscribe(LOGS)
    await one.publish(LOGS, changed(3))
    assert (await taken(again, 1))[0] in (changed(2), changed(3))
    texts = [record.message for record in caplog.records]
    assert sum("Redis is unavailable" in text for text in texts) == 2
    assert sum("Redis is back" in text for text in texts) == 2


async def test_a_process_alone_misses_nothing_when_redis_loses_its_data(redis_server: RedisServer) -> None:
    async with started(redis_bus(redis_server.url)) as alone:
        here = alone.subscribe(LOGS)
        redis_server.kill()
        await until(lambda: alone.state().trouble)
        redis_server.start()
        await until(lambda: alone.state().trouble is None)
        await alone.publish(LOGS, changed(1))
        assert await taken(here, 1) == [changed(1)]
        assert alone.state().gaps == 0


async def test_a_full_backlog_is_a_gap_for_the_others(
    pair: tuple[Bus, Bus], redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(message_relay, "BACKLOG", 5)
    one, other = pair
    there = other.subscribe(LOGS)
    await one.publish(LOGS, changed(1))
    assert await taken(there, 1) == [changed(1)]
    redis_server.freeze()
    for number in range(2, 10):
        await one.publish(LOGS, changed(number))
    assert one.state().lost == 5
    redis_server.thaw()
    with pytest.raises(OverrunError):
        await taken(there, 9)


async def test_a_stream_cut_past_its_reader_is_a_gap(
    pair: tuple[Bus, Bus], redis_server: RedisServer
) -> None:
    one, other = pair
    there = other.subscribe(LOGS)
    await one.publish(LOGS, changed(1))
    assert await taken(there, 1) == [changed(1)]
    with redis_server.client() as client, client.pipeline(transaction=True) as pipe:
        pipe.client_kill_filter(_type="normal", skipme=True)
        pipe.xtrim(STREAM, maxlen=0)
        pipe.execute()
    with pytest.raises(OverrunError):
        await taken(there, 1)


async def test_foreign_entries_of_the_stream_are_ignored(
    pair: tuple[Bus, Bus], redis_server: RedisServer
) -> None:
    one, other = pair
    there = other.subscribe(LOGS)
    with redis_server.client() as client:
        client.xadd(STREAM, {"hello": "world"})
        client.xadd(STREAM, {"p": "x", "n": "1", "t": "unknown", "m": "{}"})
    await one.publish(LOGS, changed(1))
    assert await taken(there, 1) == [changed(1)]


async def test_a_message_that_cannot_be_read_is_a_gap(
    pair: tuple[Bus, Bus], redis_server: RedisServer
) -> None:
    there = pair[0].subscribe(LOGS)
    with redis_server.client() as client:
        client.xadd(STREAM, {"p": "x", "n": "1", "t": LOGS, "m": '{"writer": "x"}'})
    with pytest.raises(OverrunError):
        await taken(there, 1)


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("unix:///nowhere/redis", "Redis at /nowhere/redis cannot be used: "),
        ("redis://:secret@127.0.0.1:1", "Redis at 127.0.0.1:1 cannot be used: "),
        ("nonsense", "a Redis URL looks like "),
    ],
)
async def test_a_missing_redis_is_reported_in_one_line(url: str, text: str) -> None:
    with pytest.raises(BusUnreachableError) as caught:
        await check(url)
    line = str(caught.value)
    assert line.startswith(text)
    assert "\n" not in line
    assert "secret" not in line


# ---- the logs of single games ----------------------------------------------------------------------


async def first_heard(one: Bus, there: Subscription, game_id: str = "game") -> LogGrown:
    """The first message about the log of a game that arrives, after those sent before the process was subscribed."""
    async with asyncio.timeout(60):
        receiving = asyncio.ensure_future(taken(there, 1))
        number = 0
        while not receiving.done():
            number += 1
            await one.publish(log_topic(game_id), grown(number, game_id))
            await asyncio.wait([receiving], timeout=0.05)
    (message,) = await receiving
    assert isinstance(message, LogGrown)
    return message


async def test_the_log_of_a_game_reaches_its_subscribers_only(pair: tuple[Bus, Bus]) -> None:
    one, other = pair
    there = other.subscribe(log_topic("used"))
    first = await first_heard(one, there, "used")
    number, received = first.version, other.state().received
    for _ in range(5):
        await one.publish(log_topic("unused"), grown(1, "unused"))
        number += 1
        await one.publish(log_topic("used"), grown(number, "used"))
    heard = [message async for message in _until_version(there, number)]
    assert heard[-1] == grown(number, "used")
    assert {message.game_id for message in heard} == {"used"}
    assert other.state().received == received + len(heard)
    assert other.state().gaps == 0


async def _until_version(there: Subscription, version: int) -> AsyncIterator[LogGrown]:
    while True:
        (message,) = await taken(there, 1)
        assert isinstance(message, LogGrown)
        yield message
        if message.version == version:
            return


async def test_a_log_without_subscribers_is_received_no_more(
    pair: tuple[Bus, Bus], redis_server: RedisServer
) -> None:
    one, other = pair
    there, also = other.subscribe(log_topic("game")), other.subscribe(log_topic("game"))
    await first_heard(one, there)
    with redis_server.client() as client:
        (channel,) = client.pubsub_channels("*")
        there.close()
        await asyncio.sleep(0.1)
        assert client.pubsub_channels("*") == [channel]
        also.close()
        await until(lambda: not client.pubsub_channels("*"))


async def test_after_a_restart_of_redis_logs_are_received_again(
    pair: tuple[Bus, Bus], redis_server: RedisServer
) -> None:
    one, other = pair
    there = other.subscribe(log_topic("game"))
    await first_heard(one, there)
    redis_server.kill()
    await until(lambda: one.state().trouble and other.state().trouble)
    also = other.subscribe(log_topic("another"))
    redis_server.start()
    await until(lambda: one.state().trouble is None and other.state().trouble is None)
    await first_heard(one, there)
    await first_heard(one, also, "another")


async def test_a_subscribed_connection_that_redis_no_longer_answers_is_given_up(
    monkeypatch: pytest.MonkeyPatch, redis_server: RedisServer
) -> None:
    monkeypatch.setattr(redis_channels, "SILENT_SECONDS", 0.1)
    stream = RedisStream(redis_server.url)
    async with stream.connected():
        for _ in range(10):  # Redis answers when it is asked.
            assert await stream.channels.receive() == []
        redis_server.freeze()
        with pytest.raises(TimeoutError):
            await receive_on(stream)
        redis_server.thaw()


async def receive_on(stream: RedisStream) -> None:
    for _ in range(3):
        assert await stream.channels.receive() == []


async def test_foreign_messages_of_a_channel_are_ignored_or_a_gap(
    pair: tuple[Bus, Bus], redis_server: RedisServer
) -> None:
    one, other = pair
    there, logs = other.subscribe(log_topic("game")), other.subscribe(LOGS)
    await first_heard(one, there)
    with redis_server.client() as client:
        client.publish("plyhouse:log:game", b"\xff\xfe")
    with pytest.raises(OverrunError):
        await taken(logs, 1)
    await first_heard(one, there)


# ---- over Postgres ---------------------------------------------------------------------------------


@asynccontextmanager
async def postgres_pair(database: str) -> AsyncIterator[tuple[Bus, Bus]]:
    """The buses of two processes."""
    mediums = PostgresNotices(database), PostgresNotices(database)
    one, other = (SharedBus(medium, write_short_message) for medium in mediums)
    async with started(one), started(other):
        yield one, other


def short(number: int) -> GamesChanged:
    return GamesChanged("w", {ROW.game_id: number})


async def test_postgres_tells_the_other_process_the_version(postgres: PostgresServer) -> None:
    async with postgres_pair(postgres.new_database()) as (one, other):
        there = other.subscribe(LOGS, 2000)
        for number in range(1, 1501):
            await one.publish(LOGS, changed(number))
        assert await taken(there, 1500) == [short(number) for number in range(1, 1501)]


async def test_long_messages_cross_postgres_whole(postgres: PostgresServer) -> None:
    async with postgres_pair(postgres.new_database()) as (one, other):
        there = other.subscribe(SERVERS)
        sent = [Announced("a", "k", "g", text * 20_000) for text in ("x", '"', "\\", "é", "🐝", "\n")]
        for message in sent:
            await one.publish(SERVERS, message)
        assert await taken(there, len(sent)) == sent


async def test_what_postgres_lost_is_a_gap(postgres: PostgresServer) -> None:
    async with postgres_pair(postgres.new_database()) as (one, other):
        there = other.subscribe(LOGS)
        await one.publish(LOGS, changed(1))
        assert await taken(there, 1) == [short(1)]
        postgres.kill()
        await until(lambda: one.state().trouble and other.state().trouble)
        await one.publish(LOGS, changed(2))
        postgres.start()
        await until(lambda: one.state().trouble is None and other.state().trouble is None)
        with pytest.raises(OverrunError):
            await taken(there, 2)
        assert await heard(one, other) in [short(number) for number in range(2, 10)]


async def heard(one: Bus, other: Bus) -> object:
    """The first message of one process to the other after a gap, which further messages may reveal again."""
    for number in range(3, 10):
        there = other.subscribe(LOGS)
        await one.publish(LOGS, changed(number))
        with suppress(OverrunError):
            return (await taken(there, 1))[0]
    raise AssertionError("every message is a gap")


async def test_foreign_notifications_are_ignored(postgres: PostgresServer) -> None:
    database = postgres.new_database()
    async with postgres_pair(database) as (one, other):
        there = other.subscribe(LOGS)
        with psycopg.connect(database, autocommit=True) as stranger:
            for text in ("hello", "[1]", "{}", '["x", "y", "logs", {}]', '["x", 1, "unknown", "{}"]'):
                stranger.execute("SELECT pg_notify('plyhouse', %s)", [text])
        await one.publish(LOGS, changed(1))
        assert await taken(there, 1) == [short(1)]


async def test_a_silent_redis_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def be_silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()
        await writer.wait_closed()
        closed.set()

    closed = asyncio.Event()
    monkeypatch.setattr(redis_stream, "ANSWER_SECONDS", 0.1)
    async with await asyncio.start_server(be_silent, "127.0.0.1", 0) as silent:
        stream = RedisStream(f"redis://127.0.0.1:{silent.sockets[0].getsockname()[1]}")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(30), stream.connected():
                pass
        await closed.wait()
