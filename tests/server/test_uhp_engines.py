"""Model A at a running server: scripted engines on both transports, with and without a main viewer."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from tests.server.program import ROOT
from tests.server.serving import Served
from tests.server.uhp_clients import Open, Peer, new_game, opened, shown, tcp, web
from tests.server.uhp_results import ended, result

over_tcp = pytest.mark.parametrize("open_peer", [tcp])

BANNER = ("id {}", "Mosquito;Ladybug;Pillbug", "ok")
EMPTY = "Base+MLP;NotStarted;White[1]"
ONE = "Base+MLP;InProgress;Black[1];wA1"
TWO = "Base+MLP;InProgress;White[2];wA1;bB1 -wA1"
STUCK_SOON = ("wB1", "bM wB1/", "wQ -wB1", "bQ \\bM", "wP \\wQ", "bQ -bM")
"""White's wB1 bM leaves Black without a move."""


async def say(peer: Peer, *lines: str) -> None:
    for line in lines:
        await peer.send(line)


async def greet(peer: Peer, name: str = "Scripted 1") -> None:
    """Who the engine is."""
    await say(peer, *(line.format(name) for line in BANNER))


@asynccontextmanager
async def engines(
    services: Served, open_peer: Open, kind: str = "Base+MLP", more: str = "", **game: Any
) -> AsyncIterator[tuple[str, Peer, Peer]]:
    """A game between two engines that stand at its start."""
    game_id, tokens = await new_game(services, kind, **game)
    async with (
        opened(open_peer, services, f"role=engine token={tokens[0]} {more}".strip()) as white,
        opened(open_peer, services, f"role=engine token={tokens[1]} {more}".strip()) as black,
    ):
        for peer in (white, black):
            await greet(peer)
            assert await peer.line() == f"newgame {kind};NotStarted;White[1]"
            await say(peer, f"{kind};NotStarted;White[1]", "ok")
        yield game_id, white, black


async def play(pair: Sequence[Peer], moves: Sequence[str], kind: str, before: Sequence[str] = ()) -> None:
    """Plays moves in turn, each as the answer to a ``bestmove``."""
    played = list(before)
    for move in moves:
        mover = pair[len(played) % 2]
        assert (await mover.line()).startswith("bestmove ")
        await say(mover, move, "ok")
        played.append(move)
        for peer in pair:
            assert await peer.line() == ("pass" if move == "pass" else f"play {move}")
            await say(peer, ";".join((kind, "InProgress", "White[1]", *played)), "ok")


# ---- games without a main viewer -----------------------------------------------------------------


async def test_seats_played_by_engines_are_marked_everywhere(uhp_server: Served) -> None:
    async with (
        engines(uhp_server, tcp) as (game_id, white, _),
        httpx.AsyncClient(base_url=uhp_server.url, timeout=60) as client,
    ):
        await white.line()
        game = (await client.get(f"/api/games/{game_id}")).json()
        rows = (await client.get("/api/games?status=live")).json()["games"]
        live = (await client.get("/api/games/live?ext=1")).json()["games"]
        lists = [game["seats"]] + [row["seats"] for row in rows if row["gameId"] == game_id]
        lists += [row["seats"] for row in live if row["id"] == game_id]
        assert [[seat["via"] for seat in seats] for seats in lists] == [["uhp", "uhp"]] * 3


@over_tcp
async def test_the_server_leads_two_engines(uhp_server: Served, open_peer: Open) -> None:
    async with engines(uhp_server, open_peer) as (game_id, white, black):
        assert await white.line() == "bestmove time 00:00:05"
        await say(white, "wA1", "ok")
        assert [await white.line(), await black.line()] == ["play wA1"] * 2
        await say(white, ONE, "ok")
        await say(black, ONE, "ok")
        assert await black.line() == "bestmove time 00:00:05"
        assert (await shown(uhp_server, game_id))["ply"] == 1


@over_tcp
async def test_engines_find_each_other(uhp_server: Served, open_peer: Open) -> None:
    criteria = "role=engine type=Base+P tc=60+1"
    async with (
        opened(open_peer, uhp_server, f"{criteria} color=black") as black,
        opened(open_peer, uhp_server, criteria) as white,
    ):
        await greet(black, "Second")
        await greet(white, "First")
        for peer in (white, black):
            assert await peer.line() == "newgame Base+P;NotStarted;White[1]"
            await say(peer, "Base+P;NotStarted;White[1]", "ok")
        assert await white.line() == "bestmove time 00:00:03"


@over_tcp
async def test_an_engine_that_lacks_a_bug_is_refused(uhp_server: Served, open_peer: Open) -> None:
    """T10: it is never seated, and whoever comes next is."""
    async with opened(open_peer, uhp_server, "role=engine type=Base+ML tc=-") as small:
        await say(small, "id Small", "Mosquito", "ok")
        assert await small.end() == ["err Small does not play Base+ML: it lacks ladybug"]


@over_tcp
async def test_a_forced_pass_and_the_end(uhp_server: Served, open_peer: Open) -> None:
    """T8."""
    async with engines(uhp_server, open_peer, config={"plyLimit": 8}) as (game_id, white, black):
        await play((white, black), (*STUCK_SOON, "wB1 bM", "pass"), "Base+MLP")
        assert await white.end() == []
        assert await black.end() == []
        position = await ended(uhp_server, game_id)
        assert result(position) == ([], "ply-limit")
        assert position["history"][-1] == "pass"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (("wQ", "ok"), "illegal-move"),
        (("err no", "ok"), "protocol"),
        (("ok",), "protocol"),
        (("x" * 20_000,), "protocol"),
    ],
)
@over_tcp
async def test_bad_seats(uhp_server: Served, open_peer: Open, answer: tuple[str, ...], reason: str) -> None:
    async with engines(uhp_server, open_peer) as (game_id, white, black):
        await play((white, black), ("wA1", "bB1 -wA1"), "Base+MLP")
        assert (await white.line()).startswith("bestmove")
        await say(white, *answer)
        assert (await white.end())[0].startswith("err game over: ")
        assert await black.end() == []
        position = await ended(uhp_server, game_id)
        assert result(position) == ([1], reason)
        assert position["history"][:2] == ["wA1", "bB1 -wA1"]


@over_tcp
async def test_a_desync_is_of_positions(uhp_server: Served, open_peer: Open) -> None:
    """T3."""
    async with engines(uhp_server, open_peer) as (game_id, white, black):
        assert (await white.line()).startswith("bestmove")
        await say(white, "WA1", "ok")
        for peer in (white, black):
            assert await peer.line() == "play wA1"
        await say(white, "Base+PLM;Draw;White[9];  WA1", "ok")
        await say(black, "Base+MLP;InProgress;Black[1];wG1", "ok")
        position = await ended(uhp_server, game_id)
        assert result(position) == ([0], "desync")
        assert position["history"][0] == "wA1"


async def test_an_engine_that_never_answers_loses_on_time(uhp_server: Served) -> None:
    control = {"initialSeconds": 6, "incrementSeconds": 0, "startsAtOnce": True}
    async with engines(uhp_server, tcp, timeControl=control) as (game_id, white, _):
        assert (await white.line()).startswith("bestmove")
        position = await ended(uhp_server, game_id)
        assert result(position) == ([1], "timeout")
        assert position["clocks"] == [0, 6_000]


async def test_checks_are_not_on_the_clock(uhp_server: Served) -> None:
    control = {"initialSeconds": 60, "incrementSeconds": 0, "startsAtOnce": True}
    async with engines(uhp_server, tcp, timeControl=control) as (game_id, white, black):
        assert (await white.line()).startswith("bestmove")
        await say(white, "wA1", "ok")
        await white.line()
        await black.line()
        before = (await shown(uhp_server, game_id))["clocks"]
        await asyncio.sleep(0.5)
        assert (await shown(uhp_server, game_id))["clocks"] == before
        await say(white, ONE, "ok")
        await say(black, ONE, "ok")
        assert (await black.line()).startswith("bestmove")
        await asyncio.sleep(0.5)
        await say(black, "bB1 -wA1", "ok")
        assert await black.line() == "play bB1 -wA1"
        after = (await shown(uhp_server, game_id))["clocks"]
        assert isinstance(before, list)
        assert isinstance(after, list)
        assert (after[0], before[1], after[1] <= 59_500) == (before[0], 60_000, True)


@over_tcp
async def test_a_seat_is_killed_while_it_thinks(uhp_server: Served, open_peer: Open) -> None:
    """T4."""
    game_id, tokens = await new_game(uhp_server)
    async with opened(open_peer, uhp_server, f"role=engine token={tokens[0]} secret=1") as white:
        async with opened(open_peer, uhp_server, f"role=engine token={tokens[1]}") as black:
            await greet(white)
            seat, *secret = (await white.line()).split()
            assert (seat, secret[0]) == ("seat", "White")
            resume = secret[-1]
            assert resume == f"resume={game_id}:{tokens[0]}"
            await greet(black)
            for peer in (white, black):
                assert await peer.line() == f"newgame {EMPTY}"
                await say(peer, EMPTY, "ok")
            await play((white, black), ("wA1",), "Base+MLP")
            assert (await black.line()).startswith("bestmove")
        async with opened(open_peer, uhp_server, f"role=engine resume={game_id}:{tokens[1]}") as black:
            await greet(black)
            assert await black.line() == f"newgame {ONE}"
            await say(black, ONE, "ok")
            await play((white, black), ("bB1 -wA1",), "Base+MLP", before=("wA1",))
            assert (await white.line()).startswith("bestmove")


async def test_a_seat_that_does_not_come_back_loses(impatient_uhp_server: Served) -> None:
    async with engines(impatient_uhp_server, tcp) as (game_id, white, black):
        await play((white, black), ("wA1", "bB1 -wA1"), "Base+MLP")
        black.writer.transport.abort()  # type: ignore[attr-defined]  # A TcpPeer.
        assert result(await ended(impatient_uhp_server, game_id)) == ([0], "disconnect")


async def test_an_engine_meets_a_player_of_model_b(uhp_server: Served) -> None:
    _, tokens = await new_game(uhp_server)
    async with (
        opened(tcp, uhp_server, f"role=engine token={tokens[0]}") as engine,
        opened(web, uhp_server, f"role=seat token={tokens[1]}") as player,
    ):
        await greet(engine)
        assert (await player.lines(2))[1] == EMPTY
        assert await engine.line() == f"newgame {EMPTY}"
        await say(engine, EMPTY, "ok")
        await engine.line()
        await say(engine, "wA1", "ok")
        assert await player.line() == ONE
        await player.send("bB1 wA1-")
        assert await engine.line() == "play wA1"
        await say(engine, ONE, "ok")
        assert await engine.line() == "play bB1 wA1-"


async def test_an_engine_meets_a_person(uhp_server: Served) -> None:
    game_id, tokens = await new_game(uhp_server)
    async with opened(tcp, uhp_server, f"role=engine token={tokens[1]}") as engine:
        await greet(engine)
        await engine.line()
        await say(engine, EMPTY, "ok")
        async with httpx.AsyncClient(base_url=uhp_server.url, timeout=60) as client:
            headers = {"Authorization": f"Bearer {tokens[0]}"}
            moves = f"/api/games/{game_id}/moves"
            assert (await client.post(moves, json={"move": "wA1"}, headers=headers)).status_code == 200
            assert await engine.line() == "play wA1"
            await say(engine, ONE, "ok")
            assert (await engine.line()).startswith("bestmove")
            answer = await client.post(f"/api/games/{game_id}/resign", headers=headers)
            assert answer.status_code == 200
        assert await engine.end() == []


# ---- the main viewer -----------------------------------------------------------------------------


@over_tcp
async def test_the_transcript(uhp_server: Served, open_peer: Open) -> None:
    """T1: byte for byte, with a main viewer that has opened the game."""
    lines = (ROOT / "tests/golden/uhp/three-engines.txt").read_text().splitlines()
    async with opened(open_peer, uhp_server, "role=main type=Base+MLP tc=60+1") as viewer:
        identity, *_ = await viewer.answer()
        game = identity.rpartition(" ")[2]
        handshake = f"role=engine {game} color="
        async with (
            opened(open_peer, uhp_server, f"{handshake}white") as white,
            opened(open_peer, uhp_server, f"{handshake}black") as black,
        ):
            peers = {"W": white, "B": black, "V": viewer}
            for line in lines:
                if line.startswith("#"):
                    continue
                way, _, text = line.partition(" ")
                sender, _, receivers = way.partition("->")
                for name in (receivers if sender == "S" else sender).split(","):
                    if sender == "S":
                        assert await peers[name].line() == text.strip()
                    else:
                        await peers[name].send(text.strip())


async def test_a_main_viewer_is_told_who_lost_and_its_pauses_cost_nobody_time(uhp_server: Served) -> None:
    control = {"initialSeconds": 60, "incrementSeconds": 0, "startsAtOnce": True}
    game_id, tokens = await new_game(uhp_server, timeControl=control)
    async with (
        opened(tcp, uhp_server, f"role=main token={tokens[0]}") as viewer,
        opened(tcp, uhp_server, f"role=engine token={tokens[0]}") as white,
        opened(tcp, uhp_server, f"role=engine token={tokens[1]}") as black,
    ):
        await viewer.answer()
        await greet(white)
        await greet(black)
        async with asyncio.timeout(60):
            while (paused := await shown(uhp_server, game_id))["running"] != []:  # noqa: ASYNC110 - polls
                await asyncio.sleep(0.02)
        await asyncio.sleep(0.5)
        assert (await shown(uhp_server, game_id))["clocks"] == paused["clocks"]
        await viewer.send("newgame Base+MLP")
        for peer in (white, black):
            assert await peer.line() == f"newgame {EMPTY}"
            await say(peer, EMPTY, "ok")
        assert await viewer.answer() == [EMPTY]
        await viewer.send("bestmove time 00:00:05")
        assert (await white.line()).startswith("bestmove time 00:00:0")
        await say(white, "bA1", "ok")
        assert await viewer.answer() == ["err game over: BlackWins (illegal-move)"]
        assert result(await ended(uhp_server, game_id)) == ([1], "illegal-move")


async def test_the_server_goes_on_without_its_main_viewer(uhp_server: Served) -> None:
    _, tokens = await new_game(uhp_server)
    async with opened(tcp, uhp_server, f"role=engine token={tokens[0]}") as white:
        async with opened(tcp, uhp_server, f"role=main token={tokens[0]}") as viewer:
            await viewer.answer()
            async with opened(tcp, uhp_server, f"role=main token={tokens[0]}") as second:
                assert await second.end() == ["err the game has a main viewer already"]
            await greet(white)
            await viewer.send("exit")
            assert await viewer.end() == []
        assert await white.line() == f"newgame {EMPTY}"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("role=main token={1}", "a main viewer needs the token of the game's host"),
        ("role=main game={game}", "a main viewer needs the token of the game's host"),
        ("role=engine token=nonsense", "the token opens no seat"),
        ("role=engine game=nonsense", "There is no game 'nonsense'"),
        ("role=main tc=9999999+1", None),
    ],
)
async def test_refused_handshakes(uhp_server: Served, words: str, why: str | None) -> None:
    game_id, tokens = await new_game(uhp_server)
    async with tcp(uhp_server, words.format(*tokens, game=game_id)) as peer:
        (line,) = await peer.end()
        assert line == f"err {why}" if why else line.startswith("err ")
