"""Measures how long a move takes until it is acknowledged, that is, durable, and until the opponent sees it.

Starts ``plyhouse serve`` on a temporary SQLite database, connects both players of each game over WebSockets, and lets
them play random games of Hive and Wallwars at a fixed rate. A move is timed from when it was due, so that waiting for
the previous move of its game counts too. Prints medians and high percentiles, and the server's processor time for a
move, in which the time to connect is not contained. Nobody watches, and nothing is evaluated. The same load then goes
to ``benchmarks.peers.moves``, which shows what the libraries need without any game.

    python -m benchmarks.acknowledgement
    python -m benchmarks.acknowledgement --games 10000 --rate 500
"""

import os
import tempfile
from typing import Annotated

import typer

from benchmarks.live_games import UNLIMITED, Load, Waits, measure, quantile_ms
from benchmarks.served import peer, served

LOADS = (Load(100, 100, 20), Load(1000, 1000, 20))
"""The usual loads."""


def report(name: str, load: Load, waits: Waits, cpu: float) -> None:
    """Prints a line about a server; ``cpu`` in seconds for a move."""
    taken, seen = (
        ", ".join(f"p{100 * part:g} {quantile_ms(one, part):.1f}" for part in (0.5, 0.99, 0.999))
        for one in (waits.taken, waits.seen)
    )
    print(
        f"{name}, {load.games} games, {load.rate:.0f} moves/s: "
        f"acknowledged {taken} ms; the opponent sees it {seen} ms; "
        f"{cpu * 1000:.3f} ms of processor time for a move",
        flush=True,
    )


def main(
    games: Annotated[int, typer.Option(help="0: the usual loads, one after the other.")] = 0,
    rate: Annotated[float, typer.Option(help="Moves a second; 0: the number of games.")] = 0.0,
    seconds: Annotated[float, typer.Option(help="How long each load lasts.")] = 20.0,
) -> None:
    """Starts both servers for each load, one after the other, and measures them."""
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    loads = (
        [Load(games, rate or games, seconds)]
        if games
        else [Load(one.games, one.rate, seconds) for one in LOADS]
    )
    for load in loads:
        with served(settings=UNLIMITED) as child:
            cpu, waits = measure([child], load)
        report("ours", load, waits, cpu)
        with tempfile.TemporaryDirectory() as folder, peer("moves", f"{folder}/log.sqlite3") as child:
            least, waits = measure([child], load)
        report("the peer", load, waits, least)
        print(f"ours / the peer's: {cpu / least:.2f}", flush=True)


if __name__ == "__main__":
    typer.run(main)
