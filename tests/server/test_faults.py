"""A short run of ``python -m benchmarks.faults``: one server of two is killed while each kind of client plays."""

import pytest

from benchmarks import served
from benchmarks.fault_programs import UhpSeeker
from benchmarks.faults import CLIENTS, kill_server, run
from tests.server.program import PLYHOUSE

FEW = (*dict.fromkeys(CLIENTS), UhpSeeker)
"""One of each, and another program for the one that looks for an opponent."""


@pytest.mark.slow
async def test_nothing_acknowledged_is_lost_when_a_server_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(served, "COMMAND", [*PLYHOUSE, "serve", "--port", "0"])
    findings, acknowledged = await run(1, [(0, kill_server)], servers=2, clients=FEW)
    assert acknowledged.count > 0
    assert (findings.lost, findings.twice, findings.illegal, acknowledged.refused) == ([], [], [], [])
