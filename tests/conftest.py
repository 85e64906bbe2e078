"""What every test shares: the hypothesis profiles and the evaluator. Fixtures live beside the tests that use them."""

import gc
import os
import ssl

import pytest
from hypothesis import settings

from tests.forked_runs import run

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


BROWSER = "tests/web/"
SLOW = (
    "leases uhp_servers processes proxy arena_command attached_programs uhp_absences analysis faults floods"
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Starts with the files that take longest, so that no process is left alone with one of them."""
    first = [BROWSER, *(f"tests/server/test_{name}.py" for name in SLOW.split())]

    def place(item: pytest.Item) -> int:
        return next((place for place, name in enumerate(first) if item.nodeid.startswith(name)), len(first))

    items.sort(key=place)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--processes", type=int, default=1, help="how many processes run the test files")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Runs all tests with a browser in one process, so that they do not delay each other."""
    options = session.config.option
    if options.processes < 2 or options.collectonly or session.testsfailed:
        return None
    run(
        session,
        options.processes,
        lambda item: BROWSER if item.nodeid.startswith(BROWSER) else str(item.path),
    )
    return True


def pytest_collection_finish() -> None:
    """Has the garbage collector leave alone what was imported and collected: it will not go."""
    gc.freeze()
