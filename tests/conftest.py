"""What every test shares: the hypothesis profiles and the evaluator. Fixtures live beside the tests that use them."""

import gc
import os
import shutil
import ssl
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from xdist.scheduler import LoadFileScheduling

# Temporary files are in memory where that has room, as databases wait for the disk at each of their commits.
MEMORY = Path("/dev/shm")  # noqa: S108 - each test has a folder of its own in it
ROOM_BYTES = 6 * 2**30
if "TMPDIR" not in os.environ and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM_BYTES:
    tempfile.tempdir = os.environ["TMPDIR"] = str(MEMORY)

# A small shared machine stalls now and then: a slow example is no failure, and a run must be repeatable.
settings.register_profile("quick", max_examples=20, deadline=None, derandomize=True, print_blob=True)
settings.register_profile("thorough", settings.get_profile("quick"), max_examples=300)
settings.load_profile("quick")

# Commands and servers that tests start, in this process or as its children, play with the native evaluators: those are
# quicker, and give the same answer every time. Tests of the networks that come with Plyhouse remove the variable.
os.environ["PLYHOUSE_MODELS"] = "none"

# Otherwise each HTTP client that is created parses a file of all certificates, which takes 40 ms. From a folder, only
# those that a connection needs are read.
os.environ.pop("SSL_CERT_FILE", None)
os.environ["SSL_CERT_DIR"] = ssl.get_default_verify_paths().openssl_capath

# httpcore tries to import it for each request, and looks for it anew each time. None says that it is not installed.
sys.modules.setdefault("sniffio", None)  # type: ignore[arg-type]

# Until all tests are collected, it would find nothing, and take a sixth of the time.
gc.disable()

BROWSER = "tests/web/"
SLOW = (
    "attached_programs leases conversations processes proxy uhp_servers tournaments uhp_absences store retention "
    "mcp puzzles networks arena_command uhp_transcripts check"
)
"""The other files that take longest, the longest first."""


def pytest_configure(config: pytest.Config) -> None:
    """Starts the process that commands are forked from, for all processes that run tests."""
    if not hasattr(config, "workerinput"):
        from tests.server import program

        os.environ[program.VARIABLE] = program.SERVER


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Starts with the files that take longest, so that no process is left alone with one of them."""
    first = [BROWSER, *(f"test_{name}.py" for name in SLOW.split())]

    def place(item: pytest.Item) -> int:
        return next((place for place, name in enumerate(first) if name in item.nodeid), len(first))

    items.sort(key=place)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> Any:
    """Runs each file in one process, and the tests with a browser in two, so that they do not delay each other.

    The browser's files before and after the letter H take about as long.
    """

    def scope(node: str) -> str:
        file = node.split("::")[0]
        return f"{BROWSER}{file < f'{BROWSER}test_h'}" if file.startswith(BROWSER) else file

    scheduler = LoadFileScheduling(config, log)
    scheduler._split_scope = scope
    return scheduler


def pytest_collection_finish() -> None:
    """Has the garbage collector leave alone what was imported and collected: it will not go."""
    gc.freeze()
    gc.enable()
