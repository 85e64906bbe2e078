"""Transcripts of an engine, of a viewer that drives an engine, and of the bridge."""

from collections.abc import Callable

import pytest

from tests.protocols.transcripts import GOLDEN, Driver, names, replay
from tests.protocols.uhp.asked import AskedDriver
from tests.protocols.uhp.bridged import BridgeDriver
from tests.protocols.uhp.viewer import TranscriptDriver

DRIVERS = {"engine-*": TranscriptDriver, "asked/*": AskedDriver, "bridge/*": BridgeDriver}
CASES = [(name, driver) for pattern, driver in DRIVERS.items() for name in names(f"uhp/{pattern}.txt")]


@pytest.mark.parametrize(("name", "driver"), CASES)
def test_transcripts(name: str, driver: Callable[[], Driver]) -> None:
    # Blank lines count here: one of them may be an answer.
    lines = [line for line in (GOLDEN / name).read_text().splitlines() if not line.startswith("#")]
    assert replay(driver(), lines) == lines
