"""Places for attached clients: who gets one, and who gives way."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.server.bot_peers import Bot, a_bot, challenge, http, listed
from tests.server.serving import Served

MOST = 3


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("places"), PLYHOUSE_BOT_CLIENTS=str(MOST)) as served:
        yield served


async def all_have_left(services: Served) -> None:
    async with http(services) as client, asyncio.timeout(60):
        while await listed(client):  # noqa: ASYNC110 - the server tells nobody
            await asyncio.sleep(0.01)


@pytest.fixture
async def crowd(services: Served) -> AsyncIterator[list[Bot]]:
    """Guests that fill all places."""
    async with AsyncExitStack() as stack:
        await all_have_left(services)
        bots = [await stack.enter_async_context(a_bot(services)) for _ in range(MOST)]
        for index, bot in enumerate(bots):
            assert (await bot.attach(f"crowd{index}"))["type"] == "attached"
        yield bots


async def test_a_client_that_comes_back_with_its_secret_gets_the_place_of_an_idle_guest(
    services: Served,
) -> None:
    async with AsyncExitStack() as stack:
        async with a_bot(services) as owner:
            secret = (await owner.attach("owner"))["resumeSecret"]
        await all_have_left(services)
        guests = [await stack.enter_async_context(a_bot(services)) for _ in range(MOST)]
        for index, bot in enumerate(guests):
            assert (await bot.attach(f"guest{index}"))["type"] == "attached"
        again = await stack.enter_async_context(a_bot(services))
        assert (await again.attach("owner", secret=secret))["type"] == "attached"
        assert (await guests[0].closed())[0] == 1013


async def test_guests_that_play_keep_their_places(services: Served, crowd: list[Bot]) -> None:
    async with http(services) as client, a_bot(services) as again:
        for index in range(MOST):
            await challenge(client, f"crowd{index}:b1")
        secret = "x" * 22
        refused = await again.attach("owner", secret=secret)
        assert refused["code"] == "TOO_MANY_CLIENTS"


async def test_a_new_guest_is_told_when_to_come_back(services: Served, crowd: list[Bot]) -> None:
    async with a_bot(services) as late:
        refused = await late.attach("late")
        assert refused["code"] == "TOO_MANY_CLIENTS"
        assert re.search("try again", refused["message"])


async def test_an_attachment_that_is_too_long_is_refused(services: Served) -> None:
    async with a_bot(services) as bot:
        await bot.send({"type": "attach", "padding": "x" * 70_000})
        refused = await bot.next()
        assert refused["type"] == "attach-rejected"
        assert "too long (70," in refused["message"]
        assert (await bot.closed())[0] == 1008


async def test_attachments_with_an_id_that_is_attached_count_too(tmp_path: Path) -> None:
    """Otherwise its secret could be guessed as fast as clients connect."""
    trust = {"PLYHOUSE_TRUST_PROXY": '["127.0.0.1/32"]'}
    headers = {"X-Forwarded-For": "192.0.2.1"}
    with Served(tmp_path, **trust) as served:
        async with a_bot(served) as owner:
            assert (await owner.attach("lab"))["type"] == "attached"
            answers = []
            for _ in range(60):
                async with a_bot(served, additional_headers=headers) as other:
                    answers.append((await other.attach("lab", secret="x" * 22))["message"])
        assert "its resumeSecret is needed" in answers[0]
        assert "in a short time" in answers[-1]
