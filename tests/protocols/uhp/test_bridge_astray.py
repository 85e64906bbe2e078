"""The bridge when the game goes another way than the viewer's board: takebacks, and moves that were made elsewhere."""

import pytest

from protocols.uhp.bridge.words import LinkLost
from tests.protocols.uhp.desk import EMPTY, ONE, THREE, TWO, Desk

BACK = f"err moves were taken back (undo shows the board): {EMPTY}"
SEAT = "seat White game=g7Kd tc=- resume=g7Kd:s"


def ahead() -> Desk:
    """White's move is made and shown."""
    desk = Desk().seated("White")
    desk.say("play wA1")
    assert desk.hear(ONE) == [ONE, "ok"]
    return desk


def test_a_takeback_ends_the_wait_and_the_game_goes_on_from_there() -> None:
    desk = ahead()
    desk.say("bestmove time 00:00:01")
    assert desk.hear(EMPTY) == [BACK, "ok"]
    assert desk.say("validmoves") == ["wS1;wB1;wG1;wA1", "ok"]
    assert desk.say("play bB1 -wA1")[0].startswith("invalidmove ")
    assert desk.say("play wS1") == []
    moved = "Base;InProgress;Black[1];wS1"
    assert desk.hear(moved) == [moved, "ok"]
    assert desk.say("undo")[0].startswith("err undo")


@pytest.mark.parametrize("command", ["play wB1 wA1-", "pass", "validmoves", "bestmove depth 1"])
def test_a_takeback_while_nothing_is_asked_is_told_once_to_the_next_command(command: str) -> None:
    desk = ahead()
    desk.hear(TWO)
    desk.say("play bB1 -wA1")
    sent = list(desk.to_server)
    assert desk.hear(EMPTY) == []
    assert desk.say(command) == [BACK, "ok"]
    assert desk.to_server == sent
    assert desk.say("validmoves") == ["wS1;wB1;wG1;wA1", "ok"]


@pytest.mark.parametrize("command", ["undo", "undo 2", "newgame Base", f"newgame {EMPTY}"])
@pytest.mark.parametrize("is_told", [False, True])
def test_the_board_after_a_takeback_is_there_for_the_asking(command: str, *, is_told: bool) -> None:
    desk = ahead()
    desk.hear(EMPTY)
    if is_told:
        assert desk.say("validmoves") == [BACK, "ok"]
    assert desk.say(command) == [EMPTY, "ok"]
    assert len(desk.dialled) == 1
    assert desk.say("undo")[0].startswith("err undo")
    assert desk.say("newgame Base") == ["err finish or forfeit the remote game first", "ok"]


def test_another_type_does_not_leave_a_game_that_was_taken_back() -> None:
    desk = ahead()
    desk.hear(EMPTY)
    assert desk.say("newgame Base+M") == ["err finish or forfeit the remote game first", "ok"]


def test_the_board_before_a_takeback_is_looked_at_offline() -> None:
    desk = ahead()
    desk.hear(EMPTY)
    assert desk.say(f"newgame {ONE}") == [ONE, "ok"]
    assert desk.say("undo") == [EMPTY, "ok"]
    assert desk.to_server == ["wA1"]


def test_a_takeback_to_the_opponents_turn_has_its_next_move_waited_for() -> None:
    desk = ahead()
    desk.hear(TWO)
    desk.say("play bB1 -wA1")
    desk.hear(ONE)
    assert desk.say("undo") == [ONE, "ok"]
    assert desk.say("bestmove depth 1") == []
    assert desk.hear("Base;InProgress;White[2];wA1;bS1 -wA1") == ["bS1 -wA1", "ok"]


def test_a_takeback_that_is_played_over_is_none() -> None:
    desk = ahead()
    assert desk.hear(EMPTY, ONE, TWO) == []
    assert desk.say("bestmove depth 1") == ["bB1 -wA1", "ok"]


def test_a_move_that_crosses_a_takeback_is_refused_with_the_board() -> None:
    desk = ahead()
    desk.hear(TWO)
    desk.say("play bB1 -wA1")
    assert desk.say("play wB1 wA1-") == []
    assert desk.hear(EMPTY) == []
    assert desk.hear("invalidmove no") == [BACK, "ok"]
    assert desk.say("undo") == [EMPTY, "ok"]


def test_a_move_that_crosses_a_takeback_may_be_taken_on_the_new_board() -> None:
    desk = ahead()
    before = "Base;InProgress;White[2];wA1;bB1 /wA1"
    desk.hear(before)
    desk.say("play bB1 /wA1")
    desk.say("play wB1 wA1-")
    assert desk.hear(TWO) == []
    assert desk.hear(THREE) == [THREE, "ok"]


def test_a_takeback_while_the_server_was_lost() -> None:
    desk = ahead()
    desk.hear(TWO)
    desk.say("play bB1 -wA1")
    assert desk.say("play wB1 wA1-") == []
    desk.tell(LinkLost("gone", 0))
    sent = list(desk.to_server)
    assert desk.hear("ok", SEAT, EMPTY) == [BACK, "ok"]
    assert desk.to_server == sent


def test_a_move_made_elsewhere_is_told() -> None:
    desk = Desk().seated("White")
    assert desk.hear(ONE) == []
    refusal = [f"err your move was made elsewhere (undo shows the board): {ONE}", "ok"]
    assert desk.say("play wS1") == refusal
    assert desk.to_server == []
    assert desk.hear(TWO) == []
    assert desk.say("bestmove depth 1") == ["bB1 -wA1", "ok"]
    assert desk.say("play bB1 -wA1") == [TWO, "ok"]


def test_a_game_that_ends_after_a_takeback() -> None:
    desk = ahead()
    desk.hear(EMPTY, "Base;WhiteWins;White[1]", "end WhiteWins resign")
    assert desk.say("validmoves") == [f"{BACK.removesuffix(EMPTY)}Base;WhiteWins;White[1]", "ok"]
    assert desk.say("validmoves") == ["err game over: you win (resign)", "ok"]
    assert desk.say("undo") == ["Base;WhiteWins;White[1]", "ok"]


def test_giving_up_after_a_takeback_shows_the_game_that_was_given_up() -> None:
    desk = ahead()
    desk.hear(EMPTY)
    assert desk.say("play forfeit") == []
    over = "Base;BlackWins;White[1]"
    assert desk.hear(over, "end BlackWins resign") == [over, "ok"]


def test_a_move_of_the_opponent_that_was_taken_back_cannot_be_shown() -> None:
    desk = ahead()
    desk.hear(TWO)
    assert desk.say("bestmove depth 1") == ["bB1 -wA1", "ok"]
    desk.hear(ONE)
    assert desk.say("play bB1 -wA1")[0].startswith("err this is not the opponent's move, or not any more")
    assert desk.say("bestmove depth 1") == []
    assert desk.hear(TWO) == ["bB1 -wA1", "ok"]
