"""The contract of every bus, and the messages that cross from one process to another."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from protocols.values import LeaveReason, OfferKind, Seat, SeatKind, TimeControl
from server.bus.codec import read_message, write_message
from server.bus.postgres_medium import PostgresNotices
from server.bus.redis_medium import RedisStream
from server.bus.shared_bus import SharedBus
from server.domain import events as e
from server.ports.store import Listing
from server.services.cluster.bus import Bus, OverrunError
from server.services.cluster.changes import LOGS, GamesChanged, LogGrown, log_topic
from server.services.cluster.server_messages import eval_topic
from tests.server.buses import ROW, changed, redis_bus, started, taken, until
from tools.services.redis import RedisServer


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


async def test_evaluations_that_were_lost_while_redis_was_away_are_missed() -> None:
    """Nothing else tells of them. The stream has kept everything, so other subscribers have missed nothing."""
    with RedisServer() as child:
        medium = RedisStream(child.url)
        async with started(SharedBus(medium, write_message, medium.channels)) as bus:
            evaluations, logs = bus.subscribe(eval_topic("here")), bus.subscribe(LOGS)
            assert medium.channels._connection is not None
            await medium.channels._connection.disconnect()
            with pytest.raises(OverrunError):
                await taken(evaluations, 1)
            await bus.publish(LOGS, changed(1))
            assert await taken(logs, 1) == [changed(1)]


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
