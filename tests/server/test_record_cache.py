"""The cache of records of finished games."""

from collections.abc import Callable
from typing import Any

from protocols.values import Seat, SeatKind
from server.services.address_limit import AddressLimit
from server.services.games.game_factory import NewGame
from server.services.games.record_cache import ExportedRecord, RecordCache
from server.services.games.records import Records
from server.services.heavy_work import HeavyWork
from tests.server.replicas import a_server

WALLWARS = NewGame("wallwars", (Seat(SeatKind.HUMAN), Seat(SeatKind.HUMAN)))


def record(length: int) -> ExportedRecord:
    return ExportedRecord("x" * length, "text/plain", ())


def test_the_record_read_longest_ago_makes_room() -> None:
    cache = RecordCache(10)
    for key in "ab":
        cache.add(key, record(5))
    assert cache.find("a") == record(5)
    cache.add("c", record(4))
    assert [cache.find(key) is not None for key in "abc"] == [True, False, True]
    cache.add("c", record(1))
    cache.add("too long", record(11))
    assert [cache.find(key) is not None for key in ("a", "c", "too long")] == [True, True, False]
    cache.add("d", record(1))
    assert [cache.find(key) is not None for key in "acd"] == [True, True, True]


class Counting(HeavyWork):
    """Counts what it runs."""

    runs = 0

    async def run(self, work: Callable[..., Any], *arguments: Any) -> Any:  # type: ignore[override] # less exact
        self.runs += 1
        return await super().run(work, *arguments)


async def test_only_the_record_of_a_finished_game_is_kept(sqlite: str) -> None:
    async with a_server(sqlite) as services:
        game = (await services.games.create(WALLWARS)).state.id
        work = Counting()
        records = Records(services.games, AddressLimit(1, "imports"), work)
        running = [await records.export(game, "json") for _ in range(2)]
        assert (work.runs, running[0]) == (2, running[1])
        await services.games.resign(game, 1)
        finished = [await records.export(game, "json") for _ in range(2)]
        assert (work.runs, finished[0]) == (3, finished[1])
        assert finished[0] != running[0]
        assert (await records.export(game, "wallwars")).text != finished[0].text
