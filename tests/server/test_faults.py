"""A short run of ``python -m benchmarks faults``."""

import pytest

from benchmarks.faults import kill_server, restart_all, restart_redis, run


@pytest.mark.timeout(600)
async def test_nothing_acknowledged_is_lost_when_servers_and_redis_are_killed_and_all_servers_restart() -> (
    None
):
    findings, acknowledged = await run(1, [(0, kill_server), (0, restart_redis), (1, restart_all)])
    assert acknowledged.count > 0
    assert (findings.lost, findings.twice, findings.illegal, acknowledged.refused) == ([], [], [], [])
