"""The bridge: early commands, over-long lines and leaving, each with its answers in order."""

import pytest

from protocols.session import Event
from protocols.uhp.bridge.effects import (
    Await,
    LinkLost,
    OutputClosed,
    PauseEnded,
    TimeoutElapsed,
    ViewerGone,
)
from protocols.uhp.bridge.session import EXIT_MS, LAST_MS
from protocols.uhp.engine_work import FindMove, Found, Interrupted, Quit, StopWork
from protocols.uhp.lines import LineTooLong, iterate_lines
from tests.protocols.uhp.bridge_bench import BANNER, EMPTY, ONE, TWO, BridgeBench


def test_early_lines_wait() -> None:
    bench = BridgeBench().seated("White")
    bench.say("play wA1")
    bench.say("bestmove depth 1")
    bench.say("info")
    assert bench.hear(ONE) == [ONE, "ok"]
    assert bench.hear(TWO) == ["bB1 -wA1", "ok", *BANNER]


def test_each_resignation_is_answered_once() -> None:
    bench = BridgeBench().seated("White")
    bench.say("play wA1")
    bench.hear(ONE)
    bench.say("bestmove depth 1")
    assert [bench.say("play forfeit"), bench.say("play forfeit")] == [[], []]
    assert bench.tell(Interrupted()) == ["err still waiting for opponent", "ok"]
    assert bench.say("info") == []
    over = ONE.replace("InProgress", "BlackWins")
    lost = ["err game over: you lose (resign)", "ok"]
    assert bench.hear(over, "end BlackWins resign") == [over, "ok", *lost, *BANNER]
    assert bench.to_server == ["wA1", "forfeit"]


def test_an_overlong_line_is_answered_in_order() -> None:
    (long,) = iterate_lines("x" * 20_000)
    assert isinstance(long, LineTooLong)
    refusal = ["err line too long", "ok"]
    bench = BridgeBench()
    assert bench.say(long) == refusal
    bench.seated("White")
    assert bench.say(long) == refusal
    bench.say("play wA1")
    assert [bench.say(long), bench.say("info")] == [[], []]
    assert bench.hear(ONE) == [ONE, "ok", *refusal, *BANNER]
    game = "Base;InProgress;Black[1];wB1"
    bench.say(f"newgame {game}")
    assert bench.say("bestmove depth 1") == []
    assert bench.say(long) == []
    assert bench.tell(Found("bB1 -wB1")) == ["bB1 -wB1", "ok", *refusal]


@pytest.mark.parametrize("ending", ["exit", "the end of the input"])
def test_all_commands_are_answered_before_the_end(ending: str) -> None:
    bench = BridgeBench()
    for line in (
        "newgame Base",
        "play wA1",
        "newgame Base;NotStarted;White[1];wB1",
        "bestmove depth 2",
        "info",
    ):
        assert bench.say(line) == []
    assert leave(bench, ending) == (LAST_MS if ending != "exit" else EXIT_MS)
    assert bench.say("info") == []
    assert bench.hear("seat White game=g7Kd tc=- resume=g7Kd:s", EMPTY) == [EMPTY, "ok"]
    offline = "Base;InProgress;Black[1];wB1"
    assert bench.hear(ONE) == [ONE, "ok", offline, "ok"]
    assert isinstance(bench.others.pop(), FindMove)
    assert bench.tell(Found("bB1 -wB1")) == ["bB1 -wB1", "ok", *BANNER]
    assert [type(other) for other in bench.others] == [Quit]


def leave(bench: BridgeBench, ending: str) -> int:
    """Ends the viewer's input; returns how long the bridge may wait for others, in milliseconds."""
    assert (bench.say("exit") if ending == "exit" else bench.tell(ViewerGone())) == []
    waiting = bench.others.pop()
    assert isinstance(waiting, Await)
    return waiting.ms


def test_waiting_is_limited_after_the_end_of_the_input() -> None:
    waiting = ["err still waiting for opponent", "ok"]
    bench = BridgeBench()
    for line in ("newgame Base", "bestmove depth 1", "info", "newgame Base"):
        assert bench.say(line) == []
    leave(bench, "the end of the input")
    assert bench.tell(TimeoutElapsed()) == [*waiting, *waiting, *BANNER, *waiting]
    assert [type(other) for other in bench.others] == [Quit]


@pytest.mark.parametrize("ending", ["exit", "the end of the input"])
def test_searches_are_stopped_after_the_end_of_the_input(ending: str) -> None:
    bench = BridgeBench().seated("White")
    bench.tell(PauseEnded())
    assert [bench.say(line) for line in ("bestmove time 00:01:00", "bestmove depth 200", "info")] == [
        [],
        [],
        [],
    ]
    leave(bench, ending)
    assert bench.tell(TimeoutElapsed()) == []
    assert bench.tell(Found("wA1")) == ["wA1", "ok"]
    assert [type(other) for other in bench.others] == [FindMove, StopWork, FindMove, StopWork]
    assert bench.tell(Found("wB1")) == ["wB1", "ok", *BANNER]
    assert type(bench.others[-1]) is Quit


def test_waiting_for_a_silent_server_is_limited() -> None:
    bench = BridgeBench().seated("White")
    assert [bench.say("play wA1"), bench.say("play forfeit"), bench.say("info")] == [[], [], []]
    leave(bench, "the end of the input")
    refusal = ["err the server has not answered", "ok"]
    assert bench.tell(TimeoutElapsed()) == [*refusal, *refusal, *BANNER]
    bench = BridgeBench().seated("White")
    bench.say("play wA1")
    leave(bench, "the end of the input")
    assert bench.tell(LinkLost("gone", 0)) == []
    assert bench.tell(TimeoutElapsed()) == ["err reconnecting", "ok"]
    assert [type(other) for other in bench.others] == [Quit]


def test_an_unreachable_server_is_reported_to_all_commands() -> None:
    bench = BridgeBench()
    assert [bench.say("newgame Base"), bench.say("info")] == [[], []]
    leave(bench, "the end of the input")
    assert bench.tell(LinkLost("cannot connect", 0)) == ["err cannot connect", "ok", *BANNER]
    assert [type(other) for other in bench.others] == [Quit]


def test_the_bridge_exits_when_its_output_is_closed() -> None:
    bench = BridgeBench()
    assert [bench.say("newgame Base"), bench.say("info")] == [[], []]
    leave(bench, "the end of the input")
    assert bench.tell(OutputClosed()) == []
    assert [type(other) for other in bench.others] == [Quit]


@pytest.mark.parametrize("event", [None, ViewerGone()])
def test_leaving(event: Event | None) -> None:
    bench = BridgeBench().seated("White")
    if event is None:
        bench.say("exit")
    else:
        bench.tell(event)
    assert [type(other) for other in bench.others] == [Await, Quit]
