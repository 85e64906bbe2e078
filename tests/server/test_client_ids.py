"""Whose a bot client's id is: attachments over real sockets, with and without the secret of an earlier one."""

import asyncio
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.server.bot_peers import Bot, Json, a_bot, challenge, http, reached, submit
from tests.server.serving import Served

SECRET = "open sesame"  # noqa: S105 - of the tests only
OFFICIAL = {"officialToken": SECRET}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("ids"), OFFICIAL_BOT_TOKEN=SECRET) as served:
        yield served


async def secret_of(bot: Bot, client_id: str, *entries: Json, secret: str | None = None) -> str:
    """Attaches, and returns the secret that the server gives."""
    attached = await bot.attach(client_id, *entries, secret=secret)
    assert attached["type"] == "attached", attached
    return str(attached["resumeSecret"])


# ---- a connected id ------------------------------------------------------------------------------


async def test_nobody_evicts_a_client_that_is_there(house: Served) -> None:
    async with a_bot(house) as bot, a_bot(house) as rival, http(house) as client:
        secret = await secret_of(bot, "there")
        assert len(secret) == 22
        game = await challenge(client, "there:b1")
        for wrong in (None, "", "x" * 22):
            async with a_bot(house) as rival:
                refused = await rival.attach("there", secret=wrong)
                assert refused["code"] == "TOO_MANY_CLIENTS"
                assert (await rival.closed())[0] == 1008
        await submit(client, game, "Cb2")
        await bot.started()
        await bot.evaluated(0, "---")


async def test_the_secret_replaces_the_older_connection_at_once(house: Served) -> None:
    async with a_bot(house) as older, a_bot(house) as newer, http(house) as client:
        secret = await secret_of(older, "twice")
        game = await challenge(client, "twice:b1")
        assert await secret_of(newer, "twice", secret=secret) == secret
        assert await older.closed() == (1000, "Replaced by new connection")
        over = await reached(client, game["gameId"], status="finished")
        assert over["result"]["note"] == "the bot disconnected"
        again = await challenge(client, "twice:b1")
        await submit(client, again, "Cb2")
        assert (await newer.started())["bgsId"] == again["gameId"]


async def test_a_client_that_answers_no_ping_is_replaced(house: Served) -> None:
    async with a_bot(house) as older, a_bot(house) as newer:
        first = await secret_of(older, "frozen")
        older.connection.transport.pause_reading()
        assert await secret_of(newer, "frozen") != first
        older.connection.transport.resume_reading()


async def test_of_many_that_come_at_once_one_gets_a_free_id(house: Served) -> None:
    async with AsyncExitStack() as stack:
        bots = [await stack.enter_async_context(a_bot(house)) for _ in range(8)]
        answers = await asyncio.gather(*(bot.attach("contested") for bot in bots))
        kinds = sorted(answer["type"] for answer in answers)
        assert kinds == ["attach-rejected"] * 7 + ["attached"]


async def test_an_owner_takes_its_id_back_from_a_guest(house: Served) -> None:
    async with a_bot(house) as owner:
        secret = await secret_of(owner, "back")
    async with a_bot(house) as guest:
        guests = await attached_soon(house, guest, "back")
        async with a_bot(house) as owner:
            assert await secret_of(owner, "back", secret=secret) == secret
            assert (await guest.closed())[0] == 1000
            async with a_bot(house) as again:
                refused = await again.attach("back", secret=guests)
                assert refused["code"] == "TOO_MANY_CLIENTS"


async def attached_soon(house: Served, bot: Bot, client_id: str) -> str:
    """Attaches once the client before has left."""
    async with http(house) as client, asyncio.timeout(10):
        while True:
            bots = (await client.get("/api/bots")).json()["bots"]
            if client_id not in [one["clientId"] for one in bots]:
                break
    return await secret_of(bot, client_id)


async def test_a_client_that_is_replaced_too_often_is_refused(house: Served) -> None:
    async with AsyncExitStack() as stack:
        bots = [await stack.enter_async_context(a_bot(house)) for _ in range(5)]
        secret = await secret_of(bots[0], "restless")
        answers = [await bot.attach("restless", secret=secret) for bot in bots[1:]]
        assert [answer["type"] for answer in answers] == ["attached"] * 3 + ["attach-rejected"]
        assert answers[3]["code"] == "TOO_MANY_CLIENTS"
        await bots[3].silent(0.1)


async def test_the_id_of_official_bots_needs_their_token(house: Served) -> None:
    async with a_bot(house) as bot, a_bot(house) as fake:
        secret = await secret_of(bot, "true", OFFICIAL)
        assert (await fake.attach("true", secret=secret))["code"] == "INVALID_OFFICIAL_TOKEN"
    async with a_bot(house) as fake:
        assert (await fake.attach("true"))["code"] == "INVALID_OFFICIAL_TOKEN"


async def test_an_official_client_gets_its_id_from_whoever_has_it(house: Served) -> None:
    async with a_bot(house) as squatter, a_bot(house) as bot, a_bot(house) as other:
        await secret_of(squatter, "wanted")
        await secret_of(bot, "wanted", OFFICIAL)
        assert (await squatter.closed())[0] == 1000
        assert (await other.attach("wanted", OFFICIAL))["code"] == "TOO_MANY_CLIENTS"


@pytest.mark.parametrize("secret", [7, "x" * 65, ["x"]])
async def test_a_secret_that_is_none_is_a_malformed_message(house: Served, secret: Any) -> None:
    async with a_bot(house) as bot:
        assert (await bot.attach("odd", secret=secret))["code"] == "INVALID_MESSAGE"


# ---- over a restart of the server ----------------------------------------------------------------


async def waiting_game(house: Served, bot: Bot, client_id: str) -> Json:
    """A game of this client in which the person has moved before the server was killed, and is back."""
    async with http(house) as client:
        game = await challenge(client, f"{client_id}:b1")
        await submit(client, game, "Ma2")
        await bot.started()
    house.stop(signal.SIGKILL)
    house.start()
    return game


async def plays(bot: Bot, game: Json) -> bool:
    """Whether the server asks this client to go on with the game."""
    try:
        async with asyncio.timeout(0.5):
            return bool((await bot.next())["bgsId"] == game["gameId"])
    except TimeoutError:
        return False


async def test_only_the_secret_inherits_games_once_it_was_used(tmp_path: Path) -> None:
    with Served(tmp_path) as house:
        async with a_bot(house) as bot:
            secret = await secret_of(bot, "heir")
            async with a_bot(house) as again:
                assert await secret_of(again, "heir", secret=secret) == secret
                game = await waiting_game(house, again, "heir")
        async with a_bot(house) as thief:
            attached = await thief.attach("heir")
            assert (attached["type"], attached.get("resumeSecret")) == ("attached", None)
            assert not await plays(thief, game)
            async with a_bot(house) as unrelated:
                await unrelated.attach("unrelated")
                assert not await plays(thief, game)
            async with a_bot(house) as bot:
                assert await secret_of(bot, "heir", secret=secret) == secret
                assert (await thief.closed())[0] == 1000
                assert await plays(bot, game)


async def test_a_client_without_a_secret_inherits_its_games_as_ever(tmp_path: Path) -> None:
    with Served(tmp_path) as house:
        async with a_bot(house) as bot:
            await bot.attach("plain")
            game = await waiting_game(house, bot, "plain")
        async with a_bot(house) as bot:
            await bot.attach("plain")
            assert await plays(bot, game)


async def test_only_hashes_of_secrets_are_stored_and_none_is_logged(tmp_path: Path) -> None:
    with Served(tmp_path) as house:
        async with a_bot(house) as bot:
            secret = await secret_of(bot, "stored")
        house.stop(signal.SIGTERM)
        assert secret not in house.log
    with sqlite3.connect(tmp_path / "plyhouse.sqlite3") as database:
        rows = database.execute("SELECT * FROM client_ids").fetchall()
    database.close()
    assert [row[0] for row in rows] == ["stored"]
    assert secret not in str(rows)


async def test_a_database_that_takes_nothing_refuses_and_keeps_the_older_connection(tmp_path: Path) -> None:
    with Served(tmp_path) as house:
        async with a_bot(house) as older, a_bot(house) as newer:
            secret = await secret_of(older, "full")
            with sqlite3.connect(tmp_path / "plyhouse.sqlite3", isolation_level=None) as database:
                database.execute("DROP TABLE client_ids")
            database.close()
            assert (await newer.attach("full", secret=secret))["code"] == "INTERNAL_ERROR"
            await older.silent(0.1)
