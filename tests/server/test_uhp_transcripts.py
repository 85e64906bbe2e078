"""Transcripts of remote games over UHP: on pure sessions, and at a server over each transport."""

from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path

import httpx
import pytest

from protocols.uhp.remote.effects import Seek
from protocols.uhp.remote.seek_criteria import SeekCriteria
from tests.protocols.transcripts import lines_of, names
from tests.server.databases import provide
from tests.server.services import app_with, settings
from tests.server.serving import Served
from tests.server.uhp_clients import Open, memory, tcp, web
from tests.server.uhp_sites import Site
from tests.server.uhp_transcripts import replay
from tests.server.uhp_world import GAME, TOKENS, World


@pytest.fixture(scope="module")
async def here(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Callable[[], Site]]:
    """Stages at a server in this process."""
    folder: Path = tmp_path_factory.mktemp("here")
    provide(folder / "plyhouse.sqlite3")
    app = app_with(settings(folder))
    transport = httpx.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://services", timeout=60) as client,
    ):
        yield lambda: Site(client, partial(memory, app.state.services))


@pytest.mark.parametrize("name", [*names("uhp/games/*.txt"), *names("uhp/races/*.txt")])
async def test_pure_sessions(name: str) -> None:
    await replay(name, World())


@pytest.mark.parametrize("name", [*names("uhp/games/*.txt"), *names("uhp/server/*.txt")])
async def test_a_server(here: Callable[[], Site], name: str) -> None:
    async with here() as site:
        await replay(name, site)


@pytest.mark.parametrize("open_peer", [tcp, web])
@pytest.mark.parametrize("name", ["games/seats", "games/viewers", "games/main", "server/engines"])
async def test_transports(uhp_server: Served, open_peer: Open, name: str) -> None:
    async with (
        httpx.AsyncClient(base_url=uhp_server.url, timeout=60) as client,
        Site(client, partial(open_peer, uhp_server)) as site,
    ):
        await replay(f"uhp/{name}.txt", site)


async def test_three_engines(here: Callable[[], Site]) -> None:
    """Byte for byte, with a main viewer that has opened the game."""
    async with here() as site:
        await site.open("V", "role=main type=Base+MLP tc=60+1")
        _, identity, *_ = [await site.hear("V") or "" for _ in range(4)]
        for peer, color in (("W", "white"), ("B", "black")):
            await site.open(peer, f"role=engine {identity.rpartition(' ')[2]} color={color}")
            assert await site.hear(peer) == "ok"
        for line in lines_of("uhp/three-engines.txt"):
            way, _, text = line.partition(" ")
            sender, _, receivers = way.partition("->")
            for peer in (receivers if sender == "S" else sender).split(","):
                if sender == "S":
                    assert await site.hear(peer) == text.strip()
                else:
                    await site.say(peer, text.strip())


# ---- viewers ---------------------------------------------------------------------------------------


async def asking(seat: str = "white") -> World:
    """A viewer (V) in a game; it has read its banner."""
    world = World()
    await world.act("game", ["Base"])
    await world.open("V", f"role=viewer type=Base token={TOKENS[seat]}")
    for _ in range(4):
        await world.hear("V")
    return world


async def ask(world: World, line: str) -> list[str]:
    """The answer without its ``ok``."""
    await world.say("V", line)
    *answer, last = world.unheard("V")
    for _ in (*answer, last):
        await world.hear("V")
    assert last == "ok"
    return answer


async def test_what_is_sought() -> None:
    world = await asking()
    await ask(world, "newgame remote")
    assert world.wanted == Seek(SeekCriteria("Base"))
    await world.act("page", ["black", "resign"])
    await ask(world, f"newgame remote resume={GAME}")
    assert world.wanted == Seek(SeekCriteria("Base"), GAME, TOKENS["white"])
    await ask(world, "newgame remote Base+M vs=bot:easy")
    assert world.wanted == Seek(SeekCriteria("Base+M", opponent="bot:easy"))


@pytest.mark.parametrize("commands", [(), ("newgame remote",), ("newgame remote", "page white moves wA1")])
async def test_help_lists_only_available_commands(commands: tuple[str, ...]) -> None:
    world = await asking("black" if len(commands) > 1 else "white")
    for command in commands:
        word, *rest = command.split()
        await (world.act(word, rest) if word == "page" else world.say("V", command))
    for _ in world.unheard("V"):
        await world.hear("V")
    listed = await ask(world, "help")
    keywords = {line.split()[0] for line in listed} - {"exit"}
    assert {"newgame", "play", "validmoves", "options", "help"} <= keywords
    for keyword in keywords - {"play", "pass", "newgame"}:
        answers = await ask(world, keyword)
        assert not any("available" in answer or "Invalid command" in answer for answer in answers), keyword
    assert any(line.startswith("newgame remote") for line in listed)
    assert (await ask(world, "help play"))[0] == "play forfeit [reason] | play draw | play claim win|draw"


async def test_keepalives_are_allowed_during_any_wait() -> None:
    world = await asking()
    for line in ("newgame remote", "play wA1", *["info"] * 100, "validmoves"):
        await world.say("V", line)
    await world.act("page", ["black", "moves", "bA1", "-wA1"])
    said = world.unheard("V")
    assert said.count("id Plyhouse v9") == 100
    assert said[-2].startswith("wQ ")
