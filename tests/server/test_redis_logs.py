"""The logs of single games, each on a Redis channel of its own."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from server.bus import redis_channels
from server.bus.redis_medium import RedisStream
from server.services.cluster.bus import Bus, OverrunError, Subscription
from server.services.cluster.changes import LOGS, LogGrown, log_topic
from tests.server.buses import grown, taken, until
from tools.services.redis import RedisServer


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


@pytest.fixture(autouse=True)
def published_again_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_channels, "UNREAD_SECONDS", 0.1)


async def test_a_log_that_nobody_reads_is_not_published_for_a_while(
    redis_pair: tuple[Bus, Bus], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = redis_pair
    here = one.subscribe(log_topic("game"))
    await first_heard(other, here)  # The process reads the log itself, which does not count.
    monkeypatch.setattr(redis_channels, "UNREAD_SECONDS", 60)
    await asyncio.sleep(0.2)

    async def published(number: int) -> None:
        await one.publish(log_topic("game"), grown(number))
        await until(lambda: one.state().waiting == 0)

    await published(1)
    there = other.subscribe(log_topic("game"))
    await asyncio.sleep(0.2)
    await published(2)
    one.expect_readers(log_topic("game"))
    await published(3)
    await published(4)
    assert await taken(there, 2) == [grown(3), grown(4)]


async def test_the_log_of_a_game_reaches_its_subscribers_only(redis_pair: tuple[Bus, Bus]) -> None:
    one, other = redis_pair
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
    redis_pair: tuple[Bus, Bus], redis_server: RedisServer
) -> None:
    one, other = redis_pair
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
    redis_pair: tuple[Bus, Bus], redis_server: RedisServer
) -> None:
    one, other = redis_pair
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
    redis_pair: tuple[Bus, Bus], redis_server: RedisServer
) -> None:
    one, other = redis_pair
    there, logs = other.subscribe(log_topic("game")), other.subscribe(LOGS)
    await first_heard(one, there)
    with redis_server.client() as client:
        client.publish("plyhouse:log:game", b"\xff\xfe")
    with pytest.raises(OverrunError):
        await taken(logs, 1)
    await first_heard(one, there)
