"""The logs of tournaments in the store, with every database."""

from collections.abc import AsyncIterator

import pytest

from protocols.values import TimeControl
from server.domain.tournaments.events import (
    PlayerEntered,
    TournamentCancelled,
    TournamentCreated,
    TournamentSettings,
)
from server.domain.tournaments.state import RecordedTournamentEvent
from server.ports.store import VersionConflictError
from server.ports.tournaments import TournamentAppend, TournamentListing
from server.store.sql_store import SqlStore
from tests.server.test_retention import command

CREATED = TournamentCreated(
    TournamentSettings(
        name="T",
        game="wallwars",
        variant="standard",
        system="swiss",
        games_per_pair=1,
        time_control=TimeControl(60, 1),
        tie_breaks=("wins",),
    ),
    "owner",
)


@pytest.fixture
async def store(database: str) -> AsyncIterator[SqlStore]:
    store = SqlStore(database)
    yield store
    await store.close()


def change(tournament_id: str, *events: RecordedTournamentEvent, is_live: bool = True) -> TournamentAppend:
    version = events[-1].seq
    listing = TournamentListing(tournament_id, version, is_live, int(tournament_id), {"name": "T"})
    return TournamentAppend(events, listing)


async def test_events_follow_each_other_or_are_refused(store: SqlStore) -> None:
    first = RecordedTournamentEvent(1, 10, CREATED)
    second, third = (RecordedTournamentEvent(seq, 20, PlayerEntered(f"P{seq}", "d")) for seq in (2, 3))
    await store.append_tournament(change("1", first))
    for refused in (change("1", first), change("1", third), change("2", second)):
        with pytest.raises(VersionConflictError):
            await store.append_tournament(refused)
    await store.append_tournament(change("1", second, third))
    assert await store.tournament_events("1", 0) == [first, second, third]
    assert await store.tournament_events("1", 2) == [third]
    assert await store.tournament_events("2", 0) == []
    assert [row.version for row in await store.live_tournaments()] == [3]


async def test_lists(store: SqlStore) -> None:
    for number in range(1, 5):
        await store.append_tournament(change(str(number), RecordedTournamentEvent(1, number, CREATED)))
    over = RecordedTournamentEvent(2, 9, TournamentCancelled("over"))
    await store.append_tournament(change("3", over, is_live=False))
    assert [row.tournament_id for row in await store.live_tournaments()] == ["1", "2", "4"]
    assert [row.tournament_id for row in await store.latest_tournaments(3, None)] == ["4", "3", "2"]
    assert [row.tournament_id for row in await store.latest_tournaments(3, "2")] == ["1"]
    assert await store.latest_tournaments(3, "unknown") == []


async def test_old_tournaments_are_pruned(store: SqlStore, database: str) -> None:
    for number in range(1, 13):
        first = RecordedTournamentEvent(1, 10, CREATED)
        await store.append_tournament(change(str(number), first, is_live=number % 4 == 0))
    assert command(database, "prune", "--tournaments", "0", "--dry-run") == "would delete 9 tournaments"
    assert command(database, "prune", "--tournaments", "100000") == "deleted 0 tournaments"
    assert command(database, "prune", "--tournaments", "0") == "deleted 9 tournaments"
    assert [row.tournament_id for row in await store.latest_tournaments(50, None)] == ["12", "8", "4"]
    assert await store.tournament_events("1", 0) == []
    assert len(await store.tournament_events("4", 0)) == 1
