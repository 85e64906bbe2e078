"""Many games at once: every player hears of its own game and of no other."""

import asyncio
import random
import resource
from collections.abc import Iterator
from contextlib import AsyncExitStack

import pytest

from engines import Position
from tests.server.serving import Served
from tests.server.uhp_clients import Peer, opened, tcp, web

PLIES = 4
OPEN_FILES = 4096
"""Two connections a game, for us and for the server, which is our child."""


@pytest.fixture(scope="module", autouse=True)
def many_files() -> Iterator[None]:
    """Many systems let a program have 1024 files unless it asks."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(OPEN_FILES, hard)), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


async def seat_of_a_pair(services: Served, stack: AsyncExitStack, pair: int, colour: str) -> Peer:
    other = {"white": "black", "black": "white"}[colour]
    criteria = f"type=Base color={colour} tc=600+0 name={pair}{colour} vs={pair}{other}"
    open_peer = web if pair % 5 == 0 else tcp
    return await stack.enter_async_context(opened(open_peer, services, f"role=seat {criteria}"))


def random_game(seed: int) -> list[str]:
    chance, position = random.Random(seed), Position("hive", "Base")
    for _ in range(PLIES):
        position.play(chance.choice(position.legal_moves()))
    return position.history


async def play(pair: list[Peer], moves: list[str]) -> None:
    for peer in pair:
        assert (await peer.lines(2))[1] == "Base;NotStarted;White[1]"
    for ply, move in enumerate(moves):
        await pair[ply % 2].send(move)
        for peer in pair:
            line = await peer.line()
            assert line.split(";")[3:] == moves[: ply + 1]


@pytest.mark.parametrize("count", [20, pytest.param(500, marks=pytest.mark.soak)])
async def test_many_games_without_a_word_astray(uhp_server: Served, count: int) -> None:
    """T12."""
    async with AsyncExitStack() as stack:
        pairs = [
            [await seat_of_a_pair(uhp_server, stack, pair, colour) for colour in ("white", "black")]
            for pair in range(count)
        ]
        games = [random_game(seed) for seed in range(count)]
        await asyncio.gather(*(play(pair, moves) for pair, moves in zip(pairs, games, strict=True)))
