"""Changes by other processes: they are published here as they happened there, even after a gap."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from protocols.values import OfferKind, Seat, SeatKind
from server.adapters.bus_codec import read_message, write_message
from server.adapters.sql_migrate import migrate
from server.adapters.sql_store import SqlStore
from server.domain import events as e
from server.domain.errors import ApiError, Code, store_unavailable
from server.ports.store import Append, Listing, ListingQuery
from server.services import replication
from server.services.bus import Bus, Subscription
from server.services.changes import (
    ALL_GAMES,
    LOGS,
    GamesChanged,
    LogGrown,
    RemoteChanges,
    RemoteChangesMissed,
    game_topic,
    log_topic,
)
from server.services.game_factory import GameFactory, NewGame
from server.services.games import Games
from server.services.opened_games import OpenedGames
from tests.server.services import Botless

TOGETHER = NewGame("toy-goofspiel", (Seat(SeatKind.HUMAN), Seat(SeatKind.HUMAN)))
DRAW = NewGame("toy-draw", (Seat(SeatKind.HUMAN), Seat(SeatKind.HUMAN)), config={"seed": 5})
ROW = Listing("", "toy-draw", "standard", "playing", is_timed=False, has_bot=False, created_at=1, updated_at=1,
              ply=0, summary={})  # fmt: skip


class Services:
    """One process: its games and its bus, which is not connected to others.

    Messages of the form ``short`` have neither events nor rows, unlike ``full`` ones.
    """

    def __init__(self, url: str, loaded: int, form: str) -> None:
        self._form = form
        self.store = SqlStore(url)
        self.bus = Bus()
        factory = GameFactory(Botless(), with_unlisted=True)
        self.opened = OpenedGames(10, monotonic)
        self.games = Games(self.store, self.bus, factory, loaded=loaded, opened=self.opened)

    async def hears(self, game_id: str, *recorded: e.Recorded) -> None:
        """Receives the messages of another process about events: to those that use the game, and to all."""
        events = () if self._form == "short" else recorded
        grown = LogGrown("another", game_id, recorded[0].seq, recorded[-1].seq, events)
        await self.bus.publish(log_topic(game_id), grown)
        await self.hears_of(game_id, recorded[-1].seq)

    async def hears_of(self, game_id: str, version: int) -> None:
        """Receives only the message to all."""
        rows = await self.store.listings(ListingQuery(game_ids=(game_id,))) or [replace(ROW, game_id=game_id)]
        listings = () if self._form == "short" else tuple(rows)
        await self.bus.publish(LOGS, GamesChanged("another", {game_id: version}, listings))


@asynccontextmanager
async def a_house(url: str, loaded: int = 1000, form: str = "full") -> AsyncIterator[Services]:
    services = Services(url, loaded, form)
    await services.games.start()
    try:
        yield services
    finally:
        await services.games.stop()
        await services.store.close()


@pytest.fixture(params=["full", "short"])
def form(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
async def houses(tmp_path: Path, form: str) -> AsyncIterator[tuple[Services, Services]]:
    url = f"sqlite:///{tmp_path}/plyhouse.sqlite3"
    migrate(url)
    async with a_house(url, form=form) as one, a_house(url, form=form) as other:
        yield one, other


async def taken(changes: Subscription, count: int) -> list[Any]:
    found = []
    async with asyncio.timeout(60):
        async for change in changes:
            found.append(change)
            if len(found) == count:
                break
    return found


async def test_each_message_about_a_followed_game_is_one_change_even_if_the_log_has_grown(
    tmp_path: Path, form: str
) -> None:
    url = f"sqlite:///{tmp_path}/plyhouse.sqlite3"
    migrate(url)
    async with a_house(url) as one, a_house(url, loaded=1, form=form) as other:
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


async def test_a_message_about_a_loaded_game_is_one_change_even_if_the_log_has_grown(
    houses: tuple[Services, Services],
) -> None:
    one, other = houses
    game = (await one.games.create(DRAW)).state.id
    await other.games.get(game)
    for seat in (0, 1):
        await one.games.move(game, seat, "take")
    changes = other.bus.subscribe(ALL_GAMES)
    moves = (await one.store.events(game))[1:]
    for recorded in moves:
        await other.hears(game, recorded)
    assert [change.recorded for change in await taken(changes, 2)] == [(move,) for move in moves]


async def test_a_game_in_memory_applies_messages(houses: tuple[Services, Services]) -> None:
    one, other = houses
    game = (await one.games.create(DRAW)).state.id
    assert (await other.games.get(game)).ply == 0
    changes = other.bus.subscribe(ALL_GAMES)
    await one.games.move(game, 0, "take")
    await other.hears(game, (await one.store.events(game))[-1])
    await taken(changes, 1)
    assert (await other.games.get(game)).moves == (await one.games.get(game)).moves == ("take +9",)
    await other.games.move(game, 1, "take", expected_ply=1)


async def test_a_message_whose_first_events_are_known_adds_the_others(
    houses: tuple[Services, Services],
) -> None:
    one, other = houses
    game = (await one.games.create(DRAW)).state.id
    await other.games.get(game)
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


async def test_a_game_in_memory_whose_log_did_not_arrive_is_read(houses: tuple[Services, Services]) -> None:
    one, other = houses
    game = (await one.games.create(DRAW)).state.id
    changes = one.bus.subscribe(ALL_GAMES)
    assert not one.bus.has_subscribers(log_topic(game)), "nobody else has used the game"
    for seat in (0, 1):
        await other.games.move(game, seat, "take")
    await one.hears_of(game, 3)
    (change,) = await taken(changes, 1)
    assert (change.state.version, change.is_own) == (3, False)
    assert change.recorded == tuple((await other.store.events(game))[1:])
    await one.hears_of(game, 3)  # Known already.
    await other.games.move(game, 0, "take")
    await one.hears(game, (await other.store.events(game))[-1])
    (change,) = await taken(changes, 1)
    assert (change.state.version, len(change.recorded)) == (4, 1)


async def test_a_log_that_arrives_after_the_message_to_all_is_not_read_again(
    houses: tuple[Services, Services],
) -> None:
    one, other = houses
    game = (await one.games.create(DRAW)).state.id
    await other.games.get(game)
    changes = other.bus.subscribe(ALL_GAMES)
    for seat in (0, 1):
        await one.games.move(game, seat, "take")
    log = (await one.store.events(game))[1:]
    await other.hears_of(game, 3)
    for recorded in log:
        await other.hears(game, recorded)
    assert [change.recorded for change in await taken(changes, 2)] == [(recorded,) for recorded in log]


async def test_a_log_that_does_not_arrive_after_the_message_to_all_is_read(
    houses: tuple[Services, Services],
) -> None:
    one, other = houses
    game = (await one.games.create(DRAW)).state.id
    await other.games.get(game)
    changes = other.bus.subscribe(ALL_GAMES)
    await one.games.move(game, 0, "take")
    await other.hears_of(game, 2)
    assert (await taken(changes, 1))[0].state.version == 2


async def test_all_are_told_of_changed_games_together(
    houses: tuple[Services, Services], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _ = houses
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
    tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replication, "SPARE_LOGS", 5)
    url = f"sqlite:///{tmp_path}/plyhouse.sqlite3"
    migrate(url)
    async with a_house(url) as one, a_house(url, loaded=2, form=form) as other:
        games = [(await one.games.create(DRAW)).state.id for _ in range(30)]
        followed = other.bus.subscribe(game_topic(games[0]))
        for game in games:
            await other.games.get(game)
            received = [name for name in games if other.bus.has_subscribers(log_topic(name))]
            assert len(received) <= 2 * 4 + 5
            assert {games[0], game} <= set(received)
        followed.close()


async def test_after_a_gap_the_log_is_read(houses: tuple[Services, Services]) -> None:
    one, other = houses
    game = (await one.games.create(DRAW)).state.id
    await other.games.get(game)
    changes = other.bus.subscribe(ALL_GAMES)
    for seat in (0, 1):
        await one.games.move(game, seat, "take")
    other.bus.miss(LOGS)
    change, missed = await taken(changes, 2)
    assert isinstance(missed, RemoteChangesMissed)
    assert change.recorded == tuple((await one.store.events(game))[1:])
    assert (await other.games.get(game)).ply == 2
    await one.games.move(game, 0, "take")
    await other.hears(game, (await one.store.events(game))[-1])
    assert (await taken(changes, 1))[0].state.ply == 3


async def test_the_last_move_of_a_server_that_is_gone_is_read_from_the_log(
    houses: tuple[Services, Services],
) -> None:
    one, other = houses
    game = (await one.games.create(DRAW)).state.id
    await other.games.get(game)
    changes = other.bus.subscribe(ALL_GAMES)
    await one.games.move(game, 0, "take")
    await one.games.stop()
    change, missed = await taken(changes, 2)
    assert (change.state.id, change.state.ply, change.is_own) == (game, 1, False)
    assert isinstance(missed, RemoteChangesMissed)


async def test_unreadable_events_are_read_from_the_log(houses: tuple[Services, Services]) -> None:
    one, other = houses
    game = (await one.games.create(DRAW)).state.id
    await other.games.get(game)
    changes = other.bus.subscribe(ALL_GAMES)
    await one.games.move(game, 0, "take")
    newer = b'[[2,1,"Teleported",{"seat":0}]]'
    sent = write_message(LogGrown("another", game, 2, 2, tuple(await one.store.events(game, after=1))))
    head, _ = sent.split(b"\n")
    message = read_message(log_topic(game), b"\n".join((head, newer)))
    await other.bus.publish(log_topic(game), message)
    assert (await taken(changes, 1))[0].state.moves == ("take +9",)


async def test_parts_of_a_move_may_arrive_at_different_processes(houses: tuple[Services, Services]) -> None:
    one, other = houses
    game = (await one.games.create(TOGETHER)).state.id
    await other.games.get(game)
    changes, sent = other.bus.subscribe(ALL_GAMES), one.bus.subscribe(log_topic(game))
    assert (await one.games.move(game, 0, "3")).pending == (1,)
    (message,) = await taken(sent, 1)
    assert message.recorded == ()
    await other.bus.publish(log_topic(game), message)
    (change,) = await taken(changes, 1)
    sealed = (await one.store.events(game))[-1]
    assert (change.recorded[-1], change.table.pending, change.is_own) == (sealed, (1,), False)
    assert "'3'" not in repr(change)
    assert (await other.games.move(game, 1, "2", expected_ply=0)).state.moves == ("3/2",)
    assert (await one.games.move(game, 1, "4", expected_ply=1)).state.moves == ("3/2",)
    await other.hears(game, (await one.store.events(game))[-1])
    assert (await other.games.move(game, 0, "1", expected_ply=1)).state.moves == ("3/2", "1/4")


async def test_a_second_part_is_refused_by_a_process_that_has_heard_nothing(
    houses: tuple[Services, Services],
) -> None:
    one, other = houses
    game = (await one.games.create(TOGETHER)).state.id
    await other.games.get(game)
    await one.games.move(game, 0, "3", client_msg_id="a")
    with pytest.raises(ApiError) as refused:
        await other.games.move(game, 0, "4")
    assert refused.value.code is Code.ALREADY_MOVED
    again = await other.games.move(game, 0, "4", client_msg_id="a")
    assert (again.ply, again.pending, again.state.pending) == (0, (1,), {0: "3"})


async def test_a_game_of_another_database_is_ignored(houses: tuple[Services, Services]) -> None:
    one, other = houses
    changes = other.bus.subscribe(ALL_GAMES)
    await other.hears("replication", e.Recorded(2, 1, e.Moved(0, "take")))
    game = (await one.games.create(DRAW)).state.id
    await other.hears(game, *await one.store.events(game))
    assert [row.game_id for row in (await taken(changes, 1))[0].listings] == [game]


async def test_an_unused_game_is_not_read(houses: tuple[Services, Services]) -> None:
    one, other = houses
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
    houses: tuple[Services, Services],
) -> None:
    one, other = houses
    game = (await one.games.create(DRAW)).state.id
    await one.games.move(game, 0, "take")
    assert (await other.games.get(game)).version == 2
    changes = other.bus.subscribe(game_topic(game))
    await other.hears_of(game, 2)
    (told,) = await taken(changes, 1)
    assert (told.state.version, len(told.recorded)) == (2, 1)


async def test_remote_changes_do_not_count_as_use(tmp_path: Path, form: str) -> None:
    url = f"sqlite:///{tmp_path}/plyhouse.sqlite3"
    migrate(url)
    async with a_house(url) as one, a_house(url, loaded=2, form=form) as other:
        played, *rest = [(await one.games.create(DRAW)).state.id for _ in range(3)]
        await other.games.get(played)
        await other.games.get(rest[0])
        changes = other.bus.subscribe(ALL_GAMES)
        for seat in (0, 1):
            await one.games.move(played, seat, "take")
            await other.hears(played, (await one.store.events(played))[-1])
        await taken(changes, 2)
        await other.games.get(rest[1])
        await one.games.move(played, 0, "take")
        await other.hears(played, (await one.store.events(played))[-1])
        assert [type(change) for change in await taken(changes, 1)] == [RemoteChanges]
        assert not other.bus.has_subscribers(log_topic(played))


async def test_a_repeated_message_gets_the_answer_of_another_process(
    houses: tuple[Services, Services],
) -> None:
    one, other = houses
    game = (await one.games.create(DRAW)).state.id
    await other.games.get(game)
    first = await one.games.move(game, 0, "take", client_msg_id="a")
    await one.games.move(game, 1, "take")
    repeated = await other.games.move(game, 0, "take", expected_ply=0, client_msg_id="a")
    assert (repeated.ply, repeated.state.version) == (first.ply, first.state.version) == (1, 2)
    assert (await other.games.get(game)).version == 3


async def test_commands_are_not_refused_on_an_outdated_state(
    houses: tuple[Services, Services],
) -> None:
    one, other = houses
    game = (await one.games.create(DRAW)).state.id
    for ply in range(6):
        mover, replication = (one, other) if ply % 2 else (other, one)
        await replication.games.get(game)
        assert (await mover.games.move(game, ply % 2, "take", expected_ply=ply)).ply == ply + 1
    await one.games.propose(game, 0, OfferKind.DRAW)
    assert (await other.games.accept(game, 1, OfferKind.DRAW)).status == "finished"
    with pytest.raises(ApiError) as refusal:
        await one.games.move(game, 0, "take")
    assert refusal.value.code is Code.FINISHED


async def test_a_token_issued_by_another_process_is_valid(
    houses: tuple[Services, Services],
) -> None:
    one, other = houses
    wish = NewGame("toy-draw", (Seat(SeatKind.HUMAN), Seat(SeatKind.OPEN)), config={"seed": 5})
    game = (await one.games.create(wish)).state.id
    assert await other.games.seat_of(game, "unknown") is None
    joined = await one.games.join(game)
    assert await other.games.seat_of(game, joined.token) == 1


async def test_events_found_in_the_log_are_published_once(houses: tuple[Services, Services]) -> None:
    one, other = houses
    game = (await one.games.create(DRAW)).state.id
    await other.games.get(game)
    await one.games.move(game, 0, "take")
    changes = other.bus.subscribe(ALL_GAMES)
    await other.games.move(game, 1, "take", expected_ply=1)
    for recorded in (await one.store.events(game))[1:]:
        await other.hears(game, recorded)
    await one.games.move(game, 0, "take")
    await other.hears(game, (await one.store.events(game))[-1])
    told = await taken(changes, 3)
    assert [(change.state.version, change.is_own) for change in told] == [(2, False), (3, True), (4, False)]


@pytest.mark.parametrize("is_stored", [True, False])
async def test_a_change_that_is_stored_although_its_append_failed_is_published(
    houses: tuple[Services, Services], monkeypatch: pytest.MonkeyPatch, *, is_stored: bool
) -> None:
    one, _ = houses
    game = (await one.games.create(DRAW)).state.id
    changes, messages = one.bus.subscribe(ALL_GAMES), one.bus.subscribe(log_topic(game))
    append = one.store.append

    async def lose_connection(change: Append) -> None:
        if is_stored:
            await append(change)
        raise store_unavailable("the connection was lost")

    with monkeypatch.context() as patch:
        patch.setattr(one.store, "append", lose_connection)
        with pytest.raises(ApiError):
            await one.games.move(game, 0, "take")
    if is_stored:
        assert [(told.state.version, told.is_own) for told in await taken(changes, 1)] == [(2, False)]
        assert [(sent.first, sent.version) for sent in await taken(messages, 1)] == [(2, 2)]
    await one.games.move(game, 1 if is_stored else 0, "take")
    assert [told.is_own for told in await taken(changes, 1)] == [True]


async def test_a_change_whose_append_seemed_to_fail_is_published_before_the_next_one(
    houses: tuple[Services, Services], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = houses
    game = (await one.games.create(DRAW)).state.id
    await other.games.get(game)
    changes, messages = one.bus.subscribe(ALL_GAMES), one.bus.subscribe(log_topic(game))
    append = one.store.append

    async def lose_first_answer(change: Append) -> None:
        await append(change)
        if change.expected_version == 1:
            raise store_unavailable("the connection was lost")

    monkeypatch.setattr(one.store, "append", lose_first_answer)
    moves = (one.games.move(game, seat, "take") for seat in (0, 1))
    lost, stored = await asyncio.gather(*moves, return_exceptions=True)
    assert isinstance(lost, ApiError)
    assert not isinstance(stored, BaseException)
    assert [told.state.version for told in await taken(changes, 2)] == [2, 3]
    log = await one.store.events(game)
    heard = other.bus.subscribe(ALL_GAMES)
    for sent in await taken(messages, 2):
        await other.hears(game, *log[sent.first - 1 : sent.version])
    assert (await taken(heard, 1))[0].state.version in (2, 3)
    assert (await other.games.get(game)).version == 3


async def opened_and_over(one: Services, other: Services) -> set[str]:
    """Two games that ``one`` opened and ``other`` ended, and that ``one`` does not have in memory."""
    games = {(await one.games.create(DRAW, "192.0.2.1")).state.id for _ in range(2)}
    for _ in range(5):
        await one.games.create(DRAW)
    for game in games:
        await other.games.abort(game, 0)
    assert one.opened.ids == games
    return games


async def test_a_game_found_finished_in_the_log_no_longer_counts(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/plyhouse.sqlite3"
    migrate(url)
    async with a_house(url, loaded=1) as one, a_house(url) as other:
        for game in await opened_and_over(one, other):
            await one.games.get(game)
            assert game not in one.opened.ids
        assert not one.opened.ids


async def test_a_game_that_ended_in_a_gap_no_longer_counts(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/plyhouse.sqlite3"
    migrate(url)
    async with a_house(url, loaded=1) as one, a_house(url) as other:
        await opened_and_over(one, other)
        live = (await one.games.create(DRAW, "192.0.2.1")).state.id
        one.bus.miss(LOGS)
        async with asyncio.timeout(60):
            while one.opened.ids != {live}:  # noqa: ASYNC110 - polls
                await asyncio.sleep(0.01)


async def test_a_game_ended_by_another_process_no_longer_counts(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/plyhouse.sqlite3"
    migrate(url)
    async with a_house(url, loaded=1) as one, a_house(url) as other:
        for game in await opened_and_over(one, other):
            await one.hears(game, (await other.store.events(game))[-1])
        async with asyncio.timeout(60):
            while one.opened.ids:  # noqa: ASYNC110 - polls
                await asyncio.sleep(0.01)
