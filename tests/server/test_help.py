"""``plyhouse --help``: what it says of each command, and that it imports none of them."""

import subprocess
import sys

import pytest

from commands.cli import COMMANDS, load
from tests.server.program import ROOT

HEAVY = (
    "commands.",
    "engines",
    "server",
    "protocols",
    "programs",
    "fastapi",
    "numpy",
    "pydantic",
    "sqlalchemy",
)


def test_no_command_is_imported() -> None:
    program = (
        "import sys\nfrom commands.cli import app\ntry: app(['--help'])\nexcept SystemExit: pass\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, cwd=ROOT, timeout=60, text=True
    )
    assert all(name in done.stdout for name in COMMANDS)
    assert [name for name in done.stderr.split() if name.startswith(HEAVY)] == ["commands.cli"]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_summary_is_that_of_the_command(name: str) -> None:
    assert (load(name).help or "").split("\n\n")[0] == COMMANDS[name]
