"""A short run of ``python -m benchmarks.faults``: one server of two is killed while each kind of client plays."""

from benchmarks.fault_programs import UhpSeeker
from benchmarks.faults import CLIENTS, kill_server, run

FEW = (*dict.fromkeys(CLIENTS), UhpSeeker)
"""One of each, and another program for the one that looks for an opponent."""


async def test_nothing_acknowledged_is_lost_when_a_server_is_killed() -> None:
    findings, acknowledged = await run(1, [(0, kill_server)], servers=2, clients=FEW)
    assert acknowledged.count > 0
    assert (findings.lost, findings.twice, findings.illegal, acknowledged.refused) == ([], [], [], [])
