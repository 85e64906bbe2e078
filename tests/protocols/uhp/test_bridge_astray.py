"""The bridge when the game diverges from the viewer's board: takebacks, and moves made elsewhere."""

import pytest

from protocols.uhp.bridge.effects import LinkLost
from tests.protocols.uhp.bridge_bench import EMPTY, ONE, THREE, TWO, BridgeBench

BACK = f"err moves were taken back (undo shows the board): {EMPTY}"
SEAT = "seat White game=g7Kd tc=- resume=g7Kd:s"


def ahead() -> BridgeBench:
    """White's move is made and shown."""
    bench = BridgeBench().seated("White")
    bench.say("play wA1")
    assert bench.hear(ONE) == [ONE, "ok"]
    return bench


def test_a_takeback_ends_the_wait_and_the_game_continues() -> None:
    bench = ahead()
    bench.say("bestmove time 00:00:01")
    assert bench.hear(EMPTY) == [BACK, "ok"]
    assert bench.say("validmoves") == ["wS1;wB1;wG1;wA1", "ok"]
    assert bench.say("play bB1 -wA1")[0].startswith("invalidmove ")
    assert bench.say("play wS1") == []
    moved = "Base;InProgress;Black[1];wS1"
    assert bench.hear(moved) == [moved, "ok"]
    assert bench.say("undo")[0].startswith("err undo")


@pytest.mark.parametrize("command", ["play wB1 wA1-", "pass", "validmoves", "bestmove depth 1"])
def test_the_next_command_reports_a_takeback_once(command: str) -> None:
    bench = ahead()
    bench.hear(TWO)
    bench.say("play bB1 -wA1")
    sent = list(bench.to_server)
    assert bench.hear(EMPTY) == []
    assert bench.say(command) == [BACK, "ok"]
    assert bench.to_server == sent
    assert bench.say("validmoves") == ["wS1;wB1;wG1;wA1", "ok"]


@pytest.mark.parametrize("command", ["undo", "undo 2", "newgame Base", f"newgame {EMPTY}"])
@pytest.mark.parametrize("is_told", [False, True])
def test_the_board_after_a_takeback_can_be_shown(command: str, *, is_told: bool) -> None:
    bench = ahead()
    bench.hear(EMPTY)
    if is_told:
        assert bench.say("validmoves") == [BACK, "ok"]
    assert bench.say(command) == [EMPTY, "ok"]
    assert len(bench.dialled) == 1
    assert bench.say("undo")[0].startswith("err undo")
    assert bench.say("newgame Base") == ["err finish or forfeit the remote game first", "ok"]


def test_another_type_does_not_replace_a_game_after_a_takeback() -> None:
    bench = ahead()
    bench.hear(EMPTY)
    assert bench.say("newgame Base+M") == ["err finish or forfeit the remote game first", "ok"]


def test_the_board_before_a_takeback_is_shown_offline() -> None:
    bench = ahead()
    bench.hear(EMPTY)
    assert bench.say(f"newgame {ONE}") == [ONE, "ok"]
    assert bench.say("undo") == [EMPTY, "ok"]
    assert bench.to_server == ["wA1"]


def test_after_a_takeback_bestmove_waits_for_the_opponents_next_move() -> None:
    bench = ahead()
    bench.hear(TWO)
    bench.say("play bB1 -wA1")
    bench.hear(ONE)
    assert bench.say("undo") == [ONE, "ok"]
    assert bench.say("bestmove depth 1") == []
    assert bench.hear("Base;InProgress;White[2];wA1;bS1 -wA1") == ["bS1 -wA1", "ok"]


def test_a_takeback_that_is_replayed_is_ignored() -> None:
    bench = ahead()
    assert bench.hear(EMPTY, ONE, TWO) == []
    assert bench.say("bestmove depth 1") == ["bB1 -wA1", "ok"]


def test_a_move_that_crosses_a_takeback_is_refused_with_the_board() -> None:
    bench = ahead()
    bench.hear(TWO)
    bench.say("play bB1 -wA1")
    assert bench.say("play wB1 wA1-") == []
    assert bench.hear(EMPTY) == []
    assert bench.hear("invalidmove no") == [BACK, "ok"]
    assert bench.say("undo") == [EMPTY, "ok"]


def test_a_move_that_crosses_a_takeback_may_be_played_on_the_new_board() -> None:
    bench = ahead()
    before = "Base;InProgress;White[2];wA1;bB1 /wA1"
    bench.hear(before)
    bench.say("play bB1 /wA1")
    bench.say("play wB1 wA1-")
    assert bench.hear(TWO) == []
    assert bench.hear(THREE) == [THREE, "ok"]


def test_a_takeback_during_an_outage() -> None:
    bench = ahead()
    bench.hear(TWO)
    bench.say("play bB1 -wA1")
    assert bench.say("play wB1 wA1-") == []
    bench.tell(LinkLost("gone", 0))
    sent = list(bench.to_server)
    assert bench.hear("ok", SEAT, EMPTY) == [BACK, "ok"]
    assert bench.to_server == sent


def test_a_move_made_elsewhere_is_reported() -> None:
    bench = BridgeBench().seated("White")
    assert bench.hear(ONE) == []
    refusal = [f"err your move was made elsewhere (undo shows the board): {ONE}", "ok"]
    assert bench.say("play wS1") == refusal
    assert bench.to_server == []
    assert bench.hear(TWO) == []
    assert bench.say("bestmove depth 1") == ["bB1 -wA1", "ok"]
    assert bench.say("play bB1 -wA1") == [TWO, "ok"]


def test_a_game_that_ends_after_a_takeback() -> None:
    bench = ahead()
    bench.hear(EMPTY, "Base;WhiteWins;White[1]", "end WhiteWins resign")
    assert bench.say("validmoves") == [f"{BACK.removesuffix(EMPTY)}Base;WhiteWins;White[1]", "ok"]
    assert bench.say("validmoves") == ["err game over: you win (resign)", "ok"]
    assert bench.say("undo") == ["Base;WhiteWins;White[1]", "ok"]


def test_resigning_after_a_takeback_shows_the_resigned_game() -> None:
    bench = ahead()
    bench.hear(EMPTY)
    assert bench.say("play forfeit") == []
    over = "Base;BlackWins;White[1]"
    assert bench.hear(over, "end BlackWins resign") == [over, "ok"]


def test_a_retracted_move_of_the_opponent_cannot_be_played() -> None:
    bench = ahead()
    bench.hear(TWO)
    assert bench.say("bestmove depth 1") == ["bB1 -wA1", "ok"]
    bench.hear(ONE)
    assert bench.say("play bB1 -wA1")[0].startswith("err this is not the opponent's move, or not any more")
    assert bench.say("bestmove depth 1") == []
    assert bench.hear(TWO) == ["bB1 -wA1", "ok"]
