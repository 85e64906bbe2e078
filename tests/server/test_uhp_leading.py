"""What a main viewer may do, and what engines are sent after takebacks and repetitions."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.server.serving import Served
from tests.server.test_uhp_engines import EMPTY, ONE, TWO, engines, greet, play, say
from tests.server.test_uhp_main import lead, set_up
from tests.server.uhp_clients import Peer, new_game, opened, take_back, tcp
from tests.server.uhp_results import ended, result

NO_GAME = ["err No game in progress. Try 'newgame' to start the game."]
ONLY = ["err only the seated player's move may be played"]


async def ask(viewer: Peer, *lines: str) -> list[str]:
    """The answer to the last of these lines."""
    answer: list[str] = []
    for line in lines:
        await viewer.send(line)
        answer = await viewer.answer()
    return answer


class Trio:
    """A main viewer that has begun a game, and its engines."""

    def __init__(self, game_id: str, tokens: list[str], viewer: Peer, white: Peer, black: Peer) -> None:
        self.game_id, self.tokens = game_id, tokens
        self.viewer, self.white, self.black = viewer, white, black

    async def confirm(self, command: str, shown: str) -> None:
        """Both engines are sent a command, and show the game."""
        for peer in (self.white, self.black):
            assert await peer.line() == command
            await say(peer, shown, "ok")


@asynccontextmanager
async def led(served: Served, more: str = "") -> AsyncIterator[Trio]:
    game_id, tokens = await new_game(served)
    async with (
        opened(tcp, served, f"role=main token={tokens[0]} {more}".strip()) as viewer,
        opened(tcp, served, f"role=engine token={tokens[0]}") as white,
        opened(tcp, served, f"role=engine token={tokens[1]}") as black,
    ):
        await set_up(viewer, white, black)
        yield Trio(game_id, tokens, viewer, white, black)


async def test_nothing_happens_until_the_main_viewer_begins(uhp_server: Served) -> None:
    async with opened(tcp, uhp_server, "role=main type=Base+MLP tc=60+1") as viewer:
        await viewer.answer()
        assert await ask(viewer, "bestmove depth 1") == NO_GAME
        assert await ask(viewer, "newgame Base") == [f"err this is the game: {EMPTY}"]
        assert (await ask(viewer, "newgame nonsense"))[0].startswith("err ")


async def test_only_the_seated_players_move_may_be_played(uhp_server: Served) -> None:
    async with led(uhp_server) as trio:
        viewer, white = trio.viewer, trio.white
        assert await ask(viewer, "play wA1") == ONLY
        await viewer.send("bestmove time 00:00:01")
        assert await white.line() == "bestmove time 00:00:01"
        await viewer.send("validmoves")
        await say(white, "wA1", "ok")
        assert await viewer.answer() == ["wA1"]
        assert len((await viewer.answer())[0].split(";")) == 7
        assert await ask(viewer, "play wS1") == ONLY
        assert (await ask(viewer, "play wQ"))[0].startswith("invalidmove ")
        await viewer.send("play  WA1")
        await trio.confirm("play wA1", ONE)
        assert await viewer.answer() == [ONE]


async def test_an_analyst_may_play_any_move(uhp_server: Served) -> None:
    async with led(uhp_server, "analysis=1") as trio:
        await trio.viewer.send("play wS1")
        shown = ONE.replace("wA1", "wS1")
        await trio.confirm("play wS1", shown)
        assert await trio.viewer.answer() == [shown]


async def test_the_main_viewer_asks_again(uhp_server: Served) -> None:
    async with led(uhp_server) as trio:
        for move in ("wA1", "wS1"):
            await trio.viewer.send("bestmove depth 3")
            assert await trio.white.line() == "bestmove depth 3"
            await say(trio.white, move, "ok")
            assert await trio.viewer.answer() == [move]
        await trio.viewer.send("play wS1")
        assert await trio.white.line() == "play wS1"


async def test_the_main_viewer_learns_of_a_desync(uhp_server: Served) -> None:
    async with led(uhp_server) as trio:
        await lead(trio.viewer, trio.white, "wA1", (trio.white, trio.black))
        await say(trio.white, ONE, "ok")
        await say(trio.black, EMPTY, "ok")
        over = ["err game over: WhiteWins (desync)"]
        assert await trio.viewer.answer() == over
        assert await ask(trio.viewer, "bestmove depth 1") == over
        assert await ask(trio.viewer, "validmoves") == over


async def test_other_commands_of_a_main_viewer(uhp_server: Served) -> None:
    async with led(uhp_server) as trio:
        viewer = trio.viewer
        assert (await ask(viewer, "undo"))[0].startswith("err undo is not possible")
        assert (await ask(viewer, "bestmove"))[0].startswith("err ")
        assert (await ask(viewer, "sing"))[0].startswith("err Invalid command: info, ")
        assert await ask(viewer, "options") == []
        await viewer.send("")
        assert (await ask(viewer, "info"))[0].startswith("id Plyhouse")
        await viewer.send("exit")
        assert await viewer.end() == []


async def test_commands_during_a_search_are_answered_in_order(uhp_server: Served) -> None:
    async with led(uhp_server) as trio:
        await trio.viewer.send("bestmove time 00:00:01")
        assert await trio.white.line() == "bestmove time 00:00:01"
        for line in ("validmoves", *["info"] * 20, "x" * 20_000):
            await trio.viewer.send(line)
        await say(trio.white, "wA1", "ok")
        assert await trio.viewer.answer() == ["wA1"]
        assert (await trio.viewer.answer())[0].split(";") == ["wS1", "wB1", "wG1", "wA1", "wM", "wL", "wP"]
        for _ in range(20):
            assert (await trio.viewer.answer())[1:] == ["Mosquito;Ladybug;Pillbug"]
        assert await trio.viewer.answer() == ["err line too long"]


async def test_a_takeback_ends_the_main_viewers_wait(uhp_server: Served) -> None:
    async with led(uhp_server, "analysis=1") as trio:
        viewer = trio.viewer
        for move, shown in (("wA1", ONE), ("bB1 -wA1", TWO)):
            await viewer.send(f"play {move}")
            await trio.confirm(f"play {move}", shown)
            assert await viewer.answer() == [shown]
        await viewer.send("bestmove time 00:00:01")
        assert (await trio.white.line()).startswith("bestmove")
        await take_back(uhp_server, trio.game_id, trio.tokens, 1)
        assert await viewer.answer() == [f"err the game has gone on: {ONE}"]
        await say(trio.white, "wG1 wA1-", "ok")
        await trio.confirm("undo 1", ONE)
        await viewer.send("play bB1 -wA1")
        for peer in (trio.white, trio.black):
            assert await peer.line() == "play bB1 -wA1"
        await take_back(uhp_server, trio.game_id, trio.tokens, 1)
        for peer in (trio.white, trio.black):
            await say(peer, TWO, "ok")
        await trio.confirm("undo 1", ONE)
        assert await viewer.answer() == [ONE]


async def test_a_main_viewer_may_start_the_game_again_where_it_is(uhp_server: Served) -> None:
    async with led(uhp_server) as trio:
        await lead(trio.viewer, trio.white, "wA1", ())
        await trio.confirm("play wA1", ONE)
        assert await trio.viewer.answer() == [ONE]
        assert await ask(trio.viewer, f"newgame {ONE}") == [ONE]
        for wrong in ("Base+MLP", EMPTY):
            assert (await ask(trio.viewer, f"newgame {wrong}"))[0].startswith("err this is the game")


# ---- without a main viewer -------------------------------------------------------------------------


async def test_after_a_takeback_an_engine_is_asked_again(uhp_server: Served) -> None:
    """Also for a move of the same position, and when the takeback has overtaken the other engine's answer."""
    game_id, tokens = await new_game(uhp_server)
    async with (
        opened(tcp, uhp_server, f"role=engine token={tokens[0]}") as white,
        opened(tcp, uhp_server, f"role=engine token={tokens[1]}") as black,
    ):
        for peer in (white, black):
            await greet(peer)
            assert await peer.line() == f"newgame {EMPTY}"
            await say(peer, EMPTY, "ok")
        for _ in range(2):
            assert (await white.line()).startswith("bestmove")
            await say(white, "wA1", "ok")
            for peer in (white, black):
                assert await peer.line() == "play wA1"
                await say(peer, ONE, "ok")
            assert (await black.line()).startswith("bestmove")
            await take_back(uhp_server, game_id, tokens, 0)
            await say(black, "bB1 -wA1", "ok")
            for peer in (white, black):
                assert await peer.line() == "undo 1"
                await say(peer, EMPTY, "ok")


async def test_a_draw_by_repetition_that_the_engines_do_not_know(uhp_server: Served) -> None:
    """T9."""
    cycle = ("wQ \\wS1", "bQ bB1\\", "wQ -wS1", "bQ bB1-")
    async with engines(uhp_server, tcp, "Base") as (game_id, white, black):
        await play((white, black), ("wS1", "bB1 wS1-", *cycle, *cycle, *cycle[:2]), "Base")
        assert await white.end() == await black.end() == []
        assert result(await ended(uhp_server, game_id)) == ([], "repetition")


@pytest.mark.parametrize("answer", [("err no", "ok"), ("ok",), ("nonsense", "ok"), (EMPTY, "ok")])
async def test_a_different_game_after_a_move_is_a_desync(uhp_server: Served, answer: tuple[str, ...]) -> None:
    async with engines(uhp_server, tcp) as (game_id, white, black):
        assert (await white.line()).startswith("bestmove")
        await say(white, "wA1", "ok")
        assert await black.line() == "play wA1"
        await say(black, *answer)
        assert result(await ended(uhp_server, game_id)) == ([0], "desync")


async def test_only_connecting_programs_are_told_how_the_game_ends(uhp_server: Served) -> None:
    game_id, tokens = await new_game(uhp_server)
    async with (
        opened(tcp, uhp_server, f"role=engine token={tokens[0]} secret=1") as white,
        opened(tcp, uhp_server, f"role=engine token={tokens[1]}") as black,
    ):
        await greet(white)
        assert (await white.line()).startswith(f"seat White game={game_id} resume=")
        await greet(black)
        for peer in (white, black):
            assert await peer.line() == f"newgame {EMPTY}"
            await say(peer, EMPTY, "ok")
        async with opened(tcp, uhp_server, f"role=seat token={tokens[1]}") as player:
            await player.lines(2)
            await player.send("forfeit")
            assert (await white.end())[-1] == "end WhiteWins resign"
        assert await black.end() == ["err another connection has taken this seat"]
