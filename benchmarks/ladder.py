"""Measures the ladder: its pages with many bots and games, and how soon free bots play.

The third predicts held-back games between bots of known strength, half of which begin as weak ones and come back in
another version, by our ratings and by Elo's formula: the mean logarithmic loss, and what true ratings would have.

The first part makes results of so many games between so many bots, from ratings that it draws, and prints how long a
server takes to start with them, how long its answers take (p50, p99), and how often the true rating is within the 95 %
interval. The second attaches bots of a short game, and prints the share of the possible games that run after some
seconds, and the games a second. Each bot answers at once.

    python -m benchmarks.ladder --bots 1000 --games 100000 --players 50
"""

import argparse
import asyncio
import json
import random
import tempfile
from collections.abc import Iterator, Sequence
from math import log
from pathlib import Path
from statistics import mean
from time import perf_counter
from typing import Any, Final

import httpx
import uvloop
from websockets.asyncio.client import ClientConnection, connect

from benchmarks.served import served
from server.domain.ladder.pairing import Entrant, pairings
from server.domain.ladder.rating_pool import Pool
from server.domain.ladder.results import RatedResult
from server.store.sql_counts import Changes
from server.store.sql_engine import open_engine
from server.store.sql_ladder import LadderRows
from server.store.sql_migrate import migrate

CALLS: Final = 100
SECONDS: Final = 5.0
"""How long after the last attachment the running games are counted."""
GAME: Final = ("hive", "Base+MLP")
ENTRY: Final[dict[str, object]] = {
    "botId": "b",
    "name": "B",
    "username": None,
    "game": "toy-draw",
    "variants": {"standard": {}},
}
TAKE: Final = {"bestMove": "take", "evaluation": 0.0}
LIMITS: Final = {
    "PLYHOUSE_UNLISTED_GAMES": "true",
    "PLYHOUSE_LADDER_CLIENTS_PER_ADDRESS": "0",
    "PLYHOUSE_LADDER_LEVEL_GAMES": "0",
}


def _results(elo: Sequence[float], games: int, chance: random.Random) -> Iterator[RatedResult]:
    """Games between bots at random, and with the anchor, which has 1500 points."""
    names = [f"c{number}:b" for number in range(len(elo))]
    for number in range(games):
        one = chance.randrange(len(elo))
        other = (one + chance.randrange(1, len(elo))) % len(elo)
        seats, ratings = [names[one], names[other]], [elo[one], elo[other]]
        if number % 10 == 0:
            seats[1], ratings[1] = "plyhouse:medium", 1500.0
        wins = chance.random() < 1 / (1 + 10 ** ((ratings[1] - ratings[0]) / 400))
        places = (1, 2) if wins else (2, 1)
        yield RatedResult(
            f"g{number:07}", *GAME, tuple(seats), tuple(seats), number, places, "queen", number, 30
        )


def _fill(url: str, elo: Sequence[float], games: int) -> None:
    migrate(url)
    engine = open_engine(url)
    rows = LadderRows(engine.dialect)
    with engine.begin() as connection:
        for result in _results(elo, games, random.Random(2)):  # noqa: S311
            rows.add(connection, result, Changes())
    engine.dispose()


async def _times(client: httpx.AsyncClient, path: str) -> str:
    times = []
    for _ in range(CALLS):
        began = perf_counter()
        (await client.get(path)).raise_for_status()
        times.append(1000 * (perf_counter() - began))
    times.sort()
    return f"{path:24} p50 {times[CALLS // 2]:6.1f} ms   p99 {times[-2]:6.1f} ms   (goal 100)"


async def many_bots(folder: Path, bots: int, games: int) -> None:
    """Prints the figures of the first part."""
    chance = random.Random(1)  # noqa: S311
    elo = sorted(chance.gauss(1500, 300) for _ in range(bots))
    url = f"sqlite:///{folder}/ladder.sqlite3"
    _fill(url, elo, games)
    began = perf_counter()
    with served("--database", url) as child:
        print(f"{bots:,} bots, {games:,} games: the server starts in {perf_counter() - began:.1f} s")
        async with httpx.AsyncClient(base_url=child.url, timeout=60) as client:
            rows = (await client.get(f"/api/ladder/{GAME[0]}")).json()["players"]
            true = {f"c{number}:b": rating for number, rating in enumerate(elo)}
            inside = [
                abs(row["rating"] - true[row["player"]]) <= row["error"] for row in rows if not row["level"]
            ]
            print(f"true ratings within the 95 % intervals: {100 * sum(inside) / len(inside):.1f} %")
            for path in (
                "/api/ladder",
                f"/api/ladder/{GAME[0]}",
                "/api/ladder/bots/c500:b",
                "/api/bots?game=all",
            ):
                print(await _times(client, path))


async def _play(connection: ClientConnection) -> None:
    kinds = {"start_game_session": "game_session_started", "end_game_session": "game_session_ended"}
    async for frame in connection:
        asked: dict[str, Any] = json.loads(frame)
        answer = {"bgsId": asked.get("bgsId"), "success": True, "error": ""}
        match asked["type"]:
            case "evaluate_position":
                answer |= {
                    "type": "evaluate_response",
                    "ply": asked["expectedPly"],
                    "bestMove": "take",
                    "evaluation": 0.0,
                }
            case "apply_move":
                answer |= {"type": "move_applied", "ply": asked["expectedPly"] + 1}
            case kind if kind in kinds:
                answer |= {"type": kinds[kind]}
            case _:
                continue
        await connection.send(json.dumps(answer))


async def _attach(url: str, number: int, limits: dict[str, object]) -> ClientConnection:
    connection = await connect(url.replace("http", "ws", 1) + "/ws/custom-bot", compression=None)
    bots = [{**ENTRY, "ladder": limits or True}]
    client = {"name": "benchmark", "version": "1"}
    attach = {
        "type": "attach",
        "protocolVersion": 3,
        "clientId": f"c{number}",
        "client": client,
        "bots": bots,
    }
    await connection.send(json.dumps(attach))
    answer = json.loads(await connection.recv())
    if answer["type"] != "attached":
        raise SystemExit(f"refused: {answer}")
    return connection


async def busy_bots(players: int) -> None:
    """Prints the figures of the second part: bots that never answer, so that games do not end, then those that do."""
    with served(settings=LIMITS) as child:
        async with httpx.AsyncClient(base_url=child.url, timeout=60) as client:
            connections = [await _attach(child.url, number, {}) for number in range(players)]
            began = perf_counter()
            while perf_counter() - began < SECONDS:
                [pool] = (await client.get("/api/ladder")).json()["pools"] or [{"running": 0}]
                if pool["running"] == players // 2:
                    break
                await asyncio.sleep(0.05)
            share, seconds = 100 * pool["running"] / (players // 2), perf_counter() - began
            print(f"{players} bots: {share:.0f} % of the possible games run after {seconds:.1f} s (goal 95)")
            playing = [asyncio.ensure_future(_play(connection)) for connection in connections]
            await asyncio.sleep(SECONDS)
            counted = await _games(client)
            await asyncio.sleep(SECONDS)
            print(
                f"{players} bots that answer at once: {(await _games(client) - counted) / SECONDS:.1f} games a second"
            )
            for task, connection in zip(playing, connections, strict=True):
                task.cancel()
                await connection.close()


def predictions(seed: int, bots: int = 30, games: int = 1500, held_back: int = 3000) -> dict[str, float]:
    """The logarithmic loss per held-back game of each way to rate, with games paired as the ladder does."""
    chance = random.Random(seed)  # noqa: S311
    true = {f"c{number}:b@1": chance.gauss(1500, 300) for number in range(bots)}
    true |= {f"c{number}:b@2": true[f"c{number}:b@1"] + chance.gauss(60, 100) for number in range(bots // 2)}
    true["plyhouse:medium"] = 1500.0
    pool, elo = Pool(GAME), dict.fromkeys(true, 1500.0)
    names = [name for name in true if name.endswith("@1")]

    def wins(one: str, other: str) -> bool:
        return chance.random() < _chance(true[one] - true[other])

    for number in range(games):
        if number == games // 2:
            names = [name for name in true if not (name.endswith("@1") and name[:-1] + "2" in true)]
        if number % 25 == 0:
            entrants = [Entrant(name) for name in names] + [Entrant("plyhouse:medium")]
            waiting = pairings(entrants, pool.comparisons().rated(), pool.met, ())
        one, other = waiting[number % len(waiting)].players
        won = wins(one, other)
        places = (1, 2) if won else (2, 1)
        pool.add(
            RatedResult(str(number), *GAME, (one, other), (one, other), number, places, "queen", number, 30)
        )
        change = 32 * (won - _chance(elo[one] - elo[other]))
        elo[one], elo[other] = elo[one] + change, elo[other] - change
    rated = pool.comparisons().rated()
    losses = dict.fromkeys(("true ratings", "the ladder's", "Elo's formula"), 0.0)
    for _ in range(held_back):
        one, other = chance.sample(names, 2)
        won = wins(one, other)
        for way, difference in (
            ("true ratings", true[one] - true[other]),
            ("the ladder's", rated.elo(one) - rated.elo(other)),
            ("Elo's formula", elo[one] - elo[other]),
        ):
            chance_of = _chance(difference)
            losses[way] -= log(chance_of if won else 1 - chance_of) / held_back
    return losses


def _chance(difference: float) -> float:
    return 1 / (1 + 10 ** (-difference / 400))


async def _games(client: httpx.AsyncClient) -> float:
    rows = (await client.get("/api/ladder/toy-draw")).json()["players"]
    return float(sum(row["games"] for row in rows)) / 2


def main() -> None:
    """Measures both parts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bots", type=int, default=1000)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--players", type=int, default=28)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        uvloop.run(many_bots(Path(folder), options.bots, options.games))
        uvloop.run(busy_bots(options.players))
    found = [predictions(seed) for seed in range(10)]
    for way in found[0]:
        print(f"logarithmic loss of held-back games, {way:14} {mean(one[way] for one in found):.4f}")


if __name__ == "__main__":
    main()
