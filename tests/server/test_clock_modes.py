"""The effect of a restart on manual clock control."""

import signal
from pathlib import Path

from tests.server.serving import Served
from tests.server.test_uhp_engines import engines, say
from tests.server.uhp_clients import shown, tcp


async def test_a_restart_ends_clock_control(tmp_path: Path) -> None:
    """A clock is stopped while its engine is checked; if the engine does not return after the restart, it runs."""
    control = {"initialSeconds": 60, "incrementSeconds": 0, "startsAtOnce": True}
    with Served(tmp_path, "--uhp-port", "0") as served:
        async with engines(served, tcp, timeControl=control) as (game_id, white, black):
            assert (await white.line()).startswith("bestmove")
            await say(white, "wA1", "ok")
            for peer in (white, black):
                assert await peer.line() == "play wA1"
            position = await shown(served, game_id)
            served.stop(signal.SIGKILL)
        served.start()
        assert (position["running"], (await shown(served, game_id))["running"]) == ([], [1])
