"""The work of our UHP engine where something is wrong with it."""

import threading
import time

import pytest

from engines import Position
from programs.uhp.engine_search import UhpSearch
from protocols.uhp.engine_work import FindMove, SearchLimit, WorkFailed


def test_a_defect_is_answered_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    """A viewer that gets no answer waits for ever."""
    work = FindMove(Position("hive"), SearchLimit(depth=1), threads=1, hash_mb=1, seed=-1)
    end = UhpSearch().do(work, time.monotonic(), threading.Event())
    assert end == WorkFailed("The engine has failed; see its log.")
    assert "OverflowError" in caplog.text
