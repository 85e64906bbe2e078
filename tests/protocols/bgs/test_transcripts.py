"""Golden conversations: bytes in, bytes out."""

import pytest

from tests.protocols.bgs.transcripts import GOLDEN, ServerDriver, lines_of, replay


@pytest.mark.parametrize("name", sorted(path.name for path in GOLDEN.glob("server-*.txt")))
def test_server_side(name: str) -> None:
    lines = lines_of(name)
    assert replay(ServerDriver(), lines) == lines
