"""Measures the lists of a server whose database has grown: each order, filter and count.

Makes a database by SQL as the version before wrote it, migrates it, and requests each list over and over on one
connection. A cold request is one after the database's file has left the operating system's cache. The games have no
moves, and a twentieth of them is running. Leaves out other clients, TLS and a proxy, and without ``--counting`` the
server's other work after an upgrade: counting the openings of a million games takes hours.

    python -m benchmarks.growth --games 1 10000 1000000
    python -m benchmarks.growth --games 10000 --postgres --counting
"""

import argparse
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
from alembic import command
from alembic.config import Config
from sqlalchemy import text

from benchmarks.served import Child, served
from server.store.sql_engine import open_engine
from server.store.sql_migrate import SCRIPTS, migrate
from tools.services.postgres import PostgresServer

BEFORE = "0009"
"""The last migration before the tables and indexes of lists."""

CALLS = (
    "/api/games",
    "/api/games?status=live",
    "/api/games?status=finished",
    "/api/games?game=hive",
    "/api/games?game=hive&status=finished",
    "/api/games?cursor={middle}",
    "/api/games?game=hive&cursor={middle}",
    "/api/games/past",
    "/api/games/past?ext=1",
    "/api/games/past?page=10",
    "/api/games/past?cursor={middle}",
    "/api/games/past?variant=classic",
    "/api/games/past?variant=Base%2BM&ext=1",
    "/api/games/past?timeControl=blitz",
    "/api/games/past?timeControl=blitz&ext=1",
    "/api/games/past?boardSize=small",
    "/api/games/past?boardSize=small&page=10",
    "/api/games/past?variant=classic&timeControl=rapid&boardSize=large",
    "/api/games/past?player1=Player 1",
    "/api/games/past?player1=Player 1&variant=classic&cursor={middle}",
    "/api/games/past?player1=Player 77",
    "/api/games/past?player1=nobody",
    "/api/games/past?player1=Player 1&player2=Player 77",
    "/api/games/past?player1=Player 1&player2=Player 2&ext=1",
    "/api/games/past?dateFrom=2021-01-01&dateTo=2022-01-01",
    "/api/games/past?dateTo=2020-06-01&timeControl=bullet",
    "/api/games/live",
    "/api/games/matchmaking",
    "/metrics",
)

NUMBERS = {
    "sqlite": """
        WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < {games})
        SELECT n FROM numbers
    """,
    "postgresql": "SELECT n FROM generate_series(CAST(0 AS BIGINT), {games} - 1) AS numbers (n)",
}

JSON = {"sqlite": "TEXT", "postgresql": "JSON"}

GAMES = """
    INSERT INTO games (
        game_id, version, game, variant, status, is_timed, has_bot, created_at, updated_at, ply, summary, has_remote,
        visibility, epoch
    )
    SELECT game_id, 1, game, variant, status, false, false, created_at, created_at, 30,
        CAST('{"seats": [{"seat": 0, "kind": "human", "name": "' || first
        || '"}, {"seat": 1, "kind": "human", "name": "' || second
        || '"}], "host": 0, "matchType": "matchmaking", "config": {' || board || '}, "lastMoveAt": '
        || CAST(created_at AS TEXT) || ', "assistance": "open", "timeControl": {"initialSeconds": 180, '
        || '"incrementSeconds": 2, "preset": "' || preset
        || '"}, "result": {"winners": [0], "reason": "resignation"}}' AS {json}),
        false, visibility, 0
    FROM (
        SELECT
            'g' || CAST(10000000 + (n * 7919) % 10000000 AS TEXT) AS game_id,
            1577836800000 + n * (200000000000 / {games}) AS created_at,
            CASE WHEN n % 10 < 6 THEN 'wallwars' ELSE 'hive' END AS game,
            CASE WHEN n % 10 = 0 THEN 'classic' WHEN n % 10 < 6 THEN 'standard' WHEN n % 10 < 8 THEN 'Base'
                ELSE 'Base+M' END AS variant,
            CASE WHEN n % 10 > 5 THEN '' WHEN n % 3 = 0 THEN '"boardWidth": 5, "boardHeight": 5'
                WHEN n % 3 = 1 THEN '"boardWidth": 8, "boardHeight": 8' ELSE '"boardWidth": 12, "boardHeight": 10' END
                AS board,
            CASE WHEN n % 20 = 19 THEN 'playing' ELSE 'finished' END AS status,
            CASE n % 7 WHEN 0 THEN 'bullet' WHEN 1 THEN 'blitz' WHEN 2 THEN 'rapid' WHEN 3 THEN 'classical'
                ELSE 'custom' END AS preset,
            CASE n % 11 WHEN 0 THEN 'unlisted' WHEN 1 THEN 'site' ELSE 'public' END AS visibility,
            'Player ' || CASE WHEN n % 2 = 0 THEN 1 ELSE 2 + (n * 7919) % 20000 END AS first,
            'Player ' || (2 + (n * 104729) % 20000) AS second
        FROM ({numbers}) AS counted
    ) AS made
"""
"""Of 20,000 people, one plays every second game, as a bot may."""

GOAL_MS = 10.0


@dataclass(frozen=True, slots=True)
class Database:
    """A database to measure. ``forget`` removes its file from the operating system's cache, where that is possible."""

    url: str
    forget: Callable[[], None] | None = None


@contextmanager
def on_sqlite() -> Iterator[Database]:
    """A new SQLite file."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "plyhouse.sqlite3"

        def forget() -> None:
            with file.open("rb") as opened:
                os.fsync(opened.fileno())
                os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)

        yield Database(f"sqlite:///{file}", forget)


@contextmanager
def on_postgres() -> Iterator[Database]:
    """A new Postgres server, with more memory than those of the tests."""
    with PostgresServer(shared_buffers="256MB") as server:
        yield Database(server.new_database())


def fill(url: str, games: int) -> None:
    """Creates the tables of the version before, and so many games."""
    engine = open_engine(url, begin="BEGIN IMMEDIATE")
    with engine.begin() as connection:
        config = Config()
        config.set_main_option("script_location", str(SCRIPTS))
        config.attributes["connection"] = connection
        command.upgrade(config, BEFORE)
        kind = engine.dialect.name
        made = GAMES.replace("{numbers}", NUMBERS[kind]).replace("{json}", JSON[kind])
        connection.execute(text(made.replace("{games}", str(games)).replace(":", "\\:")))
    engine.dispose()


def count_no_openings(url: str) -> None:
    """Makes the openings of all games count as counted."""
    engine = open_engine(url)
    with engine.begin() as connection:
        connection.execute(text("DELETE FROM explorer_waiting"))
    engine.dispose()


def middle_game(url: str) -> str:
    """The id of a public game in the middle of the order."""
    engine = open_engine(url)
    with engine.connect() as connection:
        number = connection.scalar(text("SELECT sum(number) FROM row_counts WHERE name LIKE 'games.%'")) or 0
        found = text(
            "SELECT game_id FROM games WHERE visibility = 'public' ORDER BY created_at LIMIT 1 OFFSET :half"
        )
        middle = connection.scalar(found, {"half": int(number) // 3})
    engine.dispose()
    return str(middle)


def percentile(seconds: Sequence[float], share: float) -> float:
    """Returns a percentile in milliseconds."""
    return sorted(seconds)[ceil(share * len(seconds)) - 1] * 1000


def timed_requests(
    client: httpx.Client, path: str, count: int, before: Callable[[], None] | None
) -> list[float]:
    """Requests a list so many times; returns the seconds of each."""
    seconds = []
    for _ in range(count):
        if before is not None:
            before()
        began = time.perf_counter()
        answer = client.get(path)
        seconds.append(time.perf_counter() - began)
        answer.raise_for_status()
    return seconds


def measure(server: Child, database: Database, middle: str, requests: int) -> float:
    """Prints the times of each call; returns the worst 99th percentile of warm requests, in milliseconds."""
    worst = 0.0
    print(f"{'ms':66} {'cold: median':>13} {'most':>7} {'warm: p50':>10} {'p99':>7} {'processor':>10}")
    with httpx.Client(base_url=server.url, timeout=60) as client:
        client.get("/api/games")
        for call in CALLS:
            path = call.format(middle=middle)
            cold = timed_requests(client, path, 5, database.forget) if database.forget else []
            began = server.cpu_seconds()
            warm = timed_requests(client, path, requests, None)
            spent = (server.cpu_seconds() - began) / requests * 1000
            first = f"{percentile(cold, 0.5):13.1f} {max(cold) * 1000:7.1f}" if cold else f"{'':13} {'':7}"
            p99 = percentile(warm, 0.99)
            print(f"{call:66} {first} {percentile(warm, 0.5):10.2f} {p99:7.2f} {spent:10.2f}", flush=True)
            worst = max(worst, p99)
    return worst


def main() -> None:
    """Makes and measures a database of each size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, nargs="+", default=[1, 10_000, 1_000_000])
    parser.add_argument("--requests", type=int, default=200)
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--counting", action="store_true", help="while openings are counted")
    options = parser.parse_args()
    for games in options.games:
        with on_postgres() if options.postgres else on_sqlite() as database:
            fill(database.url, games)
            began, processor, load = time.perf_counter(), time.process_time(), os.getloadavg()[0]
            migrate(database.url)
            seconds, processor = time.perf_counter() - began, time.process_time() - processor
            kind, cores = "Postgres" if options.postgres else "SQLite", os.cpu_count()
            print(f"\n{games:,} games on {kind}: migrated in {seconds:.1f} s", end="")
            print(f" ({processor:.1f} s of processor time of the server, load {load:.1f} of {cores})")
            if not options.counting:
                count_no_openings(database.url)
            with served("--database", database.url) as server:
                worst = measure(server, database, middle_game(database.url), options.requests)
            print(
                f"worst 99th percentile: {worst:.1f} ms (goal: {GOAL_MS:.0f}); load {os.getloadavg()[0]:.1f}"
            )


if __name__ == "__main__":
    main()
