"""The bridge between a UHP 1.0 viewer and a seat at a server."""

from collections.abc import Sequence

import pytest

from protocols.uhp.bridge.effects import (
    LinkLost,
    PauseEnded,
)
from protocols.uhp.engine_work import FindMove, Found, Interrupted, StopWork
from tests.protocols.uhp.bridge_bench import EMPTY, ONE, THREE, TWO, BridgeBench


def test_newgame_waits_for_an_opponent_and_shows_an_empty_game() -> None:
    bench = BridgeBench()
    assert bench.say("options set Seat black") == ["Seat;enum;Black;Any;Any;White;Black", "ok"]
    bench.say("options set Seconds 60")
    bench.say("options set Increment 1")
    assert bench.say("newgame Base") == []
    (dialled,) = bench.dialled
    assert dialled.server == "http://here"
    assert dialled.words == {
        "role": "seat",
        "clock": "1",
        "secret": "1",
        "type": "Base",
        "color": "black",
        "tc": "60+1",
    }
    assert bench.hear("seat Black game=g7Kd tc=60+1 resume=g7Kd:s") == []
    assert bench.hear("clock 60000 60000", EMPTY) == [EMPTY, "ok"]
    assert bench.hear(ONE) == []
    assert bench.say("options get RemoteSeat") == ["RemoteSeat;enum;Black;White;White;Black", "ok"]
    assert bench.say("bestmove time 00:00:05") == ["wA1", "ok"]
    assert bench.say("play wA1") == [ONE, "ok"]


def test_the_viewer_may_name_any_server_but_not_its_seat() -> None:
    bench = BridgeBench()
    assert bench.say("options")[0] == "Server;enum;http://here;http://here;http://here"
    two = "Server;enum;http://There;http://here;http://here;http://There"
    assert bench.say("options set server http://There") == [two, "ok"]
    assert bench.say("options set RemoteSeat Black") == ["err RemoteSeat cannot be set.", "ok"]
    assert bench.say("options get Threads")[0].startswith('err There is no option "Threads"')
    bench.say("newgame Base")
    assert bench.dialled[0].server == "http://There"


def test_a_game_as_white() -> None:
    bench = BridgeBench().seated("White")
    assert bench.say("validmoves")[0].split(";") == ["wS1", "wB1", "wG1", "wA1"]
    assert bench.say("play wA1") == []
    assert bench.to_server == ["wA1"]
    assert bench.hear(ONE) == [ONE, "ok"]
    assert bench.say("bestmove depth 2") == []
    assert bench.hear(TWO) == ["bB1 -wA1", "ok"]
    assert bench.say("play bB1 -wA1") == [TWO, "ok"]
    assert bench.say("play wB1 wA1-") == []
    assert bench.hear(THREE) == [THREE, "ok"]


def test_the_opponents_move_is_compared_as_a_position() -> None:
    bench = BridgeBench().seated("White")
    bench.say("play wA1")
    bench.hear(ONE, TWO)
    assert bench.say("play bB1 wA1-")[0].startswith("err ")
    assert bench.say("play  BB1   -wa1") == [TWO, "ok"]


def test_illegal_moves_are_not_sent() -> None:
    bench = BridgeBench().seated("White")
    assert bench.say("play wQ")[0].startswith("invalidmove ")
    assert bench.say("pass")[0].startswith("invalidmove ")
    assert bench.to_server == []
    bench.say("play wA1")
    assert bench.hear("invalidmove no") == ["invalidmove no", "ok"]


def test_undo_is_refused() -> None:
    assert BridgeBench().seated("White").say("undo") == ["err undo is not possible in a remote game", "ok"]


def test_an_interrupt_ends_the_command_and_keeps_the_game() -> None:
    bench = BridgeBench()
    waiting = ["err still waiting for opponent", "ok"]
    bench.say("newgame Base")
    assert bench.tell(Interrupted()) == waiting
    assert bench.say("newgame Base") == []
    assert len(bench.dialled) == 1
    bench.hear("seat White game=g7Kd tc=-", EMPTY)
    bench.say("play wA1")
    bench.hear(ONE)
    bench.say("bestmove time 00:00:01")
    assert bench.tell(Interrupted()) == waiting
    assert bench.hear(TWO) == []
    assert bench.say("bestmove time 00:00:01") == ["bB1 -wA1", "ok"]


def test_the_next_newgame_shows_an_opponent_who_has_come_meanwhile() -> None:
    bench = BridgeBench()
    bench.say("newgame Base")
    bench.tell(Interrupted())
    assert bench.hear("seat Black game=g7Kd tc=-", EMPTY, ONE) == []
    assert bench.say("newgame Base") == [EMPTY, "ok"]
    assert bench.say("newgame Base") == ["err finish or forfeit the remote game first", "ok"]
    assert bench.say("bestmove depth 1") == ["wA1", "ok"]


@pytest.mark.parametrize("ending", ["WhiteWins timeout", "WhiteWins resign"])
def test_a_forfeit_ends_the_wait(ending: str) -> None:
    bench = BridgeBench().seated("White")
    bench.say("play wA1")
    bench.hear(ONE)
    bench.say("bestmove time 00:00:01")
    assert bench.hear("Base;WhiteWins;Black[1];wA1") == []
    verdict = [f"err game over: you win ({ending.split()[1]})", "ok"]
    assert bench.hear(f"end {ending}") == verdict
    for command in ("bestmove depth 1", "play bA1 -wA1", "validmoves", "play forfeit"):
        assert bench.say(command) == verdict


def test_our_timeout_is_reported() -> None:
    bench = BridgeBench().seated("White")
    bench.say("play wA1")
    assert bench.hear("Base;BlackWins;White[1]", "end BlackWins timeout") == [
        "err game over: you lose (timeout)",
        "ok",
    ]


def test_the_last_move_is_shown_before_the_end() -> None:
    bench = BridgeBench().seated("White")
    bench.say("play wA1")
    bench.hear(ONE)
    bench.say("bestmove depth 1")
    over = TWO.replace("InProgress", "Draw")
    assert bench.hear(over, "end Draw repetition") == ["bB1 -wA1", "ok"]
    assert bench.say("play bB1 -wA1") == [over, "ok"]
    assert bench.say("bestmove depth 1") == ["err game over: draw (repetition)", "ok"]


def test_a_forfeit_while_waiting_answers_both_commands() -> None:
    bench = BridgeBench().seated("White")
    bench.say("play wA1")
    bench.hear(ONE)
    bench.say("bestmove depth 1")
    assert bench.say("play forfeit had enough") == []
    assert bench.to_server[-1] == "forfeit had enough"
    over = ONE.replace("InProgress", "BlackWins")
    assert bench.hear(over, "end BlackWins resign") == [
        "err game over: you lose (resign)",
        "ok",
        over,
        "ok",
    ]


def test_resigning_by_option() -> None:
    bench = BridgeBench().seated("White")
    assert bench.say("options set Resign True") == []
    assert bench.to_server == ["forfeit"]
    assert bench.say("validmoves") == [], "the game is over when the server says so"
    assert bench.hear("Base;BlackWins;White[1]", "end BlackWins resign") == [
        *("Resign;bool;True;False", "ok"),
        *("err game over: you lose (resign)", "ok"),
    ]
    assert bench.say("options get Resign") == ["Resign;bool;False;False", "ok"]


def test_no_moves_are_shown_after_our_resignation() -> None:
    bench = BridgeBench().seated("Black", ONE)
    assert bench.say("bestmove time 00:00:05") == ["wA1", "ok"]
    assert bench.say("options set Resign True") == []
    bench.hear("Base;WhiteWins;Black[1];wA1", "end WhiteWins resign")
    lost = ["err game over: you lose (resign)", "ok"]
    assert bench.say("validmoves") == lost
    assert bench.say("bestmove time 00:00:05") == lost
    assert bench.say("play wA1") == lost


def test_resigning_ends_commands_that_wait_for_the_opponent() -> None:
    bench = BridgeBench().seated("Black")
    assert bench.say("bestmove time 00:00:05") == []
    assert bench.say("OPTIONS set resign TRUE") == []
    assert bench.to_server == ["forfeit"]
    assert bench.hear("Base;WhiteWins;White[1]", "end WhiteWins resign") == [
        *("err game over: you lose (resign)", "ok"),
        *("Resign;bool;True;False", "ok"),
    ]


def test_resigning_requires_a_running_game() -> None:
    bench = BridgeBench()
    assert bench.say("options set Resign True") == ["err there is no remote game", "ok"]
    assert bench.say("options set Resign False") == ["Resign;bool;False;False", "ok"]
    bench.seated("White", "Base;WhiteWins;White[1]", "end WhiteWins timeout")
    assert bench.say("options set Resign True") == ["err game over: you win (timeout)", "ok"]
    assert bench.to_server == []


def test_the_console_shows_how_a_game_ended() -> None:
    bench = BridgeBench().seated("White", "Base;WhiteWins;White[1]", "end WhiteWins timeout")
    assert bench.logged[-1] == "game over: you win (timeout)"


def test_hints_are_for_people() -> None:
    bench = BridgeBench().seated("White")
    assert bench.say("bestmove depth 1")[0].startswith("err an engine may not play your colour")
    bench.tell(PauseEnded())
    assert bench.say("bestmove depth 1") == []
    (search,) = bench.others
    assert isinstance(search, FindMove)
    assert bench.say("validmoves") == []
    answers = bench.tell(Found("wA1"))
    assert answers[:2] == ["wA1", "ok"]
    assert answers[2].startswith("wS1;")


def test_resigning_waits_for_a_hint() -> None:
    """The local engine has one command at a time."""
    bench = BridgeBench().seated("White")
    bench.tell(PauseEnded())
    assert bench.say("bestmove depth 1") == []
    assert bench.say("play FORFEIT enough") == []
    assert bench.to_server == []
    assert bench.tell(Found("wA1")) == ["wA1", "ok"]
    assert bench.to_server == ["forfeit enough"]
    forced = "Base;BlackWins;White[1]"
    assert bench.hear(forced, "end BlackWins resign") == [forced, "ok"]


def test_no_hints_in_rated_games() -> None:
    bench = BridgeBench()
    bench.say("options set Rated True")
    bench.seated("White").tell(PauseEnded())
    assert bench.say("bestmove depth 1") == ["err hints are disabled in rated games", "ok"]


def test_an_engine_may_play_if_the_operator_allows_it() -> None:
    bench = BridgeBench(is_engine=True).seated("White")
    assert bench.say("bestmove depth 1") == []
    assert bench.tell(Found("wA1")) == ["wA1", "ok"]


def test_another_game_is_shown_offline() -> None:
    bench = BridgeBench().seated("White")
    bench.say("play wA1")
    bench.hear(ONE)
    elsewhere = "Base;InProgress;Black[1];wB1"
    assert bench.say(f"newgame {elsewhere}") == [elsewhere, "ok"]
    sent = list(bench.to_server)
    bench.say("play bB1 -wB1")
    assert bench.say("undo") == [elsewhere, "ok"]
    assert bench.hear(TWO) == []
    assert bench.to_server == sent
    assert bench.say(f"newgame {TWO}") == [TWO, "ok"]
    assert bench.say("undo")[0].startswith("err undo")


def test_commands_wait_for_the_local_engine() -> None:
    bench = BridgeBench()
    assert bench.say("play wA1")[0].startswith("err No game in progress")
    game = "Base;InProgress;Black[1];wB1"
    bench.say(f"newgame {game}")
    assert bench.tell(Interrupted()) == []
    assert bench.say("bestmove depth 2") == []
    assert bench.say("undo") == []
    assert bench.tell(Interrupted()) == []
    assert [type(other) for other in bench.others] == [FindMove, StopWork]
    assert bench.tell(Found("bB1 -wB1")) == ["bB1 -wB1", "ok", EMPTY, "ok"]


def test_the_bridge_reconnects_until_the_clock_runs_out() -> None:
    bench = BridgeBench()
    bench.say("newgame Base")
    bench.hear("seat White game=g7Kd tc=60+0 resume=g7Kd:s", "clock 60000 60000", EMPTY, now=0)
    bench.tell(LinkLost("gone", 1000))
    assert bench.say("play wA1") == ["err reconnecting", "ok"]
    assert bench.say("bestmove depth 1")[0].startswith("err an engine may not")
    bench.tell(PauseEnded())
    assert bench.say("play forfeit") == ["err reconnecting", "ok"]
    now = 1000
    for _ in range(20):
        now += bench.dialled[-1].pause_ms
        bench.tell(LinkLost("refused", now))
    pauses = [one.pause_ms for one in bench.dialled[1:]]
    assert pauses == [1000, 2000, 4000, 8000, 16000, 28000]
    assert bench.dialled[-1].words == {"role": "seat", "clock": "1", "secret": "1", "resume": "g7Kd:s"}
    assert bench.say("play wA1") == ["err game over: the server is lost (refused)", "ok"]


def test_commands_continue_after_a_reconnection() -> None:
    bench = BridgeBench().seated("White")
    bench.say("play wA1")
    bench.tell(LinkLost("gone", 0))
    assert bench.hear("ok", "seat White game=g7Kd tc=- resume=g7Kd:s", EMPTY) == []
    assert bench.to_server == ["wA1", "wA1"]
    bench.tell(LinkLost("gone", 0))
    assert bench.hear("ok", "seat White game=g7Kd tc=- resume=g7Kd:s", TWO) == [ONE, "ok"]
    assert bench.to_server == ["wA1", "wA1"]
    assert bench.say("bestmove depth 1") == ["bB1 -wA1", "ok"]


def test_a_replaced_connection_does_not_reconnect() -> None:
    bench = BridgeBench().seated("White")
    bench.hear("err another connection has taken this seat")
    dialled = len(bench.dialled)
    bench.tell(LinkLost("closed", 0))
    assert len(bench.dialled) == dialled
    assert bench.say("play wA1") == ["err game over: another connection has taken this seat", "ok"]
    assert bench.say("newgame Base") == []
    assert "resume" not in bench.dialled[-1].words


def test_handshake_parameters_that_the_viewer_cannot_set() -> None:
    bench = BridgeBench(with_bot=True)
    bench.say("newgame Base")
    assert bench.dialled[0].words["vs"] == "bot:easy"


def test_an_unreachable_server_is_reported_at_once() -> None:
    bench = BridgeBench()
    bench.say("newgame Base")
    assert bench.tell(LinkLost("cannot connect", 0)) == ["err cannot connect", "ok"]
    bench.say("newgame Base")
    assert bench.hear("err this server plays no Hive") == ["err this server plays no Hive", "ok"]


def test_a_restarted_bridge_resumes_a_game() -> None:
    bench = BridgeBench({"resume": "g7Kd:s"})
    bench.say("newgame Base")
    assert bench.dialled[0].words["resume"] == "g7Kd:s"
    assert bench.hear("seat White game=g7Kd tc=- resume=g7Kd:s", TWO) == [TWO, "ok"]


@pytest.mark.parametrize("place", [{"token": "s"}, {"token": "s", "game": "g7Kd"}])
def test_a_token_joins_a_game_at_its_current_position(place: dict[str, str]) -> None:
    bench = BridgeBench(place, with_bot=True)
    bench.say("newgame Base")
    assert place.items() <= bench.dialled[0].words.items()
    assert bench.hear("seat White game=g7Kd tc=- resume=g7Kd:s", TWO) == [TWO, "ok"]
    assert bench.say("play wA1")[0].startswith("invalidmove ")
    assert bench.to_server == []
    assert bench.say("play wB1 wA1-") == []
    assert bench.hear(THREE) == [THREE, "ok"]
    bench.hear("end BlackWins timeout")
    bench.say("newgame Base")
    assert bench.dialled[1].words["vs"] == "bot:easy"
    assert place.keys().isdisjoint(bench.dialled[1].words)


def test_an_open_seat_shows_the_game_from_the_start() -> None:
    bench = BridgeBench({"game": "g7Kd"})
    bench.say("newgame Base")
    assert bench.dialled[0].words["game"] == "g7Kd"
    assert bench.hear("seat Black game=g7Kd tc=- resume=g7Kd:s", ONE) == [EMPTY, "ok"]
    assert bench.say("bestmove depth 1") == ["wA1", "ok"]


def test_the_next_game_comes_after_the_last_one() -> None:
    bench = BridgeBench().seated("White")
    bench.hear("Base;WhiteWins;White[1]", "end WhiteWins resign")
    assert bench.say("newgame Base") == []
    assert "resume" not in bench.dialled[-1].words
    assert bench.hear("seat Black game=g8 tc=-", EMPTY) == [EMPTY, "ok"]


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
    bench = BridgeBench({"resume": "g:s"})
    bench.say("newgame Base+MLP")
    assert bench.hear("seat Black game=g tc=- resume=g:s", game) == [game, "ok"]
    assert bench.say("validmoves") == ["pass", "ok"]
    assert bench.say("pass") == []
    assert bench.to_server == ["pass"]
    passed = ";".join(("Base+MLP;InProgress;White[5]", *moves, "pass"))
    assert bench.hear(passed) == [passed, "ok"]


def test_a_game_with_other_rules_is_refused() -> None:
    """A game may allow the Queen as the first piece, which viewers do not support."""
    bench = BridgeBench()
    assert bench.say("newgame Base") == []
    (why, ok) = bench.hear("ok", "seat Black game=g7Kd tc=-", "Base;InProgress;Black[1];wQ")
    assert why.startswith('err Unable to play "wQ" at ply 0: ')
    assert ok == "ok"
    bench = BridgeBench().seated("White")
    assert bench.hear("Base;InProgress;Black[1];wQ") == []
    assert bench.say("validmoves")[0].startswith('err game over: Unable to play "wQ" at ply 0: ')
