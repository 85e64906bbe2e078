"""The bridge between a viewer that knows only UHP 1.0 and a seat at a server: every row of its table."""

from collections.abc import Sequence

import pytest

from protocols.session import Event
from protocols.uhp.bridge.session import EXIT_MS, LAST_MS
from protocols.uhp.bridge.words import Await, Exit, LinkLost, PatienceOver, Rested, Unread, ViewerGone
from protocols.uhp.engine_work import FindMove, Found, Interrupted, StopWork
from protocols.uhp.lines import LineTooLong, split_message
from tests.protocols.uhp.desk import BANNER, EMPTY, ONE, THREE, TWO, Desk


def test_newgame_waits_for_an_opponent_and_shows_an_empty_game() -> None:
    desk = Desk()
    assert desk.say("options set Seat black") == ["Seat;enum;Black;Any;Any;White;Black", "ok"]
    desk.say("options set Seconds 60")
    desk.say("options set Increment 1")
    assert desk.say("newgame Base") == []
    (dialled,) = desk.dialled
    assert dialled.server == "http://here"
    assert dialled.words == {
        "role": "seat",
        "clock": "1",
        "secret": "1",
        "type": "Base",
        "color": "black",
        "tc": "60+1",
    }
    assert desk.hear("seat Black game=g7Kd tc=60+1 resume=g7Kd:s") == []
    assert desk.hear("clock 60000 60000", EMPTY) == [EMPTY, "ok"]
    assert desk.hear(ONE) == []
    assert desk.say("options get RemoteSeat") == ["RemoteSeat;enum;Black;White;White;Black", "ok"]
    assert desk.say("bestmove time 00:00:05") == ["wA1", "ok"]
    assert desk.say("play wA1") == [ONE, "ok"]


def test_a_game_as_white() -> None:
    desk = Desk().seated("White")
    assert desk.say("validmoves")[0].split(";") == ["wS1", "wB1", "wG1", "wA1"]
    assert desk.say("play wA1") == []
    assert desk.to_server == ["wA1"]
    assert desk.hear(ONE) == [ONE, "ok"]
    assert desk.say("bestmove depth 2") == []
    assert desk.hear(TWO) == ["bB1 -wA1", "ok"]
    assert desk.say("play bB1 -wA1") == [TWO, "ok"]
    assert desk.say("play wB1 wA1-") == []
    assert desk.hear(THREE) == [THREE, "ok"]


def test_the_opponents_move_is_compared_as_a_position() -> None:
    desk = Desk().seated("White")
    desk.say("play wA1")
    desk.hear(ONE, TWO)
    assert desk.say("play bB1 wA1-")[0].startswith("err ")
    assert desk.say("play  BB1   -wa1") == [TWO, "ok"]


def test_illegal_moves_stay_at_home() -> None:
    desk = Desk().seated("White")
    assert desk.say("play wQ")[0].startswith("invalidmove ")
    assert desk.say("pass")[0].startswith("invalidmove ")
    assert desk.to_server == []
    desk.say("play wA1")
    assert desk.hear("invalidmove no") == ["invalidmove no", "ok"]


def test_undo_is_refused() -> None:
    assert Desk().seated("White").say("undo") == ["err undo is not possible in a remote game", "ok"]


def test_an_interrupt_gives_the_command_up_and_keeps_the_game() -> None:
    desk = Desk()
    waiting = ["err still waiting for opponent", "ok"]
    desk.say("newgame Base")
    assert desk.tell(Interrupted()) == waiting
    assert desk.say("newgame Base") == []
    assert len(desk.dialled) == 1
    desk.hear("seat White game=g7Kd tc=-", EMPTY)
    desk.say("play wA1")
    desk.hear(ONE)
    desk.say("bestmove time 00:00:01")
    assert desk.tell(Interrupted()) == waiting
    assert desk.hear(TWO) == []
    assert desk.say("bestmove time 00:00:01") == ["bB1 -wA1", "ok"]


def test_an_opponent_who_came_while_nobody_waited_is_found_by_the_next_newgame() -> None:
    desk = Desk()
    desk.say("newgame Base")
    desk.tell(Interrupted())
    assert desk.hear("seat Black game=g7Kd tc=-", EMPTY, ONE) == []
    assert desk.say("newgame Base") == [EMPTY, "ok"]
    assert desk.say("newgame Base") == ["err finish or forfeit the remote game first", "ok"]
    assert desk.say("bestmove depth 1") == ["wA1", "ok"]


@pytest.mark.parametrize("ending", ["WhiteWins timeout", "WhiteWins resign"])
def test_a_forfeit_ends_the_wait(ending: str) -> None:
    desk = Desk().seated("White")
    desk.say("play wA1")
    desk.hear(ONE)
    desk.say("bestmove time 00:00:01")
    assert desk.hear("Base;WhiteWins;Black[1];wA1") == []
    verdict = [f"err game over: you win ({ending.split()[1]})", "ok"]
    assert desk.hear(f"end {ending}") == verdict
    for command in ("bestmove depth 1", "play bA1 -wA1", "validmoves", "play forfeit"):
        assert desk.say(command) == verdict


def test_a_flag_that_falls_under_our_move_is_told() -> None:
    desk = Desk().seated("White")
    desk.say("play wA1")
    assert desk.hear("Base;BlackWins;White[1]", "end BlackWins timeout") == [
        "err game over: you lose (timeout)",
        "ok",
    ]


def test_the_last_move_is_shown_before_the_end() -> None:
    desk = Desk().seated("White")
    desk.say("play wA1")
    desk.hear(ONE)
    desk.say("bestmove depth 1")
    over = TWO.replace("InProgress", "Draw")
    assert desk.hear(over, "end Draw repetition") == ["bB1 -wA1", "ok"]
    assert desk.say("play bB1 -wA1") == [over, "ok"]
    assert desk.say("bestmove depth 1") == ["err game over: draw (repetition)", "ok"]


def test_forfeit_while_waiting_answers_both_commands() -> None:
    desk = Desk().seated("White")
    desk.say("play wA1")
    desk.hear(ONE)
    desk.say("bestmove depth 1")
    assert desk.say("play forfeit had enough") == []
    assert desk.to_server[-1] == "forfeit had enough"
    over = ONE.replace("InProgress", "BlackWins")
    assert desk.hear(over, "end BlackWins resign") == [
        "err game over: you lose (resign)",
        "ok",
        over,
        "ok",
    ]


def test_resign_is_an_option_too() -> None:
    desk = Desk().seated("White")
    assert desk.say("options set Resign True") == []
    assert desk.to_server == ["forfeit"]
    assert desk.say("validmoves") == [], "the game is over when the server says so"
    assert desk.hear("Base;BlackWins;White[1]", "end BlackWins resign") == [
        *("Resign;bool;True;False", "ok"),
        *("err game over: you lose (resign)", "ok"),
    ]
    assert desk.say("options get Resign") == ["Resign;bool;False;False", "ok"]


def test_who_resigns_is_shown_no_more_moves() -> None:
    desk = Desk().seated("Black", ONE)
    assert desk.say("bestmove time 00:00:05") == ["wA1", "ok"]
    assert desk.say("options set Resign True") == []
    desk.hear("Base;WhiteWins;Black[1];wA1", "end WhiteWins resign")
    lost = ["err game over: you lose (resign)", "ok"]
    assert desk.say("validmoves") == lost
    assert desk.say("bestmove time 00:00:05") == lost
    assert desk.say("play wA1") == lost


def test_resign_ends_what_waits_for_the_opponent() -> None:
    desk = Desk().seated("Black")
    assert desk.say("bestmove time 00:00:05") == []
    assert desk.say("OPTIONS set resign TRUE") == []
    assert desk.to_server == ["forfeit"]
    assert desk.hear("Base;WhiteWins;White[1]", "end WhiteWins resign") == [
        *("err game over: you lose (resign)", "ok"),
        *("Resign;bool;True;False", "ok"),
    ]


def test_there_must_be_something_to_resign() -> None:
    desk = Desk()
    assert desk.say("options set Resign True") == ["err there is no remote game", "ok"]
    assert desk.say("options set Resign False") == ["Resign;bool;False;False", "ok"]
    desk.seated("White", "Base;WhiteWins;White[1]", "end WhiteWins timeout")
    assert desk.say("options set Resign True") == ["err game over: you win (timeout)", "ok"]
    assert desk.to_server == []


def test_the_console_shows_how_a_game_ended() -> None:
    desk = Desk().seated("White", "Base;WhiteWins;White[1]", "end WhiteWins timeout")
    assert desk.logged[-1] == "game over: you win (timeout)"


def test_a_hint_is_for_people() -> None:
    desk = Desk().seated("White")
    assert desk.say("bestmove depth 1")[0].startswith("err an engine may not play your colour")
    desk.tell(Rested())
    assert desk.say("bestmove depth 1") == []
    (search,) = desk.others
    assert isinstance(search, FindMove)
    assert desk.say("validmoves") == []
    answers = desk.tell(Found("wA1"))
    assert answers[:2] == ["wA1", "ok"]
    assert answers[2].startswith("wS1;")


def test_giving_up_waits_for_a_hint() -> None:
    """Our own engine has one command at a time."""
    desk = Desk().seated("White")
    desk.tell(Rested())
    assert desk.say("bestmove depth 1") == []
    assert desk.say("play FORFEIT enough") == []
    assert desk.to_server == []
    assert desk.tell(Found("wA1")) == ["wA1", "ok"]
    assert desk.to_server == ["forfeit enough"]
    forced = "Base;BlackWins;White[1]"
    assert desk.hear(forced, "end BlackWins resign") == [forced, "ok"]


def test_no_hints_in_rated_games() -> None:
    desk = Desk()
    desk.say("options set Rated True")
    desk.seated("White").tell(Rested())
    assert desk.say("bestmove depth 1") == ["err hints are disabled in rated games", "ok"]


def test_an_engine_may_play_where_the_operator_says_so() -> None:
    desk = Desk(is_engine=True).seated("White")
    assert desk.say("bestmove depth 1") == []
    assert desk.tell(Found("wA1")) == ["wA1", "ok"]


def test_another_game_is_looked_at_offline() -> None:
    desk = Desk().seated("White")
    desk.say("play wA1")
    desk.hear(ONE)
    elsewhere = "Base;InProgress;Black[1];wB1"
    assert desk.say(f"newgame {elsewhere}") == [elsewhere, "ok"]
    sent = list(desk.to_server)
    desk.say("play bB1 -wB1")
    assert desk.say("undo") == [elsewhere, "ok"]
    assert desk.hear(TWO) == []
    assert desk.to_server == sent
    assert desk.say(f"newgame {TWO}") == [TWO, "ok"]
    assert desk.say("undo")[0].startswith("err undo")


def test_our_own_engine_answers_in_its_own_time() -> None:
    desk = Desk()
    assert desk.say("play wA1")[0].startswith("err No game in progress")
    game = "Base;InProgress;Black[1];wB1"
    desk.say(f"newgame {game}")
    assert desk.tell(Interrupted()) == []
    assert desk.say("bestmove depth 2") == []
    assert desk.say("undo") == []
    assert desk.tell(Interrupted()) == []
    assert [type(other) for other in desk.others] == [FindMove, StopWork]
    assert desk.tell(Found("bB1 -wB1")) == ["bB1 -wB1", "ok", EMPTY, "ok"]


def test_a_lost_server_is_called_again_until_the_clock_ends() -> None:
    desk = Desk()
    desk.say("newgame Base")
    desk.hear("seat White game=g7Kd tc=60+0 resume=g7Kd:s", "clock 60000 60000", EMPTY, now=0)
    desk.tell(LinkLost("gone", 1000))
    assert desk.say("play wA1") == ["err reconnecting", "ok"]
    assert desk.say("bestmove depth 1")[0].startswith("err an engine may not")
    desk.tell(Rested())
    assert desk.say("play forfeit") == ["err reconnecting", "ok"]
    now = 1000
    for _ in range(20):
        now += desk.dialled[-1].pause_ms
        desk.tell(LinkLost("refused", now))
    pauses = [one.pause_ms for one in desk.dialled[1:]]
    assert pauses == [1000, 2000, 4000, 8000, 16000, 28000]
    assert desk.dialled[-1].words == {"role": "seat", "clock": "1", "secret": "1", "resume": "g7Kd:s"}
    assert desk.say("play wA1") == ["err game over: the server is lost (refused)", "ok"]


def test_what_was_under_way_is_taken_up_again() -> None:
    desk = Desk().seated("White")
    desk.say("play wA1")
    desk.tell(LinkLost("gone", 0))
    assert desk.hear("ok", "seat White game=g7Kd tc=- resume=g7Kd:s", EMPTY) == []
    assert desk.to_server == ["wA1", "wA1"]
    desk.tell(LinkLost("gone", 0))
    assert desk.hear("ok", "seat White game=g7Kd tc=- resume=g7Kd:s", TWO) == [ONE, "ok"]
    assert desk.to_server == ["wA1", "wA1"]
    assert desk.say("bestmove depth 1") == ["bB1 -wA1", "ok"]


def test_who_loses_its_seat_to_another_connection_does_not_take_it_back() -> None:
    desk = Desk().seated("White")
    desk.hear("err another connection has taken this seat")
    dialled = len(desk.dialled)
    desk.tell(LinkLost("closed", 0))
    assert len(desk.dialled) == dialled
    assert desk.say("play wA1") == ["err game over: another connection has taken this seat", "ok"]
    assert desk.say("newgame Base") == []
    assert "resume" not in desk.dialled[-1].words


def test_what_the_viewer_cannot_set_is_said_for_it() -> None:
    desk = Desk(with_bot=True)
    desk.say("newgame Base")
    assert desk.dialled[0].words["vs"] == "bot:easy"


def test_a_server_that_is_not_there_is_told_at_once() -> None:
    desk = Desk()
    desk.say("newgame Base")
    assert desk.tell(LinkLost("cannot connect", 0)) == ["err cannot connect", "ok"]
    desk.say("newgame Base")
    assert desk.hear("err this server plays no Hive") == ["err this server plays no Hive", "ok"]


def test_a_game_is_taken_up_after_a_new_start() -> None:
    desk = Desk({"resume": "g7Kd:s"})
    desk.say("newgame Base")
    assert desk.dialled[0].words["resume"] == "g7Kd:s"
    assert desk.hear("seat White game=g7Kd tc=- resume=g7Kd:s", TWO) == [TWO, "ok"]


@pytest.mark.parametrize("place", [{"token": "s"}, {"token": "s", "game": "g7Kd"}])
def test_a_game_is_entered_by_a_token_as_it_stands(place: dict[str, str]) -> None:
    desk = Desk(place, with_bot=True)
    desk.say("newgame Base")
    assert place.items() <= desk.dialled[0].words.items()
    assert desk.hear("seat White game=g7Kd tc=- resume=g7Kd:s", TWO) == [TWO, "ok"]
    assert desk.say("play wA1")[0].startswith("invalidmove ")
    assert desk.to_server == []
    assert desk.say("play wB1 wA1-") == []
    assert desk.hear(THREE) == [THREE, "ok"]
    desk.hear("end BlackWins timeout")
    desk.say("newgame Base")
    assert desk.dialled[1].words["vs"] == "bot:easy"
    assert place.keys().isdisjoint(desk.dialled[1].words)


def test_an_open_seat_is_taken_at_the_beginning() -> None:
    desk = Desk({"game": "g7Kd"})
    desk.say("newgame Base")
    assert desk.dialled[0].words["game"] == "g7Kd"
    assert desk.hear("seat Black game=g7Kd tc=- resume=g7Kd:s", ONE) == [EMPTY, "ok"]
    assert desk.say("bestmove depth 1") == ["wA1", "ok"]


def test_the_next_game_comes_after_the_last_one() -> None:
    desk = Desk().seated("White")
    desk.hear("Base;WhiteWins;White[1]", "end WhiteWins resign")
    assert desk.say("newgame Base") == []
    assert "resume" not in desk.dialled[-1].words
    assert desk.hear("seat Black game=g8 tc=-", EMPTY) == [EMPTY, "ok"]


def test_lines_that_come_too_soon_wait() -> None:
    desk = Desk().seated("White")
    desk.say("play wA1")
    desk.say("bestmove depth 1")
    desk.say("info")
    assert desk.hear(ONE) == [ONE, "ok"]
    assert desk.hear(TWO) == ["bB1 -wA1", "ok", *BANNER]


def test_giving_up_is_answered_once_for_each_time() -> None:
    desk = Desk().seated("White")
    desk.say("play wA1")
    desk.hear(ONE)
    desk.say("bestmove depth 1")
    assert [desk.say("play forfeit"), desk.say("play forfeit")] == [[], []]
    assert desk.tell(Interrupted()) == ["err still waiting for opponent", "ok"]
    assert desk.say("info") == []
    over = ONE.replace("InProgress", "BlackWins")
    lost = ["err game over: you lose (resign)", "ok"]
    assert desk.hear(over, "end BlackWins resign") == [over, "ok", *lost, *BANNER]
    assert desk.to_server == ["wA1", "forfeit"]


def test_a_line_that_is_too_long_is_answered_in_its_turn() -> None:
    (long,) = split_message("x" * 20_000)
    assert isinstance(long, LineTooLong)
    refusal = ["err line too long", "ok"]
    desk = Desk()
    assert desk.say(long) == refusal
    desk.seated("White")
    assert desk.say(long) == refusal
    desk.say("play wA1")
    assert [desk.say(long), desk.say("info")] == [[], []]
    assert desk.hear(ONE) == [ONE, "ok", *refusal, *BANNER]
    game = "Base;InProgress;Black[1];wB1"
    desk.say(f"newgame {game}")
    assert desk.say("bestmove depth 1") == []
    assert desk.say(long) == []
    assert desk.tell(Found("bB1 -wB1")) == ["bB1 -wB1", "ok", *refusal]


@pytest.mark.parametrize("ending", ["exit", "the end of the input"])
def test_everything_that_was_sent_is_answered_before_the_end(ending: str) -> None:
    desk = Desk()
    for line in (
        "newgame Base",
        "play wA1",
        "newgame Base;NotStarted;White[1];wB1",
        "bestmove depth 2",
        "info",
    ):
        assert desk.say(line) == []
    assert leave(desk, ending) == (LAST_MS if ending != "exit" else EXIT_MS)
    assert desk.say("info") == []
    assert desk.hear("seat White game=g7Kd tc=- resume=g7Kd:s", EMPTY) == [EMPTY, "ok"]
    offline = "Base;InProgress;Black[1];wB1"
    assert desk.hear(ONE) == [ONE, "ok", offline, "ok"]
    assert isinstance(desk.others.pop(), FindMove)
    assert desk.tell(Found("bB1 -wB1")) == ["bB1 -wB1", "ok", *BANNER]
    assert [type(other) for other in desk.others] == [Exit]


def leave(desk: Desk, ending: str) -> int:
    """The viewer sends nothing more; how long others are awaited, in milliseconds."""
    assert (desk.say("exit") if ending == "exit" else desk.tell(ViewerGone())) == []
    waiting = desk.others.pop()
    assert isinstance(waiting, Await)
    return waiting.ms


def test_nobody_is_awaited_for_ever_after_the_end_of_the_input() -> None:
    waiting = ["err still waiting for opponent", "ok"]
    desk = Desk()
    for line in ("newgame Base", "bestmove depth 1", "info", "newgame Base"):
        assert desk.say(line) == []
    leave(desk, "the end of the input")
    assert desk.tell(PatienceOver()) == [*waiting, *waiting, *BANNER, *waiting]
    assert [type(other) for other in desk.others] == [Exit]


def test_a_server_that_does_not_answer_is_not_awaited_either() -> None:
    desk = Desk().seated("White")
    assert [desk.say("play wA1"), desk.say("play forfeit"), desk.say("info")] == [[], [], []]
    leave(desk, "the end of the input")
    refusal = ["err the server has not answered", "ok"]
    assert desk.tell(PatienceOver()) == [*refusal, *refusal, *BANNER]
    desk = Desk().seated("White")
    desk.say("play wA1")
    leave(desk, "the end of the input")
    assert desk.tell(LinkLost("gone", 0)) == []
    assert desk.tell(PatienceOver()) == ["err reconnecting", "ok"]
    assert [type(other) for other in desk.others] == [Exit]


def test_a_server_that_is_not_there_is_told_to_all_who_have_asked() -> None:
    desk = Desk()
    assert [desk.say("newgame Base"), desk.say("info")] == [[], []]
    leave(desk, "the end of the input")
    assert desk.tell(LinkLost("cannot connect", 0)) == ["err cannot connect", "ok", *BANNER]
    assert [type(other) for other in desk.others] == [Exit]


def test_who_is_not_heard_leaves_at_once() -> None:
    desk = Desk()
    assert [desk.say("newgame Base"), desk.say("info")] == [[], []]
    leave(desk, "the end of the input")
    assert desk.tell(Unread()) == []
    assert [type(other) for other in desk.others] == [Exit]


@pytest.mark.parametrize("event", [None, ViewerGone()])
def test_leaving(event: Event | None) -> None:
    desk = Desk().seated("White")
    if event is None:
        desk.say("exit")
    else:
        desk.tell(event)
    assert [type(other) for other in desk.others] == [Await, Exit]


def test_forced_pass() -> None:
    moves: Sequence[str] = (
        "wB1",
        "bM wB1/",
        "wQ -wB1",
        r"bQ \bM",
        r"wP \wQ",
        "bQ -bM",
        "wB1 bM",
    )
    game = ";".join(("Base+MLP;InProgress;Black[4]", *moves))
    desk = Desk({"resume": "g:s"})
    desk.say("newgame Base+MLP")
    assert desk.hear("seat Black game=g tc=- resume=g:s", game) == [game, "ok"]
    assert desk.say("validmoves") == ["pass", "ok"]
    assert desk.say("pass") == []
    assert desk.to_server == ["pass"]
    passed = ";".join(("Base+MLP;InProgress;White[5]", *moves, "pass"))
    assert desk.hear(passed) == [passed, "ok"]


def test_a_game_by_other_rules_is_not_played() -> None:
    """A Queen may come first in a game that was set up so, and no viewer knows that."""
    desk = Desk()
    assert desk.say("newgame Base") == []
    (why, ok) = desk.hear("ok", "seat Black game=g7Kd tc=-", "Base;InProgress;Black[1];wQ")
    assert why.startswith('err Unable to play "wQ" at ply 0: ')
    assert ok == "ok"
    desk = Desk().seated("White")
    assert desk.hear("Base;InProgress;Black[1];wQ") == []
    assert desk.say("validmoves")[0].startswith('err game over: Unable to play "wQ" at ply 0: ')
