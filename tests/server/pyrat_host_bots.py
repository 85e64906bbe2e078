"""Folders with scripted bots of PyRat's host protocol, and times that a busy machine can keep."""

import shlex
import sys
from dataclasses import replace
from pathlib import Path

from programs.pyrat.host_bot import PyratHostBot
from programs.seat_programs import TurnTimes
from protocols.pyrat.host.match_messages import HostTimes
from tests.server.program import ROOT

SCRIPT = Path(__file__).with_name("pyrat_host_script.py")

PATIENT = HostTimes(connect=90, identify=60, configure=60, sync=60)

TIMES = TurnTimes(60_000, 60_000)


def write_bot(folder: Path, behaviour: str) -> PyratHostBot:
    """Writes the ``bot.toml`` of a scripted bot, which imports the project."""
    words = ["env", f"PYTHONPATH={ROOT}", sys.executable, str(SCRIPT), behaviour]
    settings = {"name": "Scripted", "agent_id": "tests/scripted", "run_command": shlex.join(words)}
    lines = [f"{name} = '''{value}'''" for name, value in settings.items()]
    folder.joinpath("bot.toml").write_text("\n".join(["[settings]", *lines]))
    return replace(PyratHostBot.read(str(folder)), times=PATIENT)
