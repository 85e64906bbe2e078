"""Several processes that are connected by a Redis stream, and what happens when it fails."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

import pytest
from redis.asyncio.connection import AbstractConnection

from server.bus import message_relay, redis_medium
from server.bus.medium import BusUnreachableError
from server.bus.redis_medium import STREAM, RedisStream, check
from server.services.cluster.bus import Bus, OverrunError
from server.services.cluster.changes import LOGS
from tests.server.buses import changed, redis_bus, started, taken, until
from tools.services.redis import RedisServer


async def test_the_bus_stops_although_the_client_swallows_a_cancellation(
    redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading = asyncio.Event()
    swallowed: list[bool] = []
    answers = redis_medium._answers

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

    monkeypatch.setattr(redis_medium, "_answers", swallow_once)
    async with asyncio.timeout(60), started(redis_bus(redis_server.url)):
        await reading.wait()
    assert swallowed


async def test_only_shared_topics_reach_the_other_process(redis_pair: tuple[Bus, Bus]) -> None:
    one, other = redis_pair
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
    monkeypatch.setattr(redis_medium, "BLOCK_MS", 200)
    monkeypatch.setattr(redis_medium, "ANSWER_SECONDS", 1.0)


async def test_messages_sent_while_redis_hangs_arrive_later_and_once(
    impatient: None, redis_pair: tuple[Bus, Bus], redis_server: RedisServer
) -> None:
    one, other = redis_pair
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
    redis_pair: tuple[Bus, Bus], redis_server: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, message_relay.__name__)
    one, other = redis_pair
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
    redis_pair: tuple[Bus, Bus], redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(message_relay, "BACKLOG", 5)
    one, other = redis_pair
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
    redis_pair: tuple[Bus, Bus], redis_server: RedisServer
) -> None:
    one, other = redis_pair
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
    redis_pair: tuple[Bus, Bus], redis_server: RedisServer
) -> None:
    one, other = redis_pair
    there = other.subscribe(LOGS)
    with redis_server.client() as client:
        client.xadd(STREAM, {"hello": "world"})
        client.xadd(STREAM, {"p": "x", "n": "1", "t": "unknown", "m": "{}"})
    await one.publish(LOGS, changed(1))
    assert await taken(there, 1) == [changed(1)]


async def test_a_message_that_cannot_be_read_is_a_gap(
    redis_pair: tuple[Bus, Bus], redis_server: RedisServer
) -> None:
    there = redis_pair[0].subscribe(LOGS)
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


async def test_a_silent_redis_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def be_silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()
        await writer.wait_closed()
        closed.set()

    closed = asyncio.Event()
    monkeypatch.setattr(redis_medium, "ANSWER_SECONDS", 0.1)
    async with await asyncio.start_server(be_silent, "127.0.0.1", 0) as silent:
        stream = RedisStream(f"redis://127.0.0.1:{silent.sockets[0].getsockname()[1]}")
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(30), stream.connected():
                pass
        await closed.wait()


async def test_a_process_that_is_alone_sends_nothing_until_another_comes(redis_server: RedisServer) -> None:
    async with started(redis_bus(redis_server.url)) as alone:
        alone.know_others(are_any=False)
        here = alone.subscribe(LOGS)
        for number in range(1, 6):
            await alone.publish(LOGS, changed(number))
        assert await taken(here, 5) == [changed(number) for number in range(1, 6)]
        assert (alone.has_others, alone.state().sent, alone.state().waiting) == (False, 0, 0)
        async with started(redis_bus(redis_server.url)) as other:
            there = other.subscribe(LOGS)
            await until(lambda: alone.has_others and other.state().gaps == 1)
            with pytest.raises(OverrunError):  # What it may have read before the other knew of it may be old.
                await taken(there, 1)
            again = other.subscribe(LOGS)
            await alone.publish(LOGS, changed(6))
            assert await taken(again, 1) == [changed(6)]


async def test_a_process_that_counted_as_gone_learns_that_it_has_missed_messages(
    redis_pair: tuple[Bus, Bus],
) -> None:
    one, other = redis_pair
    there = other.subscribe(LOGS)
    await one.publish(LOGS, changed(1))
    assert await taken(there, 1) == [changed(1)]
    one.know_others(are_any=False)
    await one.publish(LOGS, changed(2))
    one.know_others(are_any=True)
    with pytest.raises(OverrunError):
        await taken(there, 1)
    assert other.state().received == 1
