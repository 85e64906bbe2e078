"""Changes by other processes: they are published here as they happened there, even after a gap."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from time import monotonic
from typing import Any

import pytest

from protocols.values import TimeControl
from server.bus.codec import read_message, write_message
from server.domain import events as e
from server.domain.errors import ApiError, Code
from server.services.cluster import leases, topic_reader
from server.services.cluster.changes import (
    ALL_GAMES,
    LOGS,
    Change,
    LogGrown,
    RemoteChanges,
    RemoteChangesMissed,
    game_topic,
    log_topic,
)
from server.services.games import replication
from server.services.games.replication import UNUSED_CHANGES
from server.store import sql_leases
from tests.server.buses import until
from tests.server.replicas import DRAW, Pair, a_server, game_in_both, taken


async def test_each_message_about_a_followed_game_is_one_change_even_if_the_log_has_grown(
    sqlite: str, form: str
) -> None:
    async with a_server(sqlite) as one, a_server(sqlite, loaded=1, form=form) as other:
        game, another = [(await one.games.create(DRAW)).state.id for _ in range(2)]
        await other.games.get(game)
        followed = other.bus.subscribe(game_topic(game))
        await other.games.get(another)  # The followed game is no longer in memory.
        for seat in (0, 1):
            await one.games.move(game, seat, "take")
        log = (await one.store.events(game))[1:]
        for recorded in log:
            await other.hears(game, recorded)
        told = await taken(followed, 2)
        assert [(change.state.version, change.state.ply) for change in told] == [(2, 1), (3, 2)]
        assert [change.recorded for change in told] == [(recorded,) for recorded in log]
        assert not any(change.is_own for change in told)


async def test_a_message_about_a_loaded_game_is_one_change_even_if_the_log_has_grown(servers: Pair) -> None:
    one, other = servers
    game = await game_in_both(one, other)
    for seat in (0, 1):
        await one.games.move(game, seat, "take")
    changes = other.bus.subscribe(ALL_GAMES)
    moves = (await one.store.events(game))[1:]
    for recorded in moves:
        await other.hears(game, recorded)
    assert [change.recorded for change in await taken(changes, 2)] == [(move,) for move in moves]


async def test_a_game_in_memory_applies_messages(servers: Pair) -> None:
    one, other = servers
    game = (await one.games.create(DRAW)).state.id
    assert (await other.games.get(game)).ply == 0
    changes = other.bus.subscribe(ALL_GAMES)
    await one.games.move(game, 0, "take")
    await other.hears_last_of(game)
    await taken(changes, 1)
    assert (await other.games.get(game)).moves == (await one.games.get(game)).moves == ("take +9",)
    await other.games.move(game, 1, "take", expected_ply=1)


async def test_a_message_whose_first_events_are_known_adds_the_others(servers: Pair) -> None:
    one, other = servers
    game = await game_in_both(one, other)
    changes = other.bus.subscribe(ALL_GAMES)
    for seat in (0, 1, 0, 1):
        await one.games.move(game, seat, "take")
    _, first, *more, last = await one.store.events(game)
    await other.hears(game, first)
    await other.hears(game, first, *more)
    await other.hears(game, last)
    told = await taken(changes, 3)
    assert [change.recorded for change in told] == [(first,), tuple(more), (last,)]
    assert (await other.games.get(game)).moves == (await one.games.get(game)).moves


async def test_a_followed_game_whose_log_did_not_arrive_is_read(servers: Pair) -> None:
    one, other = servers
    game = (await one.games.create(DRAW)).state.id
    changes = one.bus.subscribe(ALL_GAMES)
    one.bus.subscribe(game_topic(game))
    assert not one.bus.has_subscribers(log_topic(game)), "nobody else has used the game"
    for seat in (0, 1):
        await other.games.move(game, seat, "take")
    await one.hears_of(game, 3)
    (change,) = await taken(changes, 1)
    assert (change.state.version, change.is_own) == (3, False)
    assert change.recorded == tuple((await other.store.events(game))[1:])
    await one.hears_of(game, 3)  # Known already.
    await other.games.move(game, 0, "take")
    await one.hears_last_of(game)
    (change,) = await taken(changes, 1)
    assert (change.state.version, len(change.recorded)) == (4, 1)


async def test_a_game_that_is_created_here_and_played_elsewhere_is_dropped(servers: Pair) -> None:
    one, other = servers
    game = (await one.games.create(DRAW)).state.id
    changes = one.bus.subscribe(ALL_GAMES)
    await other.games.move(game, 0, "take")
    await one.hears_of(game, 2)
    (told,) = await taken(changes, 1)
    assert [(row.game_id, row.ply) for row in told.listings] == [(game, 1)]
    assert one.games.loaded == 0
    assert (await one.games.get(game)).ply == 1


async def test_a_game_that_only_others_play_is_followed_for_some_time(servers: Pair) -> None:
    one, other = servers
    used, unused = [await game_in_both(one, other) for _ in range(2)]
    changes = other.bus.subscribe(ALL_GAMES)
    for number in range(UNUSED_CHANGES):
        assert other.games.loaded == 2
        for game in (used, unused):
            await one.games.move(game, number % 2, "take")
            await other.hears_last_of(game)
            assert (await taken(changes, 1))[0].state.ply == number + 1
        await other.games.get(used)
    await until(lambda: other.games.loaded == 1)
    await one.games.move(used, 0, "take")
    await other.hears_last_of(used)
    assert [type(change) for change in await taken(changes, 2)] == [RemoteChanges, Change]


async def test_a_log_that_arrives_after_the_message_to_all_is_not_read_again(servers: Pair) -> None:
    one, other = servers
    game = await game_in_both(one, other)
    changes = other.bus.subscribe(ALL_GAMES)
    for seat in (0, 1):
        await one.games.move(game, seat, "take")
    log = (await one.store.events(game))[1:]
    await other.hears_of(game, 3)
    for recorded in log:
        await other.hears(game, recorded)
    assert [change.recorded for change in await taken(changes, 2)] == [(recorded,) for recorded in log]


async def test_a_log_that_does_not_arrive_after_the_message_to_all_is_read(servers: Pair) -> None:
    one, other = servers
    game = await game_in_both(one, other)
    changes = other.bus.subscribe(ALL_GAMES)
    await one.games.move(game, 0, "take")
    await other.hears_of(game, 2)
    assert (await taken(changes, 1))[0].state.version == 2


async def test_all_are_told_of_changed_games_together(servers: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    one, _ = servers
    monkeypatch.setattr(replication, "TELL_SECONDS", 0.3)
    told = one.bus.subscribe(LOGS)
    first = (await one.games.create(DRAW)).state.id
    (alone,) = await taken(told, 1)
    assert (alone.versions, [row.ply for row in alone.listings]) == ({first: 1}, [0])
    began = monotonic()
    second = (await one.games.create(DRAW)).state.id
    for game in (first, second):
        await one.games.move(game, 0, "take")
    (together,) = await taken(told, 1)
    assert together.versions == {first: 2, second: 2}
    assert [(row.game_id, row.ply) for row in together.listings] == [(second, 1), (first, 1)]
    assert monotonic() - began > 0.1
    await one.games.move(first, 1, "take")
    await one.games.stop()
    assert (await taken(told, 1))[0].versions == {first: 3}, "a server that stops tells the rest"


async def test_the_logs_of_unused_games_are_dropped(
    sqlite: str, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replication, "SPARE_LOGS", 5)
    async with a_server(sqlite) as one, a_server(sqlite, loaded=2, form=form) as other:
        games = [(await one.games.create(DRAW)).state.id for _ in range(30)]
        followed = other.bus.subscribe(game_topic(games[0]))
        for game in games:
            await other.games.get(game)
            received = [name for name in games if other.bus.has_subscribers(log_topic(name))]
            assert len(received) <= 2 * 4 + 5
            assert {games[0], game} <= set(received)
        followed.close()


async def test_after_a_gap_the_log_is_read(servers: Pair) -> None:
    one, other = servers
    game = await game_in_both(one, other)
    changes = other.bus.subscribe(ALL_GAMES)
    for seat in (0, 1):
        await one.games.move(game, seat, "take")
    other.bus.miss(LOGS)
    change, missed = await taken(changes, 2)
    assert isinstance(missed, RemoteChangesMissed)
    assert change.recorded == tuple((await one.store.events(game))[1:])
    assert (await other.games.get(game)).ply == 2
    await one.games.move(game, 0, "take")
    await other.hears_last_of(game)
    assert (await taken(changes, 1))[0].state.ply == 3


async def test_the_last_move_of_a_server_that_is_gone_is_read_from_the_log(servers: Pair) -> None:
    one, other = servers
    game = await game_in_both(one, other)
    changes = other.bus.subscribe(ALL_GAMES)
    await one.games.move(game, 0, "take")
    await one.games.stop()
    change, missed = await taken(changes, 2)
    assert (change.state.id, change.state.ply, change.is_own) == (game, 1, False)
    assert isinstance(missed, RemoteChangesMissed)


@pytest.fixture
def quick_death(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers count as dead soon after their last heartbeat."""
    monkeypatch.setattr(sql_leases, "DEAD_MS", 300)
    monkeypatch.setattr(leases, "LATE_SECONDS", 0.2)


@pytest.mark.usefixtures("quick_death")
async def test_the_last_move_of_a_server_that_counted_as_dead_is_read_from_the_log(servers: Pair) -> None:
    one, other = servers
    game = await game_in_both(one, other)
    one.games.leases._tasks.cancel()
    await until(lambda: other.games.leases.is_alone)
    changes = other.bus.subscribe(game_topic(game))
    await one.games.move(game, 0, "take")
    assert (await taken(changes, 1))[0].state.ply == 1


@pytest.mark.usefixtures("quick_death")
async def test_the_last_move_of_a_server_that_came_and_died_unnoticed_is_read_from_the_log(
    servers: Pair, sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if something fails between the late heartbeat and the look for what was missed."""
    one, other = servers

    async def fail(server: str) -> Mapping[str, int]:
        raise ApiError(Code.UNAVAILABLE, "The store is unavailable.")

    game = await game_in_both(one, other)
    other.games.leases._tasks.cancel()
    changes = other.bus.subscribe(game_topic(game))
    async with a_server(sqlite) as third:
        await third.games.move(game, 0, "take")
    await asyncio.sleep(0.4)
    with monkeypatch.context() as patch:
        patch.setattr(other.store, "leases", fail)
        with pytest.raises(ApiError):
            await other.games.leases._beat()
    await other.games.leases._beat()
    assert (await taken(changes, 1))[0].state.ply == 1


@pytest.mark.usefixtures("quick_death")
async def test_a_lease_is_claimed_from_a_server_that_counted_as_dead_when_it_took_it(servers: Pair) -> None:
    one, other = servers
    game = (await one.games.create(replace(DRAW, time_control=TimeControl(600, 0)))).state.id
    other.games.leases._tasks.cancel()
    await until(lambda: one.games.leases.is_alone)
    assert await other.games.leases.take(game) is not None
    one.games.leases.drop(game)
    await until(lambda: game in one.games.leases)


async def test_unreadable_events_are_read_from_the_log(servers: Pair) -> None:
    one, other = servers
    game = await game_in_both(one, other)
    changes = other.bus.subscribe(ALL_GAMES)
    await one.games.move(game, 0, "take")
    newer = b'[[2,1,"Teleported",{"seat":0}]]'
    sent = write_message(LogGrown("another", game, 2, 2, tuple(await one.store.events(game, after=1))))
    head, _ = sent.split(b"\n")
    message = read_message(log_topic(game), b"\n".join((head, newer)))
    await other.bus.publish(log_topic(game), message)
    assert (await taken(changes, 1))[0].state.moves == ("take +9",)


async def test_a_game_of_another_database_is_ignored(servers: Pair) -> None:
    one, other = servers
    changes = other.bus.subscribe(ALL_GAMES)
    await other.hears("replication", e.Recorded(2, 1, e.Moved(0, "take")))
    game = (await one.games.create(DRAW)).state.id
    await other.hears(game, *await one.store.events(game))
    assert [row.game_id for row in (await taken(changes, 1))[0].listings] == [game]


async def test_an_unused_game_is_not_read(servers: Pair) -> None:
    one, other = servers
    changes = other.bus.subscribe(ALL_GAMES)
    game = (await one.games.create(DRAW)).state.id
    await one.games.move(game, 0, "take")
    for recorded in await one.store.events(game):
        await other.hears(game, recorded)
    other.bus.miss(LOGS)
    *told, missed = await taken(changes, 3)
    assert [type(change) for change in told] == [RemoteChanges, RemoteChanges]
    assert [[row.ply for row in change.listings] for change in told] == [[1], [1]]
    assert isinstance(missed, RemoteChangesMissed)
    assert other.games.loaded == 0


async def test_a_change_is_published_although_the_game_was_read_before_anybody_told_of_it(
    servers: Pair,
) -> None:
    one, other = servers
    game = (await one.games.create(DRAW)).state.id
    await one.games.move(game, 0, "take")
    assert (await other.games.get(game)).version == 2
    changes = other.bus.subscribe(game_topic(game))
    await other.hears_of(game, 2)
    (told,) = await taken(changes, 1)
    assert (told.state.version, len(told.recorded)) == (2, 1)


async def test_followers_of_an_evicted_game_are_told(sqlite: str, form: str) -> None:
    async with a_server(sqlite) as one, a_server(sqlite, loaded=1, form=form) as other:
        game, _ = [(await other.games.create(DRAW)).state.id for _ in range(2)]
        assert other.games.loaded == 1
        followed = other.bus.subscribe(game_topic(game))
        await one.games.move(game, 0, "take")
        await other.hears_of(game, 2)
        (told,) = await taken(followed, 1)
        assert (told.state.version, told.state.ply) == (2, 1)


async def test_appends_that_may_be_durable_are_looked_for_once_per_game(
    servers: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = servers
    known = (await one.games.create(DRAW)).state
    await other.games.move(known.id, 0, "take")
    reads, events = 0, one.store.events

    async def fail_once(*arguments: Any, **options: Any) -> Any:
        nonlocal reads
        reads += 1
        if reads == 1:
            raise ApiError(Code.UNAVAILABLE, "The store is unavailable.")
        return await events(*arguments, **options)

    monkeypatch.setattr(one.store, "events", fail_once)
    monkeypatch.setattr(topic_reader, "RETRY_SECONDS", 0.1)
    followed = one.bus.subscribe(game_topic(known.id))
    for _ in range(10):
        one.games._commands._replication.publish_if_durable(known, ())
    (told,) = await taken(followed, 1)
    await asyncio.sleep(0.2)
    assert (told.state.version, reads) == (2, 3)


async def test_remote_changes_do_not_count_as_use(sqlite: str, form: str) -> None:
    async with a_server(sqlite) as one, a_server(sqlite, loaded=2, form=form) as other:
        played, *rest = [(await one.games.create(DRAW)).state.id for _ in range(3)]
        await other.games.get(played)
        await other.games.get(rest[0])
        changes = other.bus.subscribe(ALL_GAMES)
        for seat in (0, 1):
            await one.games.move(played, seat, "take")
            await other.hears_last_of(played)
        await taken(changes, 2)
        await other.games.get(rest[1])
        await one.games.move(played, 0, "take")
        await other.hears_last_of(played)
        assert [type(change) for change in await taken(changes, 1)] == [RemoteChanges]
        assert not other.bus.has_subscribers(log_topic(played))
