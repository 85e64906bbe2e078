"""Golden conversations: bytes in, bytes out."""

import pytest

from protocols.bgs.engine import EngineSessions
from tests.protocols.bgs.transcripts import GOLDEN, EngineDriver, ServerDriver, lines_of, replay
from tests.protocols.toy import NoMoveError, open_heap


def names(pattern: str) -> list[str]:
    return sorted(path.name for path in GOLDEN.glob(pattern))


@pytest.mark.parametrize("name", names("server-*.txt"))
def test_server_side(name: str) -> None:
    lines = lines_of(name)
    assert replay(ServerDriver(), lines) == lines


@pytest.mark.parametrize("name", names("engine-*.txt"))
def test_engine_side(name: str) -> None:
    lines = lines_of(name)
    assert replay(EngineDriver(EngineSessions(open_heap, NoMoveError)), lines) == lines
