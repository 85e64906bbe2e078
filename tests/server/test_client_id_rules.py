"""What secrets prove about a bot client's id, and which ids are kept when there are too many."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event, text

from server.domain.client_ids import ClientId, Grant, IdClaim, grant
from server.domain.ladder.results import RatedResult
from server.domain.tokens import hash_token
from server.domain.tournaments.events import (
    GameBegun,
    GameScored,
    PlannedGame,
    PlayerEntered,
    PlayerWithdrew,
    RoundPaired,
    TournamentEvent,
    TournamentStarted,
)
from server.domain.tournaments.state import RecordedTournamentEvent
from server.ports.tournaments import TournamentAppend
from server.store import sql_client_ids
from server.store.ladder_rebuild import store_again
from server.store.sql_engine import open_engine
from server.store.sql_migrate import migrate
from server.store.sql_store import SqlStore
from tests.server.databases import sqlite_database
from tests.server.test_list_migration import bring_back
from tests.server.test_store import creation
from tests.server.test_tournament_store import CREATED, change

RATED = RatedResult(
    "g", "hive", "Base", ("plyhouse:easy", "rated:b1@2"), ("E", "R"), 1, (1, 2), "queen", 5, 30
)


class Id:
    """One id over several attachments; ``Sn`` is the secret granted to the n-th of them."""

    def __init__(self) -> None:
        self.known: ClientId | None = None
        self.count = 0

    def attach(
        self, secret: str | None = None, *, is_awaited: bool = False, is_official: bool = False
    ) -> Grant:
        self.count += 1
        claim = IdClaim("c", secret, is_official)
        given = grant(claim, self.known, f"S{self.count}", now=self.count, is_awaited=is_awaited)
        self.known = given.stored or self.known
        return given

    def secret_after(self, secret: str | None = None) -> str | None:
        """Attaches with ``secret``; returns the new secret."""
        return self.attach(secret).secret


def test_the_first_secret_is_the_owners_and_stays_valid() -> None:
    name = Id()
    assert [name.secret_after(), name.secret_after("S1")] == ["S1", "S1"]
    assert name.known == ClientId("c", hash_token("S1"), 2, is_used=True)


def test_a_guests_secret_is_valid_until_the_owner_or_another_guest_attaches() -> None:
    name = Id()
    name.attach()
    assert [name.secret_after(), name.secret_after("S2")] == ["S2", "S2"]
    assert [name.secret_after(), name.secret_after("S2")] == ["S4", "S5"]
    assert [name.secret_after("S1"), name.secret_after("S5")] == ["S1", "S7"]


def test_before_a_secret_is_used_any_client_inherits_the_games() -> None:
    name = Id()
    name.attach()
    assert name.attach(is_awaited=True).inherits


def test_a_client_that_chose_the_secret_of_a_new_id_has_used_it() -> None:
    name = Id()
    assert name.secret_after("S1") == "S1"
    assert not name.attach(is_awaited=True).inherits


@pytest.mark.parametrize("used", ["S1", "S2"])
def test_once_a_secret_was_used_only_a_secret_inherits_games(used: str) -> None:
    name = Id()
    name.attach()
    name.attach()
    name.attach(used)
    before = name.known
    for secret in (None, "", "S9"):
        assert name.attach(secret, is_awaited=True) == Grant(None, None, inherits=False)
    assert name.known == before
    assert name.attach(used, is_awaited=True).inherits
    assert name.attach("S1", is_awaited=True).inherits


def test_the_official_token_inherits_and_marks_the_id_permanently() -> None:
    name = Id()
    name.attach()
    name.attach("S1")
    assert name.attach(is_awaited=True, is_official=True).inherits
    assert name.known is not None
    assert name.known.is_official
    assert name.attach("S1").stored == replace(name.known, seen_at=4, is_used=True, guest=None)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqlStore]:
    store = SqlStore(sqlite_database(tmp_path))
    yield store
    await store.close()


def play_a_tournament(number: int, bot: str) -> TournamentAppend:
    """The log of a tournament in which this bot plays, ``withdrew:b1`` has withdrawn and ``absent:b1`` never came."""
    pair = (0, 1)
    log: tuple[TournamentEvent, ...] = (
        CREATED,
        PlayerEntered("W", "d", "withdrew:b1"),
        PlayerEntered("A", "d", "absent:b1"),
        PlayerEntered("Ada", "d"),
        PlayerWithdrew(1),
        PlayerEntered("P", "d", bot),
        TournamentStarted(),
        RoundPaired((pair,), (PlannedGame("g1", pair, 0),), bye=2),
        GameScored(0, 0, (0, 1), "absent"),
        RoundPaired(((2, 1),), (PlannedGame("g2", (2, 1), 0),), bye=0),
        GameBegun(1, 0),
    )
    recorded = [RecordedTournamentEvent(seq, 10, event) for seq, event in enumerate(log, 1)]
    return replace(change(str(number), *recorded), playing=[bot])


async def rate_and_play(store: SqlStore) -> None:
    """Stores a rated game of a bot of the client ``rated``, and a tournament in which one of ``played`` plays."""
    finished = replace(creation("g").listing, status="finished")
    await store.append(replace(creation("g"), listing=finished, ladder=RATED))
    await store.append_tournament(play_a_tournament(1, "played:b1"))


def kept_and_counted(url: str) -> tuple[set[str], int]:
    """The ids that are kept, and how many others are counted."""
    engine = open_engine(url)
    with engine.connect() as connection:
        kept = connection.execute(text("SELECT client_id FROM client_ids WHERE is_kept")).scalars().all()
        counted = connection.execute(text("SELECT number FROM row_counts WHERE name = 'client_ids'")).scalar()
    engine.dispose()
    return set(kept), counted or 0


async def test_an_id_with_a_rating_or_a_game_of_a_tournament_is_never_discarded(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sql_client_ids, "MAX_IDS", 2)
    rated, played = ClientId("rated", "a", 1), ClientId("played", "b", 2)
    for one in (rated, played):
        await store.keep_client_id(one)
    await rate_and_play(store)
    newcomers = [ClientId(f"newcomer{number}", "c", 9 + number, is_used=True) for number in range(3)]
    for one in newcomers:
        await store.keep_client_id(one)
    await store.keep_client_id(replace(rated, seen_at=20))
    assert await store.client_id("rated") == replace(rated, seen_at=20)
    assert await store.client_id("played") == played
    found = [await store.client_id(one.client_id) for one in newcomers]
    assert found == [None, *newcomers[1:]], "those that are kept take no place"


async def test_a_migration_keeps_the_ids_with_ratings_and_games_of_tournaments(database: str) -> None:
    store = SqlStore(database)
    for name in ("rated", "played", "absent", "withdrew"):
        await store.keep_client_id(ClientId(name, "a", 1))
    await rate_and_play(store)
    await store.close()
    bring_back(database, "0015")
    migrate(database)
    assert kept_and_counted(database) == ({"rated", "played"}, 2)


async def test_a_result_that_is_made_again_keeps_its_ids(tmp_path: Path) -> None:
    url = sqlite_database(tmp_path)
    store, engine = SqlStore(url), open_engine(url)
    for name in ("rated", "other"):
        await store.keep_client_id(ClientId(name, "a", 1))
    store_again(engine, RATED)
    engine.dispose()
    await store.close()
    assert kept_and_counted(url) == ({"rated"}, 1)


async def test_each_transaction_marks_the_ids_in_one_order(tmp_path: Path) -> None:
    """Otherwise, two transactions could wait for each other. Three changes wait until the database is free."""
    transactions: list[list[str]] = []

    def note(_: object, __: object, statement: str, values: Any, *___: object) -> None:
        if statement.startswith("BEGIN"):
            transactions.append([])
        elif "SET is_kept" in statement:
            transactions[-1] += {"a", "b", "c"}.intersection(values)

    url = sqlite_database(tmp_path)
    store, other = SqlStore(url), open_engine(url, begin="BEGIN IMMEDIATE")
    event.listen(Engine, "before_cursor_execute", note)
    try:
        with other.begin():
            first = asyncio.ensure_future(store.try_writing())
            changes = [play_a_tournament(number, f"{name}:b1") for number, name in enumerate("cab", 1)]
            rest = [asyncio.ensure_future(store.append_tournament(one)) for one in changes]
            await asyncio.sleep(0)
            assert not any(one.done() for one in (first, *rest))
        await asyncio.gather(first, *rest)
    finally:
        event.remove(Engine, "before_cursor_execute", note)
        await store.close()
        other.dispose()
    assert sorted(name for names in transactions for name in names) == ["a", "b", "c"]
    assert all(names == sorted(names) for names in transactions), transactions


async def test_a_change_of_a_tournament_compiles_no_statement(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would take long on the only thread that writes."""
    monkeypatch.setattr(sql_client_ids, "Statement", None)
    await store.append_tournament(play_a_tournament(1, "played:b1"))


async def test_the_least_used_ids_are_discarded(store: SqlStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sql_client_ids, "MAX_IDS", 3)
    kept = [
        ClientId("old", "a", 1),
        ClientId("official", "b", 2, is_official=True),
        ClientId("used", "c", 3, guest="g", is_used=True),
        ClientId("new", "d", 4),
        ClientId("newer", "e", 5),
    ]
    for one in kept:
        await store.keep_client_id(one)
    await store.keep_client_id(replace(kept[4], seen_at=6))
    found = [await store.client_id(one.client_id) for one in kept]
    assert found == [None, kept[1], kept[2], None, replace(kept[4], seen_at=6)]
