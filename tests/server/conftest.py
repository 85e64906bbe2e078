"""Fixtures of the server's tests: the application in this process, and a served one in a child process."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest

from tests.server.house import opened, settings
from tests.server.serving import Served


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    async with opened(settings(tmp_path)) as client:
        yield client


@pytest.fixture(scope="module")
def uhp_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A served house with a port for UHP, which waits a second for players of untimed games."""
    folder = tmp_path_factory.mktemp("uhp")
    with Served(folder, "--uhp-port", "0", PLYHOUSE_UHP_GRACE_SECONDS="1") as child:
        yield child


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A served house for all tests of a module, which open their own games in it."""
    with Served(tmp_path_factory.mktemp("served")) as child:
        yield child
