"""The stored chat: what a client writes counts like the games that it stores."""

from collections.abc import Iterator
from contextlib import suppress

import pytest

from protocols.play.chat_messages import Channel, ChatHeard
from server.domain.errors import ApiError
from server.services.games.chat_room import ChatHistory
from server.services.games.stored_bytes import StoredBytes
from server.services.payer import payer
from server.store.sql_store import SqlStore
from tests.server.test_store import a_store, creation

HEARD = ChatHeard(Channel.AUDIENCE, None, "socket", "Guest", "x" * 280, 0)


@pytest.fixture
def client() -> Iterator[None]:
    before = payer.set("192.0.2.1")
    yield
    payer.reset(before)


async def test_a_client_that_has_stored_too_much_writes_no_more(sqlite: str, client: None) -> None:
    async with a_store(sqlite) as store:
        await store.append(creation("a"))
    database = SqlStore(sqlite)
    try:
        history = ChatHistory(database, StoredBytes(most_per_day=1000))
        with suppress(ApiError):
            for _ in range(10):
                await history.add("a", HEARD)
        with pytest.raises(ApiError, match="today"):
            await history.add("a", HEARD)
        kept = await history.of_game("a")
        assert 1 < len(kept) < 10
        assert {line.text for line in kept} == {HEARD.text}
        payer.set("192.0.2.2")
        await history.add("a", HEARD)
    finally:
        await database.close()
