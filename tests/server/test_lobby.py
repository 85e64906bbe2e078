"""The list of live games, whose rows are added when somebody reads it."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial

import pytest

from protocols.values import Seat, SeatKind
from server.domain.game import MATCHMAKING
from server.ports.store import Listing, ListingQuery
from server.services.cluster.announcements import Announcements
from server.services.cluster.changes import ALL_GAMES, RemoteChanges
from server.services.cluster.departures import Departures
from server.services.cluster.presence import Presence
from server.services.games.game_factory import NewGame
from server.services.lobby import lobby
from server.services.lobby.live_list import STILL_MS
from server.services.lobby.lobby import Lobby
from tests.server.memory_connection import MemoryConnection
from tests.server.replicas import Services, a_server

LIMIT = 3
WALLWARS = NewGame("wallwars", (Seat(SeatKind.HUMAN), Seat(SeatKind.HUMAN)))

OFFERED = NewGame("wallwars", (Seat(SeatKind.HUMAN), Seat(SeatKind.OPEN)), match_type=MATCHMAKING)


@pytest.fixture
async def services(sqlite: str) -> AsyncIterator[Services]:
    async with a_server(sqlite) as services:
        yield services


@pytest.fixture
def presence(services: Services) -> Presence:
    leases = services.games.leases
    announcements = Announcements(services.bus, leases.server, leases.knows, leases.look_soon)
    return Presence(services.bus, announcements, Departures(60_000, services.games.now))


@pytest.fixture
async def lists(
    services: Services, presence: Presence, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Lobby]:
    monkeypatch.setattr(lobby, "LIMIT", LIMIT)
    lists = Lobby(services.games, services.bus, presence, abandoned_seconds=300)
    await lists.start()
    yield lists
    await lists.stop()


async def created(services: Services) -> str:
    return (await services.games.create(WALLWARS)).state.id


def listed(lists: Lobby) -> dict[str, int]:
    """The number of moves of each game in the list."""
    return {live.game_id: live.game.ply for live in lists.contents.games}


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not is_so():  # noqa: ASYNC110 - there is no event to wait for
            await asyncio.sleep(0.01)


async def row_of(services: Services, game: str, **changes: object) -> Listing:
    [row] = await services.store.listings(ListingQuery(game_ids=(game,)))
    return replace(row, **changes)  # type: ignore[arg-type]  # members of the row, by name


async def test_beyond_the_limit_a_game_takes_the_place_of_one_that_is_still(
    services: Services, lists: Lobby
) -> None:
    games = [await created(services) for _ in range(LIMIT)]
    await services.games.move(games[0], 0, "---")
    newest = await created(services)
    await until(lambda: listed(lists) == {games[0]: 1, games[1]: 0, games[2]: 0})
    row = await row_of(services, newest)
    later = replace(row, ply=1, updated_at=row.updated_at + STILL_MS)
    await services.bus.publish(ALL_GAMES, RemoteChanges((later,)))
    await until(lambda: listed(lists) == {games[0]: 1, games[2]: 0, newest: 1})


async def test_a_game_that_ends_unread_is_not_listed(services: Services, lists: Lobby) -> None:
    kept, ended = await created(services), await created(services)
    await services.games.resign(ended, 0)
    await until(lambda: listed(lists) == {kept: 0})


async def test_of_two_rows_the_later_one_counts_in_any_order(services: Services, lists: Lobby) -> None:
    game = await created(services)
    at = (await row_of(services, game)).updated_at
    for ply in (2, 1):
        row = await row_of(services, game, ply=ply, updated_at=at + ply)
        await services.bus.publish(ALL_GAMES, RemoteChanges((row,)))
    other = await created(services)
    await until(lambda: listed(lists) == {game: 2, other: 0})


async def test_the_summary_of_a_row_is_read_only_with_the_list(services: Services, lists: Lobby) -> None:
    game = await created(services)
    read: list[str] = []

    class Summary(dict[str, object]):
        def __getitem__(self, name: str) -> object:
            read.append(name)
            return super().__getitem__(name)

    row = await row_of(services, game)
    message = RemoteChanges((replace(row, ply=1, summary=Summary(row.summary)),))
    await services.bus.publish(ALL_GAMES, message)
    await services.games.create(OFFERED)
    await until(lambda: len(lists.waiting()) == 1)  # By now the row has been received.
    assert not read
    assert listed(lists) == {game: 1}
    assert read


async def test_games_to_which_people_return_together_are_read_together(
    services: Services, presence: Presence, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "READ_AT_ONCE", 8)
    games = {await created(services) for _ in range(20)}
    await asyncio.sleep(0.02)  # The lobby starts without them, since they are abandoned by then.
    lists = Lobby(services.games, services.bus, presence, abandoned_seconds=0.01)
    await lists.start()
    assert not listed(lists)
    asked: list[int] = []
    read = services.games.listings

    async def counted(query: ListingQuery) -> list[Listing]:
        asked.append(len(query.game_ids or ()))
        return await read(query)

    monkeypatch.setattr(services.games, "listings", counted)
    async with AsyncExitStack() as people:
        for game in games:
            await people.enter_async_context(presence.present(game, None))
        await until(lambda: set(listed(lists)) == games)
    assert sum(asked) == len(games)
    assert len(asked) <= 5
    await lists.stop()


class Follower(MemoryConnection):
    """A client of the lobby that keeps what it is sent about one game."""

    def __init__(self, game: str) -> None:
        super().__init__()
        self._game = game
        self.plies: list[int] = []

    def send(self, text: str, key: Hashable = None) -> None:
        if key == self._game:
            self.plies.append(json.loads(text)["game"]["moveCount"])

    def is_at(self, ply: int) -> bool:
        return self.plies[-1:] == [ply]


async def test_changes_that_arrive_together_are_sent_as_one(services: Services, lists: Lobby) -> None:
    game = await created(services)
    await until(lambda: listed(lists) == {game: 0})
    row, follower = await row_of(services, game), Follower(game)
    with lists.followed_by(follower, with_extensions=False):
        for plies in (range(1, 101), range(101, 201)):
            for ply in plies:
                # Publishing suspends nothing, so the lobby finds all of them at once.
                later = replace(row, ply=ply, updated_at=row.updated_at + ply)
                await services.bus.publish(ALL_GAMES, RemoteChanges((later,)))
            await until(partial(follower.is_at, plies[-1]))
    assert follower.plies == [100, 200]


class Feed(MemoryConnection):
    """A client of the lobby that keeps the moves of each game, None once it is removed."""

    def __init__(self) -> None:
        super().__init__()
        self.plies: dict[Hashable, int | None] = {}

    def send(self, text: str, key: Hashable = None) -> None:
        frame = json.loads(text)
        self.plies[key] = frame["game"]["moveCount"] if frame["type"] == "upsert" else None


async def move_all(services: Services, lists: Lobby, rows: list[Listing], ply: int) -> None:
    moved = tuple(replace(row, ply=ply, updated_at=row.updated_at + ply) for row in rows)
    await services.bus.publish(ALL_GAMES, RemoteChanges(moved))
    await until(lambda: set(listed(lists).values()) == {ply})


async def test_a_batch_has_some_of_many_changes_and_all_removals(
    services: Services, lists: Lobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "UPDATES_AT_ONCE", 1)
    monkeypatch.setattr(lobby, "TELL_SECONDS", 3600)
    games = [await created(services) for _ in range(LIMIT)]
    await until(lambda: set(listed(lists)) == set(games))
    rows, feed = [await row_of(services, game) for game in games], Feed()

    def tell() -> None:
        """Joining sends a batch to the others."""
        with lists.followed_by(Feed(), with_extensions=False):
            pass

    with lists.followed_by(feed, with_extensions=False):
        await move_all(services, lists, rows, 1)
        tell()
        assert list(feed.plies.values()) == [1]
        await move_all(services, lists, rows, 2)
        tell()
        assert sorted(feed.plies.values(), key=str) == [1, 2]
        [last] = set(games) - set(feed.plies)
        ended = replace(await row_of(services, last), status="finished")
        await services.bus.publish(ALL_GAMES, RemoteChanges((ended,)))
        await until(lambda: last not in listed(lists))
        tell()
        assert feed.plies == {game: None if game == last else 2 for game in games}
        left = [row for row in rows if row.game_id != last]
        await move_all(services, lists, left, 3)
    await move_all(services, lists, left, 4)
    with lists.followed_by(feed, with_extensions=False):
        feed.plies.clear()
        tell()
        assert feed.plies == {}


async def test_changes_left_by_a_batch_follow(
    services: Services, lists: Lobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "UPDATES_AT_ONCE", 1)
    games = [await created(services) for _ in range(LIMIT)]
    await until(lambda: set(listed(lists)) == set(games))
    rows, feed = [await row_of(services, game) for game in games], Feed()
    with lists.followed_by(feed, with_extensions=False):
        await move_all(services, lists, rows, 1)
        await until(lambda: feed.plies == dict.fromkeys(games, 1))
