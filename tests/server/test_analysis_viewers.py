"""Who watches an analysis or has asked for it: when it is cancelled, and the limit per address."""

import asyncio

import pytest

from server.domain.errors import ApiError
from server.services.address_limit import AddressLimit
from server.services.evaluation.analysis_viewers import AnalysisViewers


class Watched:
    """The viewers of an analysis, and whether they were reported gone."""

    def __init__(self, limit: AddressLimit | None = None, look_seconds: float = 60.0) -> None:
        self.left = asyncio.Event()
        self.audience = AnalysisViewers(self.left.set, limit or AddressLimit(0, "analyses"), look_seconds)

    async def leaves(self) -> None:
        async with asyncio.timeout(60):
            await self.left.wait()


async def test_it_is_cancelled_when_all_watchers_have_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.services.evaluation.analysis_viewers.READER_SECONDS", 0.05)
    watched = Watched(look_seconds=0.05)
    watched.audience.ask(None)
    with watched.audience.reading():
        with watched.audience.reading():
            await asyncio.sleep(0.1)
        await asyncio.sleep(0.1)
        assert not watched.left.is_set()
    await watched.leaves()


async def test_it_is_cancelled_if_no_watcher_comes() -> None:
    watched = Watched(look_seconds=0.05)
    watched.audience.ask(None)
    await watched.leaves()


async def test_it_is_cancelled_with_the_last_request() -> None:
    watched = Watched()
    tokens = [watched.audience.ask(None) for _ in range(2)]
    with watched.audience.reading():
        assert watched.audience.withdraw(tokens[0])
        assert not watched.audience.withdraw(tokens[0])
        assert not watched.left.is_set()
        assert watched.audience.withdraw(tokens[1])
        assert watched.left.is_set()


async def test_running_analyses_per_address_are_limited() -> None:
    limit = AddressLimit(2, "analyses")
    first, second, third = (Watched(limit).audience for _ in range(3))
    tokens = [audience.ask("203.0.113.7") for audience in (first, first, second)]
    with pytest.raises(ApiError):
        third.ask("203.0.113.7")
    third.ask("203.0.113.8")
    first.withdraw(tokens[0])
    with pytest.raises(ApiError):
        third.ask("203.0.113.7")
    first.withdraw(tokens[1])
    third.ask("203.0.113.7")
    second.close()
    Watched(limit).audience.ask("203.0.113.7")
    second.ask("203.0.113.7")
