"""Laws of the openings in the database: they are those of the games in it that have ended, whatever happens."""

import asyncio
import random
import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from alembic import command
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import Position
from engines.explorer.places import Places
from engines.explorer.tally import OpeningTally
from protocols.values import LeaveReason, Seat, SeatKind, Visibility
from server.domain.events import Created, Event, Left, Moved, Recorded
from server.domain.explored import BOTS, EVERYBODY, PEOPLE, filed
from server.domain.fold import fold
from server.domain.public_table import table_of
from server.ports.store import Append, EndedGames, EndedKind
from server.services.cluster.listing import listing_of
from server.services.explorer.opening_counter import OpeningCounter
from server.services.heavy_work import HeavyWork
from server.store.explorer.sql_explorer import start_again
from server.store.sql_engine import open_engine
from server.store.sql_migrate import migrate
from server.store.sql_store import SqlStore
from tests.server.databases import bring, sqlite_database

START = Position("wallwars", "classic", {"boardWidth": 4, "boardHeight": 4})
LINES = (("Cb4", "Cc4", "Ca4", "Cd4", "Cb4"), ("Cb4", "Cc4", "Cb3", "Cc3"), ("Ca3",), ())
"""The first comes back to a position."""

FOREVER = 2**62

LATER = 10_000
"""Added to the numbers of games that are deleted again."""

PLAYERS = {
    PEOPLE: (Seat(SeatKind.HUMAN, "Ada"), Seat(SeatKind.HUMAN, "Bo")),
    BOTS: (Seat(SeatKind.BOT, "One", "lab:one"), Seat(SeatKind.BOT, "Two", "lab:two")),
    "mixed": (Seat(SeatKind.HUMAN, "Ada"), Seat(SeatKind.BOT, "One", "lab:one")),
}

WHO = (EVERYBODY, PEOPLE, BOTS, "lab:one", "lab:two")

Plan = tuple[int, int, str, str]
"""A game: its line, the seat that leaves it, who plays, and its visibility."""

plans = st.lists(
    st.tuples(
        st.integers(0, len(LINES) - 1),
        st.integers(0, 1),
        st.sampled_from(sorted(PLAYERS)),
        st.sampled_from(["public", "public", "unlisted"]),
    ),
    max_size=6,
)


def finished(number: int, plan: Plan) -> Append:
    """The creation of a game that has ended, as an import or a restored archive is stored."""
    line, loser, who, visibility = plan
    seats = PLAYERS[who]
    start = START
    events: list[Event] = [
        Created(start.game, start.variant, start.config, {}, seats, 0, visibility=Visibility(visibility))
    ]
    events += [Moved(ply % 2, move) for ply, move in enumerate(LINES[line])]
    events.append(Left(loser, LeaveReason.RESIGNATION))
    log = tuple(Recorded(seq, 1000 * number + seq, event) for seq, event in enumerate(events, 1))
    state = fold(f"game{number}", log)
    assert state is not None
    return Append(state.id, 0, log, listing_of(state, table_of(state, state.updated_at)))


def naive(
    games: Sequence[tuple[int, Plan]], moves: Sequence[str], who: str
) -> tuple[int, Counter[str], dict[str, str]]:
    """How many games reached the position after these moves, what they played when they first did, and the latest."""
    wanted = START.copy()
    wanted.play(*moves)
    reached, played, latest = 0, Counter[str](), dict[str, str]()
    for number, (line, _, players, visibility) in sorted(games):
        ids = {seat.bot_id for seat in PLAYERS[players]} | {EVERYBODY, players}
        if visibility != "public" or not LINES[line] or who not in ids:
            continue
        position = START.copy()
        for ply in range(len(LINES[line]) + 1):
            if position.key == wanted.key:
                reached += 1
                played.update(LINES[line][ply : ply + 1])
                latest |= dict.fromkeys(LINES[line][ply : ply + 1], f"game{number}")
                break
            if ply < len(LINES[line]):
                position.play(LINES[line][ply])
    return reached, played, latest


async def assert_counts(
    store: SqlStore, games: Sequence[tuple[int, Plan]], *, are_all_there: bool = True
) -> None:
    for moves in ((), ("Cb4",), ("Cb4", "Cc4"), ("Cb4", "Cc4", "Cb3"), ("Ca3",)):
        position = START.copy()
        position.play(*moves)
        for who in WHO:
            place = filed(Places(START).of(position), who)
            found = await store.explored(place, OpeningTally.none(START), 20)
            reached, played, latest = naive(games, moves, who)
            assert found.total.games == sum(found.total.won) == reached, (moves, who)
            assert {one.name: one.tally.games for one in found.moves} == dict(played), (moves, who)
            shown = {one.name: one.latest for one in found.moves}
            assert all(one in (None, latest[name]) for name, one in shown.items()), (moves, who)
            assert shown == latest or not are_all_there, (moves, who)


async def count_all(store: SqlStore) -> None:
    counter = OpeningCounter(store, HeavyWork(), "one")
    while await counter.count_next():
        pass


async def law(url: str, games: Sequence[tuple[int, Plan]], cut: int) -> None:
    """Restarts after ``cut`` games, counts on two servers at once, deletes games and restores them from an archive."""
    store, other = SqlStore(url), SqlStore(url)
    for number, plan in games[:cut]:
        await store.append(finished(number, plan))
    await asyncio.gather(count_all(store), count_all(other))
    for number, plan in games[cut:]:
        await store.append(finished(number, plan))
    await store.close()
    store = SqlStore(url)  # What was acknowledged waits for a server that starts again.
    await asyncio.gather(count_all(store), count_all(other))
    await other.close()
    await assert_counts(store, games)
    for number, plan in games[:cut]:
        await store.append(finished(number + LATER, plan))
    for kind in EndedKind:  # Some of them have been counted, and others wait.
        await store.delete_ended(EndedGames(kind, 1000 * 3, look_at=1000))
        await store.delete_ended(
            EndedGames(kind, 1000 * LATER + FOREVER, look_at=1000, after=(1000 * LATER, ""))
        )
    await count_all(store)
    await assert_counts(store, [game for game in games if game[0] >= 3], are_all_there=False)
    for number, plan in games:
        if number < 3:
            await store.append(finished(number, plan))
    await count_all(store)
    await assert_counts(store, games, are_all_there=False)
    await store.close()
    engine = open_engine(url, begin="BEGIN IMMEDIATE")
    with engine.begin() as connection:
        start_again(connection)
    engine.dispose()
    store = SqlStore(url)
    await count_all(store)
    await assert_counts(store, games)
    await store.close()


@settings(max_examples=6, deadline=None)
@given(plans=plans, order=st.randoms(use_true_random=False), cut=st.integers(0, 6))
@pytest.mark.slow
def test_counts_are_those_of_all_games(plans: list[Plan], order: random.Random, cut: int) -> None:
    games = list(enumerate(plans))
    order.shuffle(games)
    with TemporaryDirectory() as folder:
        asyncio.run(law(sqlite_database(Path(folder)), games, cut))


@pytest.mark.slow
async def test_counts_are_those_of_all_games_on_each_database(database: str) -> None:
    plans = [(line, loser, who, "public") for line in range(4) for loser in range(2) for who in PLAYERS]
    await law(database, [*enumerate(plans), (99, (0, 0, PEOPLE, "unlisted"))], 7)


async def test_a_game_that_is_deleted_is_shown_and_counted_no_more(database: str) -> None:
    store = SqlStore(database)
    await store.append(finished(1, (2, 0, PEOPLE, "public")))
    await count_all(store)
    place = Places(START).of(START)
    shown = await store.explored(place, OpeningTally.none(START), 20)
    assert [one.latest for one in shown.moves] == [row.game_id for row in shown.games] == ["game1"]
    await store.delete_ended(EndedGames(EndedKind.FINISHED, FOREVER))
    after = await store.explored(place, OpeningTally.none(START), 20)
    assert (after.moves, after.games, after.total) == ([], [], OpeningTally.none(START))
    await store.close()


async def test_a_log_that_cannot_be_read_does_not_stop_the_others(
    database: str, caplog: pytest.LogCaptureFixture
) -> None:
    store = SqlStore(database)
    broken = finished(1, (2, 0, PEOPLE, "public"))
    await store.append(replace(broken, events=(*broken.events[:1], Recorded(2, 2, Moved(0, "Zz9")))))
    await store.append(finished(2, (2, 0, PEOPLE, "public")))
    await count_all(store)
    assert "game1" in caplog.text
    assert await store.uncounted(1) == []
    assert (await store.explored(Places(START).of(START), OpeningTally.none(START), 20)).total.games == 1
    await store.close()


def test_the_migration_lets_the_public_games_wait(tmp_path: Path) -> None:
    database = tmp_path / "plyhouse.sqlite3"
    bring(database, command.upgrade, "0014")
    with closing(sqlite3.connect(database)) as rows:
        for game_id, status, visibility in (("a", "finished", "public"), ("b", "finished", "unlisted"),
                                            ("c", "playing", "public"), ("d", "finished", "site")):  # fmt: skip
            rows.execute(
                "INSERT INTO games (game_id, version, game, variant, status, is_timed, has_bot, created_at,"
                " updated_at, ply, summary, has_remote, visibility, epoch)"
                " VALUES (?, 1, 'hive', 'Base', ?, 0, 0, 1, 1, 1, '{}', 0, ?, 0)",
                (game_id, status, visibility),
            )
        rows.commit()
    migrate(f"sqlite:///{database}")
    with closing(sqlite3.connect(database)) as rows:
        assert rows.execute("SELECT game_id FROM explorer_waiting").fetchall() == [("a",)]
