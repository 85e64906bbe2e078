"""Measures the opening explorer of a server whose database has grown: counting, and each kind of request.

Appends games that have ended to a database, counts their openings as a server does but without its rests, and requests
positions over and over on one connection. A cold request is one after the database's file has left the operating
system's cache. Players choose among the first legal moves, most often the very first, so that many games share their
beginnings. Leaves out other clients, TLS and a proxy.

    python -m benchmarks.explorer --games 1 10000 100000
    python -m benchmarks.explorer --games 1 10000 100000 --postgres

100,000 games take about a quarter of an hour, most of it for making and counting them.
"""

import argparse
import asyncio
import os
import random
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any, Final

import httpx

from benchmarks.growth import Database, on_postgres, on_sqlite, percentile
from benchmarks.served import Child, served
from engines import Position
from protocols.values import LeaveReason, Seat, SeatKind, Visibility
from server.domain.events import Created, Event, Left, Moved, Recorded
from server.domain.fold import fold
from server.domain.public_table import table_of
from server.ports.store import Append
from server.services.cluster.listing import listing_of
from server.services.explorer.opening_counter import OpeningCounter
from server.services.heavy_work import HeavyWork
from server.store.sql_migrate import migrate
from server.store.sql_store import SqlStore

GOAL_MS: Final = 50.0

PLIES: Final = 30

CHOICE: Final = 0.35
"""The chance that a player does not take a move but looks at the next one."""

TOGETHER: Final = 200
"""How many games are appended at once."""

PEOPLE: Final = (Seat(SeatKind.HUMAN, "Ada"), Seat(SeatKind.HUMAN, "Bo"))
BOTS: Final = (Seat(SeatKind.BOT, "One", "lab:one"), Seat(SeatKind.BOT, "Two", "lab:two"))


def game_of(number: int) -> list[str]:
    """The moves of a game."""
    rng = random.Random(number)  # noqa: S311 - games that can be made again
    position = Position("hive", "Base")
    for _ in range(PLIES):
        moves = position.legal_moves() if position.to_act else []
        if not moves:
            break
        index = 0
        while rng.random() < CHOICE and index + 1 < len(moves):
            index += 1
        position.play(moves[index])
    return position.history


def ended(number: int, moves: Sequence[str]) -> Append:
    """The creation of such a game, which a seat has resigned."""
    start = Position("hive", "Base")
    seats = BOTS if number % 2 else PEOPLE
    created = Created("hive", "Base", start.config, {}, seats, 0, visibility=Visibility.PUBLIC)
    events: list[Event] = [created, *(Moved(ply % 2, move) for ply, move in enumerate(moves))]
    events.append(Left(number // 2 % 2, LeaveReason.RESIGNATION))
    log = tuple(Recorded(seq, 1_600_000_000_000 + number, event) for seq, event in enumerate(events, 1))
    state = fold(f"{number:08}", log)
    if state is None:
        raise ValueError("a log with events is a game")
    return Append(state.id, 0, log, listing_of(state, table_of(state, state.updated_at)))


async def fill(url: str, games: int) -> None:
    """Appends and counts so many games; prints how long counting took."""
    store = SqlStore(url)
    with ProcessPoolExecutor() as processes:
        for first in range(0, games, TOGETHER):
            numbers = range(first, min(games, first + TOGETHER))
            made = processes.map(game_of, numbers, chunksize=20)
            await asyncio.gather(
                *(store.append(ended(n, moves)) for n, moves in zip(numbers, made, strict=True))
            )
    counter, count, slowest = OpeningCounter(store, HeavyWork(), "benchmark"), 0, 0.0
    began, processor = time.perf_counter(), time.process_time()
    while True:
        this = time.perf_counter()
        counted = await counter.count_next()
        if not counted:
            break
        count += counted
        slowest = max(slowest, time.perf_counter() - this)
    seconds, processor = time.perf_counter() - began, time.process_time() - processor
    print(
        f"counted {count:,} games in {seconds:.1f} s, {1000 * processor / count:.2f} ms of processor time each;"
        f" the slowest batch took {1000 * slowest:.0f} ms; load {os.getloadavg()[0]:.1f}"
    )
    print(f"the database has {await store.size() / 2**20:,.1f} MiB")
    await store.close()


def requests_of(games: int) -> dict[str, dict[str, Any]]:
    """The bodies to request, by what they are."""
    moves = game_of(games // 2)
    base: dict[str, Any] = {"game": "hive", "variant": "Base"}
    return {
        "the start": base,
        "the start, people": {**base, "by": "people"},
        "the start, one bot": {**base, "by": "lab:one"},
        "the start, nobody": {**base, "by": "lab:nobody"},
        **{f"after {ply} moves": {**base, "moves": moves[:ply]} for ply in (2, 6, 12, 23)},
        "self-play, the start": {**base, "source": "engine"},
        "self-play, after 2 moves": {**base, "source": "engine", "moves": moves[:2]},
    }


def timed_posts(
    client: httpx.Client, body: dict[str, Any], count: int, database: Database | None
) -> list[float]:
    """Requests a position so many times; returns the seconds of each."""
    seconds = []
    for _ in range(count):
        if database is not None and database.forget is not None:
            database.forget()
        began = time.perf_counter()
        answer = client.post("/api/explorer", json=body)
        seconds.append(time.perf_counter() - began)
        answer.raise_for_status()
    return seconds


def measure(server: Child, database: Database, games: int, requests: int) -> float:
    """Prints the times of each request; returns the worst 99th percentile of warm ones, in milliseconds."""
    worst = 0.0
    print(f"{'ms':28} {'cold: median':>13} {'most':>7} {'warm: p50':>10} {'p99':>7}")
    with httpx.Client(base_url=server.url, timeout=60) as client:
        for name, body in requests_of(games).items():
            cold = timed_posts(client, body, 5, database) if database.forget else []
            warm = timed_posts(client, body, requests, None)
            first = f"{percentile(cold, 0.5):13.1f} {max(cold) * 1000:7.1f}" if cold else f"{'':13} {'':7}"
            p99 = percentile(warm, 0.99)
            print(f"{name:28} {first} {percentile(warm, 0.5):10.2f} {p99:7.2f}", flush=True)
            worst = max(worst, p99)
    return worst


def main() -> None:
    """Makes and measures a database of each size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, nargs="+", default=[1, 10_000])
    parser.add_argument("--requests", type=int, default=200)
    parser.add_argument("--postgres", action="store_true")
    options = parser.parse_args()
    for games in options.games:
        with on_postgres() if options.postgres else on_sqlite() as database:
            migrate(database.url)
            print(f"\n{games:,} games on {'Postgres' if options.postgres else 'SQLite'}")
            asyncio.run(fill(database.url, games))
            with served("--database", database.url) as server:
                worst = measure(server, database, games, options.requests)
            print(f"worst 99th percentile: {worst:.1f} ms (goal: {GOAL_MS:.0f})")


if __name__ == "__main__":
    main()
