"""The attackers of ``python -m benchmarks.attacks``, against the sink and against a server."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from urllib.parse import urlsplit

import pytest

from benchmarks import attack_bystanders, attacks
from benchmarks.attack_client import Attacker, Target
from benchmarks.attack_requests import SGF_BYTES, long_sgf
from benchmarks.attacks import ATTACKS, Outcome, Row, Waits
from benchmarks.served import Child, served
from protocols.records import hive_sgf_reader

PATIENCE_SECONDS = 60.0


@pytest.fixture(scope="module")
def sink() -> Iterator[Child]:
    with attacks.sink() as child:
        yield child


@pytest.fixture(scope="module")
def server() -> Iterator[Child]:
    with served(*attacks.SERVER) as child:
        yield child


async def attack(name: str, child: Child, is_enough: Callable[[Counter[str]], bool]) -> None:
    """Attacks until the answers are as they should be."""
    at = urlsplit(child.url)
    target = Target(str(at.hostname), at.port or 80, int(child.uhp.rpartition(":")[2]), ("sink",))

    async def begin() -> None:
        pass

    attacker = Attacker(target, begin)
    attacking = asyncio.ensure_future(ATTACKS[name](attacker))
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not is_enough(attacker.answers):
                await asyncio.wait((attacking,), timeout=0.05)
                if attacking.done():
                    attacking.result()
    finally:
        attacking.cancel()
        await asyncio.gather(attacking, return_exceptions=True)
        await attacker.close()


SILENT = (
    "nothing",
    "chunks of one byte, 4",
    "bodies after 413",
    "headers without",
    "slow bodies",
    "UHP lines",
    "ping",
)
"""The sink never answers these."""


@pytest.mark.parametrize("name", [name for name in ATTACKS if not name.startswith(SILENT)])
async def test_every_attack_gets_answers_of_the_sink(sink: Child, name: str) -> None:
    await attack(name, sink, lambda answers: answers.total() > 0)


@pytest.mark.slow
async def test_who_has_a_secret_gets_a_place_although_squatters_have_all(server: Child) -> None:
    await attack("all bot places taken", server, lambda answers: answers["owner: attached"] > 0)


@pytest.mark.slow
async def test_an_attachment_that_is_too_long_is_answered(server: Child) -> None:
    name = "attachments that are too long, 10/s"
    await attack(name, server, lambda answers: answers["INVALID_MESSAGE"] > 0)


async def test_a_refused_body_is_answered_although_its_sender_goes_on(server: Child) -> None:
    await attack("bodies after 413, 4 connections", server, lambda answers: answers["413"] > 0)


def test_the_long_game_of_hive_can_be_read() -> None:
    text = long_sgf()
    assert SGF_BYTES <= len(text) < SGF_BYTES + 1000
    assert len(hive_sgf_reader.read(text).record.moves) > 5000


async def test_bystanders_play_on_the_sink_as_on_the_server(sink: Child, server: Child) -> None:
    for child in (sink, server):
        async with asyncio.timeout(PATIENCE_SECONDS), AsyncExitStack() as stack:
            tables = await attack_bystanders.open_tables(child.url, attacks.PEOPLE[:2], 0.0, stack)
            waits = [await player.move(ply) for ply, player in enumerate(tables[0].games[0].players)]
            assert max(waits) < attack_bystanders.PATIENCE_SECONDS


def test_a_row_names_the_goals_that_it_misses() -> None:
    calm, slow = Waits(2.0, 10.0), Waits(4.0, 40.0)
    sink = Outcome(calm, calm, 0.0, Counter())
    assert Row("a", Outcome(calm, calm, 99.0, Counter()), sink).misses == []
    assert Row("a", Outcome(calm, slow, 101.0, Counter()), sink).misses == ["p50", "p99", "memory"]
    assert Row("a", Outcome(calm, slow, 0.0, Counter()), Outcome(calm, slow, 0.0, Counter())).misses == []
    places = Row("all bot places taken", Outcome(calm, calm, 0.0, Counter()), sink)
    assert places.misses == ["never “owner: attached”"]
