"""``plyhouse bot`` while its engines load, exit and come back: what is listed, and what becomes of the games."""

import asyncio
import json
import os
import shlex
import signal
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from programs.bot import client
from programs.bot.config import ClientIdentity, of_file
from tests.server.bot_peers import OFFER, challenge, http, reached, submit
from tests.server.seat_kinds import wait_until
from tests.server.serving import Served
from tests.server.test_bot_command import ENGINE, attached, attached_bot, bot, until_line


@pytest.fixture(scope="module")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("bot-engines")) as served:
        yield served


class MortalEngine:
    """An engine that can be killed, and that does not answer while ``hold`` has been called."""

    def __init__(self, folder: Path, name: str = "mortal") -> None:
        self._held, self._pids = folder / f"{name}-held", folder / f"{name}-pids"
        self.command = folder / name
        held, pids = shlex.quote(str(self._held)), shlex.quote(str(self._pids))
        lines = [
            "#!/bin/sh",
            f"echo $$ >> {pids}",
            f"while [ -e {held} ]; do sleep 0.05; done",
            f"exec {ENGINE}",
        ]
        self.command.write_text("\n".join(lines))
        self.command.chmod(0o755)

    @property
    def starts(self) -> int:
        """How often it was started."""
        return self._pids.read_text().count("\n") if self._pids.exists() else 0

    def hold(self) -> None:
        """Lets it wait at its next start."""
        self._held.touch()

    def release(self) -> None:
        """Lets it go on."""
        self._held.unlink()

    def kill(self) -> None:
        """Kills it, and the engine that it has become."""
        os.kill(int(self._pids.read_text().split()[-1]), signal.SIGKILL)


async def is_listed(client: httpx.AsyncClient, bot_id: str) -> bool:
    return any(one["id"] == bot_id for one in (await client.get("/api/bots")).json()["bots"])


async def unlisted(client: httpx.AsyncClient, bot_id: str) -> None:
    """Waits until the bot is not listed."""
    async with asyncio.timeout(60):
        while True:
            if not await is_listed(client, bot_id):
                return
            await asyncio.sleep(0.05)


async def test_a_bot_is_listed_once_its_engine_answers(services: Served, tmp_path: Path) -> None:
    engine = MortalEngine(tmp_path)
    engine.hold()
    with bot("--server", services.url, "--client-id", "slow", "--engine", str(engine.command)) as child:
        async with http(services) as client:
            assert child.stderr is not None
            await asyncio.to_thread(until_line, child.stderr, "waiting for the answers")
            assert not await is_listed(client, "slow:engine")
            engine.release()
            await attached(client, "slow:engine")
            game = await challenge(client, "slow:engine", boardWidth=8, boardHeight=8)
            await submit(client, game, "---")
            await reached(client, game["gameId"], ply=2)


async def test_an_engine_that_is_not_ready_in_time_is_started_again(services: Served, tmp_path: Path) -> None:
    engine = MortalEngine(tmp_path)
    engine.hold()
    options = ("--client-id", "late", "--engine", str(engine.command), "--ready", "0.5")
    with bot("--server", services.url, *options) as child:
        assert child.stderr is not None
        lines = await asyncio.to_thread(until_line, child.stderr, "restarting")
        assert "has not answered a trial game within 0.5 s" in lines[-2]
        await asyncio.to_thread(wait_until, lambda: engine.starts > 1)


async def test_a_game_survives_a_crash_of_its_engine(services: Served, tmp_path: Path) -> None:
    engine = MortalEngine(tmp_path)
    async with attached_bot(services, "phoenix", "--engine", str(engine.command)) as (child, client):
        game = await challenge(client, "phoenix:engine", boardWidth=8, boardHeight=8)
        await submit(client, game, "---")
        await reached(client, game["gameId"], ply=2)
        engine.kill()
        await asyncio.to_thread(wait_until, lambda: engine.starts > 1)
        await submit(client, game, "---")
        await reached(client, game["gameId"], ply=4, status="playing")
        assert child.stderr is not None
        lines = await asyncio.to_thread(until_line, child.stderr, "attaching again")
        assert any("exited (signal SIGKILL)" in line for line in lines)


@pytest.mark.slow
async def test_a_bot_is_not_listed_while_its_engine_is_away(services: Served, tmp_path: Path) -> None:
    engine = MortalEngine(tmp_path)
    async with attached_bot(services, "away", "--engine", str(engine.command)) as (_, client):
        engine.hold()
        engine.kill()
        await unlisted(client, "away:engine")
        engine.release()
        await attached(client, "away:engine")
        game = await challenge(client, "away:engine", boardWidth=8, boardHeight=8)
        await submit(client, game, "---")
        await reached(client, game["gameId"], ply=2)


@pytest.mark.slow
async def test_the_other_bots_of_a_client_go_on(services: Served, tmp_path: Path) -> None:
    entry = {"name": "N", "username": None, "variants": {"standard": OFFER}}
    engine = MortalEngine(tmp_path)
    content = {
        "server": services.socket_url,
        "bots": [{"botId": "steady", **entry}, {"botId": "mortal", **entry}],
        "engineCommands": {"steady": ENGINE, "mortal": str(engine.command)},
        "readySeconds": 600,
    }
    path = tmp_path / "bots.json"
    path.write_text(json.dumps(content))
    with bot("--config", str(path), "--client-id", "pair"):
        async with http(services) as client:
            for name in ("pair:steady", "pair:mortal"):
                await attached(client, name)
            games = [
                await challenge(client, name, boardWidth=5, boardHeight=5)
                for name in ("pair:steady", "pair:mortal")
            ]
            for game in games:
                await submit(client, game, "---")
                await reached(client, game["gameId"], ply=2)
            engine.hold()
            engine.kill()
            await unlisted(client, "pair:mortal")
            await submit(client, games[0], "---")
            await reached(client, games[0]["gameId"], ply=4, status="playing")
            engine.release()
            await attached(client, "pair:mortal")
            for game, ply in zip(games, (6, 4), strict=True):
                await submit(client, game, "---")
                await reached(client, game["gameId"], ply=ply, status="playing")


class NoEngine:
    """An engine that is asked nothing."""

    def write(self, line: str) -> None:
        raise AssertionError(line)


async def test_a_client_without_engines_leaves_at_once_even_if_it_has_attached_too_often(
    services: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "PATIENCE_SECONDS", 0.0)
    entry = {"name": "N", "username": None, "variants": {"standard": OFFER}}
    path = tmp_path / "bots.json"
    path.write_text(json.dumps({"bots": [{"botId": "steady", **entry}, {"botId": "frail", **entry}]}))
    config = of_file(path, services.socket_url, ClientIdentity("often", None))
    program = client.BotProgram(config, make_engine=lambda *_: NoEngine())
    running = asyncio.ensure_future(program.run())
    async with http(services) as page:
        await attached(page, "often:frail")
        program.lose_engine("frail")
        await unlisted(page, "often:frail")
        program.use_engine("frail")
        await attached(page, "often:frail")
        program.lose_engine("frail")
        await unlisted(page, "often:frail")
        program.use_engine("frail")  # It has to wait: the server allows three attachments a minute.
        await asyncio.sleep(0)
        for name in ("frail", "steady"):
            program.lose_engine(name)
        await unlisted(page, "often:steady")
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
