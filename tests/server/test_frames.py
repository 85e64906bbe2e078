"""A short run of ``python -m benchmarks frames``."""

import pytest

from benchmarks.frame_faults import Fault
from benchmarks.frames import run


@pytest.mark.timeout(300)
@pytest.mark.slow
async def test_nothing_is_lost_or_played_twice_when_messages_are_duplicated_reordered_and_cut() -> None:
    outcome = await run(500, 1, pairs=2, bots=1)
    assert outcome.counts[Fault.DUPLICATE] > 0
    assert outcome.counts[Fault.OVERTAKE] > 0
    assert outcome.record.acknowledged.count > 0
    assert outcome.wrong == []
