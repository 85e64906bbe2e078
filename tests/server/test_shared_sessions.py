"""Bars of other servers get what the bot of the game has answered, and a session of their own where it has not."""

import asyncio
from collections.abc import Sequence

import pytest

from protocols.bgs import messages as m
from server.services.bots.shared_sessions import SharedSessions

BAR = f"g~{'0a' * 8}"
NUMBERED = f"{BAR}~2"


def start(session: str, bot: str = "b", size: int = 5) -> m.StartGameSession:
    return m.StartGameSession(session, bot, {"boardWidth": size})


class Client:
    """Answers everything; values are numbers in the order of the evaluations. Refuses the moves in ``refused``."""

    def __init__(self, patience: float = 60) -> None:
        self.asked: list[m.Request] = []
        self.refused: set[str] = set()
        self.shared = SharedSessions(self._answer, patience)

    async def ask(self, *requests: m.Request) -> list[m.Response]:
        return [await self.shared.request(request) for request in requests]

    async def _answer(self, request: m.Request) -> m.Response:
        self.asked.append(request)
        match request:
            case m.StartGameSession(bgs_id=session):
                return m.GameSessionStarted(session)
            case m.ApplyMove(bgs_id=session, expected_ply=ply, move=move):
                return (
                    m.refusal(request, "no", ply) if move in self.refused else m.MoveApplied(session, ply + 1)
                )
            case m.EvaluatePosition(bgs_id=session, expected_ply=ply):
                return m.EvaluateResponse(session, ply, "best", len(self.asked) / 100)
            case m.EndGameSession(bgs_id=session):
                return m.GameSessionEnded(session)


def game(session: str, moves: Sequence[str] = ("one", "two")) -> list[m.Request]:
    """The requests for the evaluations of a game."""
    requests: list[m.Request] = [start(session), m.EvaluatePosition(session, 0)]
    for ply, move in enumerate(moves):
        requests += [m.ApplyMove(session, ply, move), m.EvaluatePosition(session, ply + 1)]
    return requests


def evaluations(responses: Sequence[m.Response]) -> list[float]:
    return [one.evaluation for one in responses if isinstance(one, m.EvaluateResponse)]


@pytest.mark.parametrize("bar", [BAR, NUMBERED])
async def test_a_bar_gets_the_answers_of_the_game(bar: str) -> None:
    client = Client()
    answers = await client.ask(*game("g"))
    asked = len(client.asked)
    of_bar = await client.ask(*game(bar), m.EndGameSession(bar))
    assert len(client.asked) == asked
    assert {one.bgs_id for one in of_bar} == {bar}
    assert evaluations(of_bar) == evaluations(answers)
    assert [type(one) for one in of_bar[:-1]] == [type(one) for one in answers]


async def test_a_bar_waits_for_the_game() -> None:
    client = Client()
    first, *rest = game("g")
    await client.ask(first)
    waiting = asyncio.ensure_future(client.ask(*game(BAR)))
    await asyncio.sleep(0)
    answers = await client.ask(*rest)
    assert evaluations(await waiting) == evaluations(answers)
    assert len(client.asked) == len(rest) + 1


@pytest.mark.parametrize(
    "end",
    [[m.EndGameSession("g")], [start("g")], [m.ApplyMove("g", 2, "refused")]],
    ids=["ended", "started again, not there in time", "failed"],
)
async def test_a_bar_gets_its_own_session_when_there_is_nothing_to_share(
    end: list[m.Request],
) -> None:
    client = Client(patience=0.01)
    client.refused.add("refused")
    await client.ask(*game("g"))
    *before, last = game(BAR)
    await client.ask(*before)
    await client.ask(*end)
    client.asked.clear()
    assert evaluations(await client.ask(last))
    assert client.asked == [one for one in game(BAR) if not isinstance(one, m.EvaluatePosition)] + [last]
    await client.ask(m.EndGameSession(BAR))
    assert client.asked[-1] == m.EndGameSession(BAR)


async def test_a_bar_with_other_moves_gets_its_own_session() -> None:
    client = Client()
    await client.ask(*game("g"))
    client.asked.clear()
    await client.ask(*game(BAR, ["one", "other"]))
    moves = [m.ApplyMove(BAR, 0, "one"), m.ApplyMove(BAR, 1, "other")]
    assert client.asked == [start(BAR), *moves, m.EvaluatePosition(BAR, 2)]


async def test_a_refused_replay_refuses_the_request() -> None:
    client = Client()
    *_, last = requests = game("g")
    await client.ask(*requests)
    *before, last = game(BAR)
    await client.ask(*before)
    await client.ask(m.EndGameSession("g"))
    client.refused.add("one")
    assert not (await client.ask(last))[0].success


@pytest.mark.parametrize("other", [start(BAR, bot="other"), start(BAR, size=3), start("other~2")])
async def test_what_is_not_the_same_is_not_shared(other: m.StartGameSession) -> None:
    client = Client()
    await client.ask(*game("g"))
    await client.ask(other)
    assert client.asked[-1] == other


async def test_a_bar_does_not_wait_for_a_game_that_is_replayed() -> None:
    client = Client()
    await client.ask(*game("g"))
    await client.ask(*game(BAR))
    await client.ask(start("g"))
    client.asked.clear()
    async with asyncio.timeout(30):
        await client.ask(m.ApplyMove(BAR, 2, "three"))
    assert [one.bgs_id for one in client.asked] == [BAR] * 4


async def test_a_request_that_waits_while_its_bar_ends_is_refused() -> None:
    client = Client()
    await client.ask(*game("g", ["one"]))
    await client.ask(*game(BAR, ["one"]))
    waiting = asyncio.ensure_future(client.ask(m.ApplyMove(BAR, 1, "two")))
    await asyncio.sleep(0)
    await client.ask(m.EndGameSession(BAR), m.EndGameSession("g"))
    assert [one.success for one in await waiting] == [False]


async def test_the_bars_of_a_server_that_is_gone_are_ended() -> None:
    client, other_servers = Client(), f"g~{'0b' * 8}"
    await client.ask(*game("g"), start(BAR), start(other_servers))
    opened = f"other~{'0a' * 8}"
    await client.ask(start(opened), start("g~2"))
    client.asked.clear()
    await client.shared.end_bars_of("0a" * 8)
    assert client.asked == [m.EndGameSession(opened)]
    await client.ask(m.EvaluatePosition(BAR, 0), m.EvaluatePosition(other_servers, 0))
    assert client.asked[1:] == [m.EvaluatePosition(BAR, 0)]
    await client.shared.end_bars_of("0a" * 8)
    assert len(client.asked) == 2
