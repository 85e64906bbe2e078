"""Ownership of bot clients' ids: attachments over real sockets, with and without an earlier secret."""

import asyncio
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.server.bot_peers import Bot, Json, a_bot, challenge, http, submit
from tests.server.serving import Served

SECRET = "open sesame"  # noqa: S105 - of the tests only
OFFICIAL = {"officialToken": SECRET}


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("ids"), OFFICIAL_BOT_TOKEN=SECRET) as served:
        yield served


async def secret_of(bot: Bot, client_id: str, *entries: Json, secret: str | None = None) -> str:
    """Attaches, and returns the secret that the server gives."""
    attached = await bot.attach(client_id, *entries, secret=secret)
    assert attached["type"] == "attached", attached
    return str(attached["resumeSecret"])


# ---- a connected id ------------------------------------------------------------------------------


async def test_a_connected_client_cannot_be_evicted(services: Served) -> None:
    async with a_bot(services) as bot, a_bot(services) as rival, http(services) as client:
        secret = await secret_of(bot, "there")
        assert len(secret) == 22
        game = await challenge(client, "there:b1")
        for wrong in (None, "", "x" * 22):
            async with a_bot(services) as rival:
                refused = await rival.attach("there", secret=wrong)
                assert refused["code"] == "TOO_MANY_CLIENTS"
                assert (await rival.closed())[0] == 1008
        await submit(client, game, "Cb2")
        await bot.started()
        await bot.evaluated(0, "---")


async def test_the_secret_replaces_the_older_connection_immediately(services: Served) -> None:
    async with a_bot(services) as older, a_bot(services) as newer, http(services) as client:
        secret = await secret_of(older, "twice")
        game = await challenge(client, "twice:b1")
        await submit(client, game, "Cb2")
        await older.started()
        assert await secret_of(newer, "twice", secret=secret) == secret
        assert await older.closed() == (1000, "Replaced by new connection")
        await newer.ended(success=False)
        assert (await newer.started())["bgsId"] == game["gameId"]
        again = await challenge(client, "twice:b1")
        await submit(client, again, "Cb2")
        while (frame := await newer.next())["bgsId"] != again["gameId"]:
            pass
        assert frame["type"] == "start_game_session"


async def test_a_client_that_answers_no_ping_is_replaced(services: Served) -> None:
    async with a_bot(services) as older, a_bot(services) as newer:
        first = await secret_of(older, "frozen")
        older.connection.transport.pause_reading()
        assert await secret_of(newer, "frozen") != first
        older.connection.transport.resume_reading()


async def test_of_simultaneous_attachments_one_gets_the_id(services: Served) -> None:
    async with AsyncExitStack() as stack:
        bots = [await stack.enter_async_context(a_bot(services)) for _ in range(8)]
        answers = await asyncio.gather(*(bot.attach("contested") for bot in bots))
        kinds = sorted(answer["type"] for answer in answers)
        assert kinds == ["attach-rejected"] * 7 + ["attached"]


async def test_an_owner_takes_its_id_back_from_a_guest(services: Served) -> None:
    async with a_bot(services) as owner:
        secret = await secret_of(owner, "back")
    async with a_bot(services) as guest:
        guests = await attached_soon(services, guest, "back")
        async with a_bot(services) as owner:
            assert await secret_of(owner, "back", secret=secret) == secret
            assert (await guest.closed())[0] == 1000
            async with a_bot(services) as again:
                refused = await again.attach("back", secret=guests)
                assert refused["code"] == "TOO_MANY_CLIENTS"


async def attached_soon(services: Served, bot: Bot, client_id: str) -> str:
    """Attaches once the previous client has disconnected."""
    async with http(services) as client, asyncio.timeout(60):
        while True:
            bots = (await client.get("/api/bots")).json()["bots"]
            if client_id not in [one["clientId"] for one in bots]:
                break
    return await secret_of(bot, client_id)


async def test_a_client_that_is_replaced_too_often_is_refused(services: Served) -> None:
    async with AsyncExitStack() as stack:
        bots = [await stack.enter_async_context(a_bot(services)) for _ in range(5)]
        secret = await secret_of(bots[0], "restless")
        answers = [await bot.attach("restless", secret=secret) for bot in bots[1:]]
        assert [answer["type"] for answer in answers] == ["attached"] * 3 + ["attach-rejected"]
        assert answers[3]["code"] == "TOO_MANY_CLIENTS"
        await bots[3].silent(0.1)


async def test_the_id_of_official_bots_needs_their_token(services: Served) -> None:
    async with a_bot(services) as bot, a_bot(services) as fake:
        secret = await secret_of(bot, "true", OFFICIAL)
        assert (await fake.attach("true", secret=secret))["code"] == "INVALID_OFFICIAL_TOKEN"
    async with a_bot(services) as fake:
        assert (await fake.attach("true"))["code"] == "INVALID_OFFICIAL_TOKEN"


async def test_an_official_client_takes_its_id_from_another_client(services: Served) -> None:
    async with a_bot(services) as squatter, a_bot(services) as bot, a_bot(services) as other:
        await secret_of(squatter, "wanted")
        await secret_of(bot, "wanted", OFFICIAL)
        assert (await squatter.closed())[0] == 1000
        assert (await other.attach("wanted", OFFICIAL))["code"] == "TOO_MANY_CLIENTS"


@pytest.mark.parametrize("secret", [7, "x" * 65, ["x"]])
async def test_an_invalid_secret_is_a_malformed_message(services: Served, secret: Any) -> None:
    async with a_bot(services) as bot:
        assert (await bot.attach("odd", secret=secret))["code"] == "INVALID_MESSAGE"


# ---- over a restart of the server ----------------------------------------------------------------


async def waiting_game(services: Served, bot: Bot, client_id: str) -> Json:
    """A game of this client in which the human player has moved, after a crash and restart of the server."""
    async with http(services) as client:
        game = await challenge(client, f"{client_id}:b1")
        await submit(client, game, "Ma2")
        await bot.started()
    services.stop(signal.SIGKILL)
    services.start()
    return game


async def plays(bot: Bot, game: Json) -> bool:
    """Whether the server asks this client to continue the game."""
    try:
        async with asyncio.timeout(0.5):
            return bool((await bot.next())["bgsId"] == game["gameId"])
    except TimeoutError:
        return False


async def test_once_the_secret_was_used_only_it_inherits_games(tmp_path: Path) -> None:
    with Served(tmp_path) as services:
        async with a_bot(services) as bot:
            secret = await secret_of(bot, "heir")
            async with a_bot(services) as again:
                assert await secret_of(again, "heir", secret=secret) == secret
                game = await waiting_game(services, again, "heir")
        async with a_bot(services) as thief:
            attached = await thief.attach("heir")
            assert (attached["type"], attached.get("resumeSecret")) == ("attached", None)
            assert not await plays(thief, game)
            async with a_bot(services) as unrelated:
                await unrelated.attach("unrelated")
                assert not await plays(thief, game)
            async with a_bot(services) as bot:
                assert await secret_of(bot, "heir", secret=secret) == secret
                assert (await thief.closed())[0] == 1000
                assert await plays(bot, game)


async def test_a_client_that_never_used_a_secret_inherits_its_games(tmp_path: Path) -> None:
    with Served(tmp_path) as services:
        async with a_bot(services) as bot:
            await bot.attach("plain")
            game = await waiting_game(services, bot, "plain")
        async with a_bot(services) as bot:
            await bot.attach("plain")
            assert await plays(bot, game)


async def test_only_hashes_of_secrets_are_stored_and_none_is_logged(tmp_path: Path) -> None:
    with Served(tmp_path) as services:
        async with a_bot(services) as bot:
            secret = await secret_of(bot, "stored")
        services.stop(signal.SIGTERM)
        assert secret not in services.log
    with sqlite3.connect(tmp_path / "plyhouse.sqlite3") as database:
        rows = database.execute("SELECT * FROM client_ids").fetchall()
    database.close()
    assert [row[0] for row in rows] == ["stored"]
    assert secret not in str(rows)


async def test_a_failing_database_refuses_and_keeps_the_older_connection(tmp_path: Path) -> None:
    with Served(tmp_path) as services:
        async with a_bot(services) as older, a_bot(services) as newer:
            secret = await secret_of(older, "full")
            with sqlite3.connect(tmp_path / "plyhouse.sqlite3", isolation_level=None) as database:
                database.execute("DROP TABLE client_ids")
            database.close()
            assert (await newer.attach("full", secret=secret))["code"] == "INTERNAL_ERROR"
            await older.silent(0.1)
