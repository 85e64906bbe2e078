"""What secrets prove about a bot client's id, and which ids are kept when there are too many."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from server.domain.client_ids import ClientId, Grant, IdClaim, grant
from server.domain.ladder.results import RatedResult
from server.domain.tokens import hash_token
from server.domain.tournaments.events import PlayerEntered
from server.domain.tournaments.state import RecordedTournamentEvent
from server.store import sql_client_ids
from server.store.sql_engine import open_engine
from server.store.sql_migrate import migrate
from server.store.sql_store import SqlStore
from tests.server.test_list_migration import bring_back
from tests.server.test_store import creation
from tests.server.test_tournament_store import CREATED, change


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
    url = f"sqlite:///{tmp_path}/ids.sqlite3"
    migrate(url)
    store = SqlStore(url)
    yield store
    await store.close()


async def rate_and_enter(store: SqlStore) -> None:
    """Stores a rated game of a bot of the client ``rated``, and an entry of one of ``entered``."""
    players = ("plyhouse:easy", "rated:b1@2")
    result = RatedResult("g", "hive", "Base", players, ("E", "R"), 1, (1, 2), "queen", 5, 30)
    finished = replace(creation("g").listing, status="finished")
    await store.append(replace(creation("g"), listing=finished, ladder=result))
    entry = RecordedTournamentEvent(2, 10, PlayerEntered("E", "d", "entered:b1"))
    await store.append_tournament(change("1", RecordedTournamentEvent(1, 10, CREATED), entry))


async def test_an_id_with_a_rating_or_an_entry_is_never_discarded(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sql_client_ids, "MAX_IDS", 2)
    rated, entered = ClientId("rated", "a", 1), ClientId("entered", "b", 2)
    for one in (rated, entered):
        await store.keep_client_id(one)
    await rate_and_enter(store)
    newcomers = [ClientId(f"newcomer{number}", "c", 9 + number, is_used=True) for number in range(3)]
    for one in newcomers:
        await store.keep_client_id(one)
    await store.keep_client_id(replace(rated, seen_at=20))
    assert await store.client_id("rated") == replace(rated, seen_at=20)
    assert await store.client_id("entered") == entered
    found = [await store.client_id(one.client_id) for one in newcomers]
    assert found == [None, *newcomers[1:]], "those that are kept take no place"


async def test_a_migration_keeps_the_ids_with_ratings_and_entries(database: str) -> None:
    store = SqlStore(database)
    for name in ("rated", "entered", "other"):
        await store.keep_client_id(ClientId(name, "a", 1))
    await rate_and_enter(store)
    await store.close()
    bring_back(database, "0015")
    migrate(database)
    engine = open_engine(database)
    with engine.connect() as connection:
        kept = connection.execute(text("SELECT client_id FROM client_ids WHERE is_kept")).scalars().all()
        counted = connection.execute(text("SELECT number FROM row_counts WHERE name = 'client_ids'")).scalar()
    engine.dispose()
    assert (set(kept), counted) == ({"rated", "entered"}, 1)


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
