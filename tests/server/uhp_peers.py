"""Engines of the tests, as the user would name them."""

import shlex
import sys
from pathlib import Path

from tests.server.program import PLYHOUSE

SCRIPT = Path(__file__).parent / "uhp_engine_script.py"


def script(manner: str, *rest: object, settings: str = "") -> str:
    """The scripted engine of this manner, as the command of a UHP engine; ``settings`` end in ``:``."""
    return settings + " ".join(map(str, (sys.executable, SCRIPT, manner, *rest)))


OURS = f"{shlex.join(PLYHOUSE)} uhp"
"""``plyhouse uhp``."""
