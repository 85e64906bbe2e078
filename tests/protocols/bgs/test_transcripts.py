"""Golden conversations of the V3 protocol: bytes in, bytes out."""

import pytest

from engines import Position
from protocols.bgs.engine import EngineSessions
from tests.protocols.toy import open_heap
from tests.protocols.transcripts import ClientDriver, EngineDriver, ServerDriver, lines_of, names, replay


@pytest.mark.parametrize("name", names("bgs/server-*.txt"))
def test_server_side(name: str) -> None:
    lines = lines_of(name)
    assert replay(ServerDriver(), lines) == lines


@pytest.mark.parametrize("name", names("bgs/engine-*.txt"))
def test_engine_side(name: str) -> None:
    lines = lines_of(name)
    assert replay(EngineDriver(EngineSessions(open_heap)), lines) == lines


@pytest.mark.parametrize("name", names("bgs/wallwars-*.txt") + names("bgs/pyrat-*.txt"))
def test_engine_side_with_the_real_rules(name: str) -> None:
    lines = lines_of(name)
    assert replay(EngineDriver(EngineSessions(Position)), lines) == lines


@pytest.mark.parametrize(
    ("name", "bot_ids"),
    [
        ("bgs/client-one-bot.txt", ["b1"]),
        ("bgs/client-two-bots.txt", ["b1", "b2"]),
        ("bgs/client-restarts.txt", ["b1", "b2"]),
        ("bgs/client-worker.txt", ["b1"]),
    ],
)
def test_client_side(name: str, bot_ids: list[str]) -> None:
    lines = lines_of(name)
    assert replay(ClientDriver(bot_ids, is_worker="worker" in name), lines) == lines
