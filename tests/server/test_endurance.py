"""What ``python -m benchmarks.endurance`` concludes, and a game of its clients."""

import asyncio
from pathlib import Path

import pytest

from benchmarks.endurance import Used, errors, growing
from benchmarks.endurance_clients import TileOpponents, Watchers
from benchmarks.fault_players import Acknowledged
from benchmarks.served import served

FLAT = Used(memory_mib=150, files=300, threads=9, tasks=700)


def test_what_stays_or_shrinks_does_not_grow() -> None:
    assert growing([FLAT] * 9) == []
    assert growing([FLAT, FLAT, Used(100, 200, 9, 500)]) == []


def test_what_grows_is_named_with_both_figures() -> None:
    more = Used(memory_mib=200, files=300, threads=9, tasks=1400)
    assert growing([FLAT] * 4 + [more] * 2) == ["memory_mib: 150 → 200", "tasks: 700 → 1,400"]


def test_errors_in_the_log_are_found(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text(
        "2026-11-27 10:00:00,123 INFO server: fine\n2026-11-27 10:00:00,124 ERROR server: not fine\n"
    )
    assert errors(log) == ["2026-11-27 10:00:00,124 ERROR server: not fine"]


@pytest.mark.slow
async def test_people_play_with_tiles_while_others_watch_and_read() -> None:
    with served() as child:
        acknowledged, watchers = Acknowledged(), Watchers(child.url, 1)
        player = TileOpponents(1, 1, [child.url], acknowledged)
        clients = (player.run(), watchers.read_lists(), watchers.watch(), watchers.evaluate())
        running = [asyncio.ensure_future(client) for client in clients]
        try:
            async with asyncio.timeout(60):
                while acknowledged.count < 3 or watchers.frames < 4:
                    await asyncio.wait(running, timeout=0.05, return_when=asyncio.FIRST_COMPLETED)
                    for client in running:
                        if client.done():
                            client.result()
        finally:
            for client in running:
                client.cancel()
            await asyncio.gather(*running, return_exceptions=True)
            await watchers.close()
    assert acknowledged.refused == []
