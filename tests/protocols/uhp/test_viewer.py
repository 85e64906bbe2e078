"""A viewer that drives an engine: what its transcripts cannot say."""

import pytest

from engines import IllegalMove
from protocols.session import LocalError
from protocols.uhp.answers import EngineFailed, Identity
from protocols.uhp.game_string import BadGameString, GameString
from protocols.uhp.requests import BestMove, Depth, MoveTime, Play, SetOption, StartGame, Undo
from protocols.uhp.viewer import MAX_ANSWER_CHARACTERS, MAX_ANSWER_LINES, Viewer, ViewerState


def at_start() -> Viewer:
    viewer = Viewer()
    for line in ("id Tester 1\r", "ok\r"):
        viewer.receive(line)
    viewer.ask(StartGame(GameString("Base")))
    for line in ("Base;NotStarted;White[1]\r", "ok\r"):
        viewer.receive(line)
    return viewer


def test_missing_capabilities() -> None:
    identity = Identity("X", frozenset({"mosquito"}))
    assert identity.lacks("Base") == []
    assert identity.lacks("Base+M") == []
    assert identity.lacks("Base+MLP") == ["ladybug", "pillbug"]


def test_illegal_moves_are_refused_locally() -> None:
    viewer = at_start()
    with pytest.raises(IllegalMove):
        viewer.ask(Play("wQ"))
    with pytest.raises(BadGameString):
        viewer.ask(StartGame(GameString("Base", ("wQ",))))
    assert viewer.state is ViewerState.IDLE
    assert viewer.position is not None


@pytest.mark.parametrize("line", ["", "x", "x" * 15_000])
def test_floods_are_detected_while_asked_and_while_idle(line: str) -> None:
    asked, idle = at_start(), at_start()
    asked.ask(BestMove(MoveTime(1)))
    for viewer in (asked, idle):
        most = min(MAX_ANSWER_LINES, MAX_ANSWER_CHARACTERS // (len(line) + 1))
        for _ in range(most):
            assert viewer.receive(line) is None
        end = viewer.receive(line)
        assert isinstance(end, EngineFailed)
        assert end.reason == "protocol"
        assert viewer.state is ViewerState.OVER
        assert viewer.receive(line) is None


def test_misuse_raises_local_errors() -> None:
    viewer = Viewer()
    with pytest.raises(LocalError):
        viewer.ask(SetOption("Threads", "1"))
    viewer.receive("ok")
    for request in (Play("wA1"), Undo(), BestMove(Depth(1))):
        with pytest.raises(LocalError):
            viewer.ask(request)
    with pytest.raises(LocalError):
        viewer.time_is_up()
    viewer.ask(SetOption("Threads", "1"))
    with pytest.raises(LocalError):
        viewer.ask(SetOption("Threads", "1"))
