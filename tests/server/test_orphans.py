"""Programs end with the process that has started them, whatever ends it, and whatever they ignore."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tests.server.program import PROGRAM, ROOT
from tests.server.seat_kinds import wait_until

STUBBORN = "trap '' TERM HUP INT; sleep 1000 & echo $$ $! > {pids}.new; mv {pids}.new {pids}; wait; wait"
"""A shell that ignores the end of its input and polite signals, and a process that it has started."""

STARTS_ONE = """
import asyncio, sys
from programs.child_process import ChildEndpoint

async def main():
    others = [await ChildEndpoint.start(["cat"], farewell=None) for _ in range(3)]
    await others[1].close()  # A group that has ended is forgotten, the others are not.
    child = await ChildEndpoint.start(["sh", "-c", sys.argv[1]])
    print("started", file=sys.stderr, flush=True)
    await child.exited()

asyncio.run(main())
"""


def is_running(pid: int) -> bool:
    """Whether the process exists and has not exited; nobody may be there to reap it."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
@pytest.mark.parametrize("command", ["a program", "plyhouse bot"])
def test_a_program_ends_with_its_parent(tmp_path: Path, how: signal.Signals, command: str) -> None:
    pids = tmp_path / "pids"
    stubborn = STUBBORN.format(pids=pids)
    wrapper = tmp_path / "stubborn"
    wrapper.write_text(f"#!/bin/sh\n{stubborn}\n")
    wrapper.chmod(0o755)
    words = {
        "a program": [sys.executable, "-c", STARTS_ONE, stubborn],
        "plyhouse bot": [*PROGRAM, "bot", "--server", "http://127.0.0.1:9", "--engine", str(wrapper)],
    }
    started: list[int] = []
    with subprocess.Popen(words[command], cwd=ROOT, stderr=subprocess.PIPE, text=True) as parent:
        try:
            assert parent.stderr is not None
            assert "started" in parent.stderr.readline()
            wait_until(pids.exists)
            started = [int(pid) for pid in pids.read_text().split()]
            parent.send_signal(how)
            parent.wait(60)
            wait_until(lambda: not any(map(is_running, started)))
        finally:
            parent.kill()
            for pid in started:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
