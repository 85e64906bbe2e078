"""What transcripts of remote games do not show: the game as others see it, and the messages of a WebSocket."""

from tests.server.serving import Served
from tests.server.uhp_clients import new_game, opened, shown, tcp, web


async def test_a_remote_game_is_an_ordinary_game(uhp_server: Served) -> None:
    game, tokens = await new_game(uhp_server)
    async with opened(tcp, uhp_server, f"role=seat game={game} token={tokens[0]}") as white:
        await white.lines(2)
        await white.send("wA1")
        await white.line()
        position = await shown(uhp_server, game)
        assert (position["history"], position["toAct"]) == (["wA1"], [1])
        await white.send("forfeit so  long")
        await white.end()
        result = {"winners": [1], "reason": "resignation", "note": "so  long"}
        assert (await shown(uhp_server, game))["result"] == result


async def test_a_whole_answer_is_one_message(uhp_server: Served) -> None:
    _, tokens = await new_game(uhp_server, "Base")
    async with (
        web(uhp_server, f"role=viewer token={tokens[0]}") as white,
        opened(tcp, uhp_server, f"role=seat token={tokens[1]}") as black,
    ):
        for command, lines in (("newgame remote", 6), ("play wA1", 1)):
            await white.send(command)
            await white.lines(lines)
        await black.lines(3)
        await black.send("bB1 -wA1")
        assert len(await white.answer()) == 2
        assert white.messages[-3:] == [
            "Base;NotStarted;White[1]\nok",
            "Base;InProgress;Black[1];wA1",
            "bB1 -wA1\nBase;InProgress;White[2];wA1;bB1 -wA1\nok",
        ]
