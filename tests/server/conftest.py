"""Fixtures of the server tests: the application in this process, and a server in a child process."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import pytest

from programs import own_values
from programs.child_process import ChildEndpoint
from server.services.cluster.bus import Bus
from tests.server.buses import redis_bus, started
from tests.server.databases import empty, sqlite_database, template
from tests.server.query_plans import Recorder, faults_on_sqlite, recording
from tests.server.replicas import Pair, a_server
from tests.server.seat_kinds import start_here
from tests.server.services import opened, settings
from tests.server.serving import Served
from tools.services.postgres import PostgresServer
from tools.services.redis import RedisServer

# How good these values are is no question here.
own_values.VALUE_MS = 20


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs scripted programs in this process instead of as child processes."""
    monkeypatch.setattr(ChildEndpoint, "start", start_here)


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """It outlives being killed, but not a loss of power: to write to the disk takes most of a recovery.

    It collects no statistics by itself: they come at any time, and change the plans of statements.
    """
    with PostgresServer(fsync="off", autovacuum="off") as server:
        yield server


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database with the current tables."""
    if request.param == "sqlite":
        return sqlite_database(tmp_path)
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.new_database(template(server))


@pytest.fixture(params=["sqlite", "postgres"])
def new_database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database without tables."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/plyhouse.sqlite3"
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.new_database()


@pytest.fixture
def redis_server() -> Iterator[RedisServer]:
    with RedisServer() as child:
        yield child


@pytest.fixture
async def own_client(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    """The client of an application without games."""
    async with opened(settings(tmp_path)) as client:
        yield client


@pytest.fixture(scope="module")
async def client(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[httpx.AsyncClient]:
    """The client of one application, which the tests of a module share; each creates its own games."""
    async with opened(settings(tmp_path_factory.mktemp("shared"))) as client:
        yield client


@pytest.fixture(scope="module")
def uhp_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A running server with UHP over TCP; a seat may stay away for longer than any test lasts."""
    with Served(tmp_path_factory.mktemp("uhp"), "--uhp-port", "0", PLYHOUSE_UHP_GRACE_SECONDS="600") as child:
        yield child


@pytest.fixture(scope="module")
def impatient_uhp_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The same with a grace period of one second, for tests of seats that do not come back in time."""
    folder = tmp_path_factory.mktemp("impatient")
    with Served(folder, "--uhp-port", "0", PLYHOUSE_UHP_GRACE_SECONDS="1") as child:
        yield child


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A running server shared by the tests of a module; each test creates its own games."""
    with Served(tmp_path_factory.mktemp("served")) as child:
        yield child


@pytest.fixture
async def redis_pair(redis_server: RedisServer) -> AsyncIterator[tuple[Bus, Bus]]:
    """The buses of two processes that are connected by Redis."""
    async with started(redis_bus(redis_server.url)) as one, started(redis_bus(redis_server.url)) as other:
        yield one, other


@pytest.fixture(params=["full", "short"])
def form(request: pytest.FixtureRequest) -> str:
    """Whether messages between processes contain events and rows, as ``Services`` takes it."""
    return str(request.param)


@pytest.fixture
def sqlite(tmp_path: Path) -> str:
    """The URL of an empty SQLite database with the current tables."""
    return sqlite_database(tmp_path)


@pytest.fixture
async def servers(sqlite: str, form: str) -> AsyncIterator[Pair]:
    """Two processes on one database."""
    async with a_server(sqlite, form=form) as one, a_server(sqlite, form=form) as other:
        yield one, other


@pytest.fixture(scope="session")
def statements() -> Iterator[Recorder]:
    """What stores in this process execute."""
    yield from recording()


@pytest.fixture(autouse=True)
def quick_statements(statements: Recorder) -> Iterator[None]:
    """Checks the plans of the statements that no earlier test has executed."""
    known = set(statements.executed["sqlite"])
    yield
    new = {text: values for text, values in statements.executed["sqlite"].items() if text not in known}
    if new:
        assert faults_on_sqlite(empty(), new) == []
