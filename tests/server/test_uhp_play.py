"""Hive between two scripted clients of a running server: the documented conversations on both transports."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import count

import pytest

from tests.server.serving import Served
from tests.server.uhp_clients import Open, Peer, WebPeer, new_game, opened, shown, tcp, web

both = pytest.mark.parametrize("open_peer", [tcp, web])
SEAT = "role=seat type={} tc={} name={}"

FORCED_PASS = ("wB1", "bM wB1/", "wQ -wB1", "bQ \\bM", "wP \\wQ", "bQ -bM", "wB1 bM")
REPETITION = (
    *("wS1", "bB1 wS1-", "wQ \\wS1", "bQ bB1\\"),
    *("wQ -wS1", "bQ bB1-", "wQ \\wS1", "bQ bB1\\") * 2,
)
SURROUNDED = (
    *("wS1", "bS1 wS1-", "wQ -wS1", "bQ bS1/", "wG1 -wQ", "bG1 \\bQ", "wG1 bQ\\", "bG2 bQ/", "wA1 wQ\\"),
    *("bA1 bG2/", "wA1 bG2\\", "bA1 /bG1"),
)

_numbers = count()


@asynccontextmanager
async def seats(
    services: Served, open_peer: Open, kind: str = "Base+MLP", tc: str = "-", more: str = ""
) -> AsyncIterator[tuple[Peer, Peer]]:
    """White and Black, who have read what a seat is told first."""
    game, tokens = await new_game(services, kind, **_control(tc))
    async with (
        opened(open_peer, services, f"role=seat game={game} token={tokens[0]} {more}".strip()) as white,
        opened(open_peer, services, f"role=seat game={game} token={tokens[1]} {more}".strip()) as black,
    ):
        for peer, colour in ((white, "White"), (black, "Black")):
            assert await peer.line() == f"seat {colour} game={game} tc={tc}"
            if not more:
                assert await peer.line() == f"{kind};NotStarted;White[1]"
        yield white, black


def _control(tc: str) -> dict[str, object]:
    if tc == "-":
        return {}
    base, increment = map(int, tc.split("+"))
    control = {"initialSeconds": base, "incrementSeconds": increment, "startsAtOnce": True}
    return {"timeControl": control}


async def play(pair: Sequence[Peer], moves: Sequence[str], first: int = 0) -> str:
    """Plays the moves in turn; both read one line a move. The last line."""
    line = ""
    for ply, move in enumerate(moves, first):
        await pair[ply % 2].send(move)
        line, other = [await peer.line() for peer in pair]
        assert line == other
    return line


# ---- model B ---------------------------------------------------------------------------------------


@both
async def test_seats_read_one_game_string_a_ply(uhp_server: Served, open_peer: Open) -> None:
    async with seats(uhp_server, open_peer, tc="300+5") as (white, black):
        await white.send("wA1")
        assert await black.line() == "Base+MLP;InProgress;Black[1];wA1"
        await black.send("bB1 -wA1")
        assert await black.line() == "Base+MLP;InProgress;White[2];wA1;bB1 -wA1"
        assert await white.lines(2) == [
            "Base+MLP;InProgress;Black[1];wA1",
            "Base+MLP;InProgress;White[2];wA1;bB1 -wA1",
        ]
        await white.send("wB1 wA1-")
        assert await black.line() == "Base+MLP;InProgress;Black[2];wA1;bB1 -wA1;wB1 wA1-"
        await black.send("bQ wB1-")
        assert (await black.line()).startswith("invalidmove ")
        await black.send("bQ -bB1")
        assert await black.line() == "Base+MLP;InProgress;White[3];wA1;bB1 -wA1;wB1 wA1-;bQ -bB1"


@both
async def test_a_game_ends_on_the_board(uhp_server: Served, open_peer: Open) -> None:
    async with seats(uhp_server, open_peer, "Base") as (white, black):
        last = await play((white, black), SURROUNDED)
        assert last == ";".join(("Base", "WhiteWins", "White[7]", *SURROUNDED))
        for peer in (white, black):
            assert await peer.end() == ["end WhiteWins board"]


@both
async def test_a_forced_pass_is_a_move_as_any(uhp_server: Served, open_peer: Open) -> None:
    async with seats(uhp_server, open_peer) as (white, black):
        await play((white, black), FORCED_PASS)
        await black.send("bA1 -bQ")
        assert (await black.line()).startswith("invalidmove ")
        last = await play((white, black), ["pass"], len(FORCED_PASS))
        assert last == ";".join(("Base+MLP", "InProgress", "White[5]", *FORCED_PASS, "pass"))


async def test_the_third_occurrence_is_a_draw(uhp_server: Served) -> None:
    async with seats(uhp_server, tcp, "Base") as (white, black):
        last = await play((white, black), REPETITION)
        assert last.startswith("Base;Draw;White[7];wS1;")
        assert await white.end() == ["end Draw repetition"]


@both
async def test_moves_are_read_liberally_and_written_canonically(uhp_server: Served, open_peer: Open) -> None:
    async with seats(uhp_server, open_peer, "Base") as (white, black):
        await play((white, black), ("wS1", "bS1 wS1-", "wQ -wS1", "bQ bS1-"))
        await white.send("  WQ   wq/ ")
        assert (await white.line()).endswith(";bQ bS1-;wQ \\wS1")


async def test_five_illegal_moves_in_one_turn_lose(uhp_server: Served) -> None:
    async with seats(uhp_server, tcp) as (white, black):
        for text in ("wQ", "hello", "bA1", "wA2"):
            await white.send(text)
            assert (await white.line()).startswith("invalidmove ")
        for _ in range(10):
            await black.send("nonsense")
            assert await black.line() == "err not your turn"
        await white.send("pass")
        assert (await white.end())[-2:] == ["Base+MLP;BlackWins;White[1]", "end BlackWins illegal-move"]
        assert await black.end() == ["Base+MLP;BlackWins;White[1]", "end BlackWins illegal-move"]


async def test_illegal_moves_are_counted_by_the_turn(uhp_server: Served) -> None:
    async with seats(uhp_server, tcp) as (white, black):
        for move in ("wA1", "wB1 wA1-"):
            for _ in range(4):
                await white.send("wQ")
                assert (await white.line()).startswith("invalidmove ")
            await play((white, black), (move,))
            await play((white, black), ("bA1 -wA1" if move == "wA1" else "bB1 -bA1",), 1)


async def test_what_a_seat_says_when_it_gives_up_is_kept(uhp_server: Served) -> None:
    async with seats(uhp_server, tcp) as (white, black):
        await play((white, black), ("wA1",))
        await white.send("forfeit I must  go")
        assert await black.end() == ["Base+MLP;BlackWins;Black[1];wA1", "end BlackWins resign"]
        assert (await white.end())[-1] == "end BlackWins resign"


async def test_a_draw_is_agreed_on(uhp_server: Served) -> None:
    async with seats(uhp_server, tcp) as (white, black):
        await play((white, black), ("wA1", "bA1 -wA1"))
        await white.send("draw")
        assert await black.line() == "draw"
        await play((white, black), ("wB1 wA1-",), 2)
        await black.send("draw")
        for peer in (white, black):
            shown_last = [line for line in await peer.end() if line != "draw"]
            assert shown_last[-1] == "end Draw agreement"
            assert shown_last[-2].startswith("Base+MLP;Draw;Black[2];")


async def test_an_offer_ends_with_the_others_move(uhp_server: Served) -> None:
    async with seats(uhp_server, tcp) as (white, black):
        await play((white, black), ("wA1",))
        await white.send("draw")
        assert await black.line() == "draw"
        await play((white, black), ("bA1 -wA1", "wB1 wA1-"), 1)
        await black.send("draw")
        assert await white.line() == "draw"


async def test_the_clocks_are_told_to_who_asks(uhp_server: Served) -> None:
    async with seats(uhp_server, tcp, tc="0+30", more="clock=1") as (white, black):
        clock, first = await white.lines(2)
        assert (clock.startswith("clock "), first) == (True, "Base+MLP;NotStarted;White[1]")
        await white.send("wA1")
        assert await white.lines(2) == ["clock 30000 30000", "Base+MLP;InProgress;Black[1];wA1"]
        await black.lines(4)
        await asyncio.sleep(0.2)
        await black.send("bA1 -wA1")
        assert await black.lines(2) == ["clock 30000 30000", "Base+MLP;InProgress;White[2];wA1;bA1 -wA1"]


@both
async def test_a_spectator_reads_what_happens(uhp_server: Served, open_peer: Open) -> None:
    game, tokens = await new_game(uhp_server)
    async with (
        opened(open_peer, uhp_server, f"role=seat game={game} token={tokens[0]}") as white,
        opened(open_peer, uhp_server, f"role=watch game={game}") as spectator,
    ):
        await spectator.send("wA1")
        assert await spectator.lines(2) in (
            ["Base+MLP;NotStarted;White[1]", "err you are watching"],
            ["err you are watching", "Base+MLP;NotStarted;White[1]"],
        )
        await white.send("wA1")
        assert await spectator.line() == "Base+MLP;InProgress;Black[1];wA1"
        await white.send("forfeit")
        said = ["Base+MLP;BlackWins;Black[1];wA1", "end BlackWins resign"]
        assert await spectator.end() == said
    async with opened(open_peer, uhp_server, f"role=watch game={game} clock=1") as late:
        assert await late.end() == said


# ---- model C ---------------------------------------------------------------------------------------


@asynccontextmanager
async def viewers(
    services: Served, open_peer: Open, kind: str = "Base", tc: str = "60+1"
) -> AsyncIterator[tuple[Peer, Peer]]:
    """Two viewers that have found each other; White's ``newgame`` is answered, Black's is not."""
    names = [f"v{next(_numbers)}" for _ in range(2)]
    async with (
        opened(open_peer, services, "role=viewer") as white,
        opened(open_peer, services, "role=viewer") as black,
    ):
        for peer in (white, black):
            id_line, *rest = await peer.answer()
            assert id_line.startswith("id Plyhouse v")
            assert rest == ["Mosquito;Ladybug;Pillbug;Remote"]
        for peer, colour, own, other in ((white, "white", 0, 1), (black, "black", 1, 0)):
            criteria = f"color={colour} tc={tc} name={names[own]} vs={names[other]}"
            await peer.send(f"newgame remote {kind} {criteria}")
        assert await white.answer() == [f"{kind};NotStarted;White[1]"]
        yield white, black


@both
async def test_viewers_play_each_other(uhp_server: Served, open_peer: Open) -> None:
    async with viewers(uhp_server, open_peer) as (white, black):
        await white.send("play wA1")
        assert await white.line() == "Base;InProgress;Black[1];wA1"
        assert await black.answer() == ["Base;InProgress;Black[1];wA1"]
        await black.send("play bB1 -wA1")
        assert await black.line() == "Base;InProgress;White[2];wA1;bB1 -wA1"
        assert await white.answer() == ["bB1 -wA1", "Base;InProgress;White[2];wA1;bB1 -wA1"]
        await white.send("play wB1 wA1-")
        assert await white.line() == "Base;InProgress;Black[2];wA1;bB1 -wA1;wB1 wA1-"
        assert await black.answer() == ["wB1 wA1-", "Base;InProgress;Black[2];wA1;bB1 -wA1;wB1 wA1-"]
        await black.send("play forfeit out of time, sorry")
        assert await black.answer() == ["Base;WhiteWins;Black[2];wA1;bB1 -wA1;wB1 wA1-"]
        assert await white.answer() == [
            "forfeit resign",
            "Base;WhiteWins;Black[2];wA1;bB1 -wA1;wB1 wA1-",
        ]
        if isinstance(white, WebPeer):
            assert white.messages[-3:] == [
                "bB1 -wA1\nBase;InProgress;White[2];wA1;bB1 -wA1\nok",
                "Base;InProgress;Black[2];wA1;bB1 -wA1;wB1 wA1-",
                "forfeit resign\nBase;WhiteWins;Black[2];wA1;bB1 -wA1;wB1 wA1-\nok",
            ]


@both
async def test_the_own_ply_is_shown_at_once(uhp_server: Served, open_peer: Open) -> None:
    async with viewers(uhp_server, open_peer) as (white, _):
        await white.send("play wA1")
        await white.line()


@both
async def test_a_flag_falls_while_a_play_waits(uhp_server: Served, open_peer: Open) -> None:
    async with viewers(uhp_server, open_peer, tc="1+0") as (white, _):
        await white.send("play wA1")
        assert await white.line() == "Base;InProgress;Black[1];wA1"
        assert await white.answer() == ["forfeit timeout", "Base;WhiteWins;Black[1];wA1"]
        await white.send("play wB1 wA1-")
        assert await white.answer() == ["err game over: WhiteWins (timeout)"]


@both
async def test_a_viewer_gives_up_while_its_play_waits(uhp_server: Served, open_peer: Open) -> None:
    async with viewers(uhp_server, open_peer) as (white, black):
        await white.send("play wA1")
        assert await white.line() == "Base;InProgress;Black[1];wA1"
        await white.send("play forfeit")
        assert await white.answer() == ["Base;BlackWins;Black[1];wA1"]
        assert await white.answer() == ["Base;BlackWins;Black[1];wA1"]
        assert await black.answer() == ["Base;InProgress;Black[1];wA1"]
        await black.send("play bA1 -wA1")
        assert await black.answer() == ["err game over: BlackWins (resign)"]
        await black.send("newgame Base")
        assert await black.answer() == ["Base;NotStarted;White[1]"]


async def test_a_viewer_passes_when_it_must(uhp_server: Served) -> None:
    async with viewers(uhp_server, tcp, "Base+MLP") as (white, black):
        await white.send(f"play {FORCED_PASS[0]}")
        await white.line()
        await black.answer()
        for ply, move in enumerate(FORCED_PASS[1:], 1):
            mover, other = (white, black) if ply % 2 == 0 else (black, white)
            await mover.send(f"play {move}")
            await mover.line()
            await other.answer()
        await black.send("validmoves")
        assert await black.answer() == ["pass"]
        await black.send("pass")
        assert (await black.line()).endswith(";pass")
        assert (await white.answer())[0] == "pass"


async def test_a_viewer_is_told_what_cannot_be(uhp_server: Served) -> None:
    async with viewers(uhp_server, tcp, "Base") as (white, black):
        for command in ("undo", "bestmove time 00:00:01", "bestmove depth 1"):
            await white.send(command)
            assert await white.answer() == ["err not available in a remote game"]
        for command in ("newgame", "newgame Base+M", "newgame remote"):
            await white.send(command)
            assert await white.answer() == ["err finish or forfeit the remote game first"]
        await white.send("validmoves")
        assert await white.answer() == ["wS1;wB1;wG1;wA1"]
        await white.send("play wQ")
        answer = await white.answer()
        assert len(answer) == 1
        assert answer[0].startswith("invalidmove ")
        await white.send("options get RemoteSeat")
        assert await white.answer() == ["RemoteSeat;enum;White;White;White;Black"]
        await white.send("play forfeit")
        assert await white.answer() == ["Base;BlackWins;White[1]"]
        assert await black.answer() == ["Base;BlackWins;White[1]"]


@both
async def test_without_a_remote_game_the_server_is_an_engine_of_uhp_1(
    uhp_server: Served, open_peer: Open
) -> None:
    async with opened(open_peer, uhp_server, "role=viewer") as viewer:
        await viewer.answer()
        for command, answer in (
            ("play forfeit", ["err No game in progress. Try 'newgame' to start a new game."]),
            ("newgame Base+MLP;NotStarted;White[1];wA1", ["Base+MLP;InProgress;Black[1];wA1"]),
            ("undo", ["Base+MLP;NotStarted;White[1]"]),
            ("play wQ", None),
            ("bestmove depth 1", ["err bestmove is not available at a server"]),
            ("newgame remote vs=bot:nobody", ["err no such bot"]),
            ("newgame remote colour=white", None),
        ):
            await viewer.send(command)
            said = await viewer.answer()
            assert said == answer if answer is not None else said[0].startswith(("err ", "invalidmove "))


# ---- a game like any other -------------------------------------------------------------------------


async def test_a_remote_game_is_an_ordinary_game(uhp_server: Served) -> None:
    game, tokens = await new_game(uhp_server)
    async with opened(tcp, uhp_server, f"role=seat game={game} token={tokens[0]}") as white:
        await white.lines(2)
        await white.send("wA1")
        await white.line()
        position = await shown(uhp_server, game)
        assert (position["history"], position["toAct"]) == (["wA1"], [1])
        await white.send("forfeit so long")
        await white.end()
        result = {"winners": [1], "reason": "resignation", "note": "so long"}
        assert (await shown(uhp_server, game))["result"] == result
