"""The server as an engine with a remote opponent: which commands wait, and the order of answers."""

from dataclasses import replace

import pytest

from protocols.session import Close, Effect, FrameLost, Send
from protocols.uhp.engine import Product
from protocols.uhp.remote.command_queue import MAX_QUEUED
from protocols.uhp.remote.effects import (
    GiveUp,
    NotSeated,
    PlayMove,
    RefusedByGame,
    Seated,
    Seek,
    TableChanged,
)
from protocols.uhp.remote.seek_criteria import SeekCriteria
from protocols.uhp.remote.viewer_seat import ViewerSeatSession
from protocols.values import Status, Table
from tests.protocols.uhp.tables import GAME, aborted, over, table

EMPTY = "Base;NotStarted;White[1]"
ONE = "Base;InProgress;Black[1];wA1"
TWO = "Base;InProgress;White[2];wA1;bA1 -wA1"


def guest() -> ViewerSeatSession:
    return ViewerSeatSession(Product("Plyhouse v9", ()), SeekCriteria("Base"))


def playing(seat: int = 0, *moves: str) -> ViewerSeatSession:
    """A guest whose turn it is."""
    session = guest()
    assert session.receive("newgame remote") == [Seek(SeekCriteria("Base"))]
    session.notify(Seated(seat, GAME, "s"))
    session.notify(TableChanged(table(*moves)))
    return session


def waiting() -> ViewerSeatSession:
    """A guest waiting for the opponent after its move."""
    session = playing()
    assert session.receive("play wA1") == [PlayMove("wA1")]
    assert session.notify(TableChanged(table("wA1"))) == [Send(ONE)]
    return session


def said(effects: list[Effect]) -> list[str]:
    return [effect.text for effect in effects if isinstance(effect, Send)]


def test_black_is_shown_the_game_with_its_first_move() -> None:
    session = guest()
    session.receive("newgame remote")
    session.notify(Seated(1, GAME, "s"))
    assert session.notify(TableChanged(replace(table(), status=Status.OPEN, to_act=()))) == []
    assert session.notify(TableChanged(replace(table(), seq=11))) == []
    assert said(session.notify(TableChanged(table("wA1")))) == [f"{ONE}\nok"]


def test_the_opponents_move_ends_a_play() -> None:
    session = waiting()
    assert said(session.notify(TableChanged(table("wA1", "bA1 -wA1")))) == [f"bA1 -wA1\n{TWO}\nok"]


def test_both_plies_may_come_at_once() -> None:
    session = playing()
    session.receive("play wA1")
    assert said(session.notify(TableChanged(table("wA1", "bA1 -wA1")))) == [ONE, f"bA1 -wA1\n{TWO}\nok"]


@pytest.mark.parametrize(
    ("last", "answer"),
    [
        (over(table("wA1"), "timeout", 0), "forfeit timeout\nBase;WhiteWins;Black[1];wA1\nok"),
        (over(table("wA1"), "resignation", 0), "forfeit resign\nBase;WhiteWins;Black[1];wA1\nok"),
        (over(table("wA1"), "draw-agreement"), "forfeit agreement\nBase;Draw;Black[1];wA1\nok"),
        (aborted(table("wA1")), f"forfeit abort\n{ONE}\nok"),
    ],
)
def test_the_end_of_the_game_ends_a_play(last: Table, answer: str) -> None:
    session = waiting()
    assert said(session.notify(TableChanged(last))) == [answer]
    assert said(session.receive("validmoves"))[0].startswith("err game over: ")


def test_commands_wait_for_the_current_one() -> None:
    session = waiting()
    assert session.receive("options get RemoteSeat") == []
    assert session.receive("play wB1 wA1-") == []
    out = session.notify(TableChanged(table("wA1", "bA1 -wA1")))
    assert said(out) == [f"bA1 -wA1\n{TWO}\nok", "RemoteSeat;enum;White;White;White;Black\nok"]
    assert out[-1] == PlayMove("wB1 wA1-")


def test_too_many_commands_are_a_flood() -> None:
    session = waiting()
    for _ in range(MAX_QUEUED):
        assert session.receive("validmoves") == []
    assert isinstance(session.receive("validmoves")[-1], Close)


def test_keepalives_are_allowed_during_any_wait() -> None:
    session = waiting()
    for _ in range(100):
        assert session.receive("info") == []
    session.receive("validmoves")
    play, infos, moves = said(session.notify(TableChanged(table("wA1", "bA1 -wA1"))))
    assert play == f"bA1 -wA1\n{TWO}\nok"
    assert infos.split("\n") == ["id Plyhouse v9", "Mosquito;Ladybug;Pillbug;Remote", "ok"] * 100
    assert moves.endswith("\nok")


def test_an_unreadable_line_is_answered_in_order() -> None:
    session = waiting()
    session.receive("options get RemoteSeat")
    assert session.notify(FrameLost("line too long")) == []
    assert said(session.notify(TableChanged(table("wA1", "bA1 -wA1")))) == [
        f"bA1 -wA1\n{TWO}\nok",
        "RemoteSeat;enum;White;White;White;Black\nok",
        "err line too long\nok",
    ]


def test_a_forfeit_while_seeking_does_not_apply_to_the_game_found() -> None:
    session = guest()
    session.receive("newgame remote")
    assert session.receive("play forfeit") == []
    session.notify(Seated(0, GAME, "s"))
    effects = session.notify(TableChanged(table()))
    assert said(effects) == [
        f"{EMPTY}\nok",
        "err No game in progress. Try 'newgame' to start a new game.\nok",
    ]
    assert len(effects) == 2
    assert session.receive("play wA1") == [PlayMove("wA1")]


def test_a_forfeit_may_cross_the_end_of_an_unseen_game() -> None:
    session = guest()
    session.receive("newgame remote")
    session.notify(Seated(1, GAME, "s"))
    session.notify(TableChanged(table()))
    assert session.receive("play forfeit") == [GiveUp("resignation")]
    assert said(session.notify(TableChanged(aborted(table())))) == [
        "err no opponent\nok",
        "err No game in progress. Try 'newgame' to start a new game.\nok",
    ]
    assert session.notify(RefusedByGame("finished", "The game is over.")) == []


def test_a_takeback_to_the_viewers_turn_ends_a_play() -> None:
    session = waiting()
    session.receive("play wB1 wA1-")
    effects = session.notify(TableChanged(replace(table(), seq=30)))
    assert said(effects) == [f"{EMPTY}\nok"]
    assert effects[-1] == PlayMove("wB1 wA1-")
    assert session.notify(RefusedByGame("illegal-move", "No.", 1)) == [Send("invalidmove No.\nok")]
    assert session.receive("play wG1") == [PlayMove("wG1")]


def test_a_takeback_to_the_opponents_turn_waits_for_its_move() -> None:
    session = playing(1, "wA1")
    session.receive("play bA1 -wA1")
    session.notify(TableChanged(table("wA1", "bA1 -wA1")))
    assert session.notify(TableChanged(replace(table(), seq=40))) == []
    again = replace(table("wG1"), seq=41)
    assert said(session.notify(TableChanged(again))) == ["wG1\nBase;InProgress;Black[1];wG1\nok"]


def taken_back() -> ViewerSeatSession:
    """A guest whose turn was ended by a takeback while no command was running."""
    session = waiting()
    session.notify(TableChanged(table("wA1", "bA1 -wA1")))
    assert session.notify(TableChanged(replace(table("wA1"), seq=40))) == []
    return session


@pytest.mark.parametrize("command", ["play wB1 wA1-", "pass"])
def test_a_move_on_the_opponents_turn_is_refused_and_waits_for_the_opponent(command: str) -> None:
    session = taken_back()
    assert said(session.receive("validmoves"))[0].startswith("bS1 ")
    assert session.receive(command) == [Send(f"err It is not your turn.\n{ONE}")]
    assert session.receive("validmoves") == []
    answer, moves = said(session.notify(TableChanged(replace(table("wA1", "bA1 -wA1"), seq=41))))
    assert answer == f"bA1 -wA1\n{TWO}\nok"
    assert moves.startswith("wQ wA1/;")
    assert session.receive("play wB1 wA1-") == [PlayMove("wB1 wA1-")]


def test_a_refused_move_that_waits_ends_like_any_other() -> None:
    session = taken_back()
    session.receive("play wB1 wA1-")
    assert said(session.notify(TableChanged(replace(table(), seq=41)))) == [f"{EMPTY}\nok"]
    session = taken_back()
    session.receive("play wB1 wA1-")
    ended = replace(over(table("wA1"), "timeout", 0), seq=41)
    assert said(session.notify(TableChanged(ended))) == ["forfeit timeout\nBase;WhiteWins;Black[1];wA1\nok"]
    session = taken_back()
    session.receive("play wB1 wA1-")
    assert session.receive("play forfeit") == [GiveUp("resignation")]


def test_a_move_that_crosses_a_takeback_waits_as_well() -> None:
    session = waiting()
    session.notify(TableChanged(table("wA1", "bA1 -wA1")))
    assert session.receive("play wB1 wA1-") == [PlayMove("wB1 wA1-")]
    assert session.notify(TableChanged(replace(table("wA1"), seq=40))) == []
    refusal = RefusedByGame("not-your-turn", "It is not your turn.")
    assert session.notify(refusal) == [Send(f"err It is not your turn.\n{ONE}")]


def test_a_move_made_elsewhere_waits_for_the_opponents() -> None:
    session = playing()
    assert session.notify(TableChanged(table("wA1"))) == []
    assert session.receive("play wS1") == [Send(f"err It is not your turn.\n{ONE}")]
    assert said(session.notify(TableChanged(table("wA1", "bA1 -wA1")))) == [f"bA1 -wA1\n{TWO}\nok"]


def test_a_forfeit_ends_a_waiting_play_first() -> None:
    session = waiting()
    assert session.receive("play forfeit no time") == [GiveUp("resignation", "no time")]
    lost = "Base;BlackWins;Black[1];wA1\nok"
    assert said(session.notify(TableChanged(over(table("wA1"), "resignation", 1)))) == [lost, lost]


def test_a_forfeit_is_too_late_after_the_opponent_has_lost() -> None:
    session = waiting()
    session.receive("play forfeit")
    assert said(session.notify(TableChanged(over(table("wA1"), "timeout", 0)))) == [
        "forfeit timeout\nBase;WhiteWins;Black[1];wA1\nok",
        "err game over: WhiteWins (timeout)\nok",
    ]
    assert session.notify(RefusedByGame("finished", "The game is over.")) == []


def test_a_forfeit_may_cross_the_opponents_move() -> None:
    session = waiting()
    session.receive("play forfeit")
    after = table("wA1", "bA1 -wA1")
    assert said(session.notify(TableChanged(after))) == [f"bA1 -wA1\n{TWO}\nok"]
    lost = "Base;BlackWins;White[2];wA1;bA1 -wA1\nok"
    assert said(session.notify(TableChanged(over(after, "resignation", 1)))) == [lost]


def test_a_forfeit_before_the_opponents_first_move() -> None:
    session = playing(1)
    session.receive("play forfeit")
    lost = "Base;WhiteWins;White[1]\nok"
    assert said(session.notify(TableChanged(over(table(), "resignation", 0)))) == [lost, lost]


def test_illegal_moves_may_be_tried_again() -> None:
    session = playing()
    for tries in range(1, 5):
        session.receive("play wQ")
        assert session.notify(RefusedByGame("illegal-move", "No.", tries)) == [Send("invalidmove No.\nok")]
    session.receive("play wQ")
    assert session.notify(RefusedByGame("illegal-move", "No.", 5)) == [
        Send("invalidmove No.\nok"),
        GiveUp("illegal-move"),
    ]
    assert session.notify(TableChanged(over(table(), "illegal-move", 1))) == []
    assert said(session.receive("play wA1")) == ["err game over: BlackWins (illegal-move)\nok"]


def test_the_next_command_reports_a_timeout() -> None:
    session = playing()
    assert session.notify(TableChanged(over(table(), "timeout", 1))) == []
    for command in ("play wA1", "pass", "validmoves", "undo", "bestmove depth 1", "play forfeit"):
        assert said(session.receive(command)) == ["err game over: BlackWins (timeout)\nok"]


def test_a_move_may_come_too_late() -> None:
    session = playing()
    session.receive("play wA1")
    assert session.notify(RefusedByGame("finished", "Your time is over.")) == []
    assert said(session.notify(TableChanged(over(table(), "timeout", 1)))) == [
        "err game over: BlackWins (timeout)\nok"
    ]


def test_storage_failures_are_reported() -> None:
    session = playing()
    session.receive("play wA1")
    assert session.notify(RefusedByGame("unavailable", "Nothing was stored.")) == [
        Send("err Nothing was stored.\nok")
    ]
    assert session.receive("play wA1") == [PlayMove("wA1")]


def test_without_an_opponent_another_game_can_be_sought() -> None:
    session = guest()
    session.receive("newgame remote")
    assert session.notify(NotSeated("no opponent")) == [Send("err no opponent\nok")]
    assert session.receive("newgame remote Base+M vs=bot:easy") == [
        Seek(SeekCriteria("Base+M", opponent="bot:easy"))
    ]
    session.notify(Seated(1, GAME, "s"))
    assert session.notify(TableChanged(aborted(table()))) == [Send("err no opponent\nok")]


def test_a_game_is_resumed_with_its_secret() -> None:
    session = playing()
    session.notify(TableChanged(over(table(), "timeout", 1)))
    assert session.receive(f"newgame remote resume={GAME}") == [Seek(SeekCriteria("Base"), GAME, "s")]


def test_options_show_the_seat() -> None:
    session = guest()
    assert said(session.receive("options")) == [
        "RemoteSeat;enum;White;White;White;Black\nDrawByRepetition;bool;False;False\nok"
    ]
    assert said(session.receive("options set RemoteSeat Black")) == ["err RemoteSeat cannot be set.\nok"]
    assert said(session.receive("options get RemoteResume"))[0].startswith("err ")
    session = playing(1, "wA1")
    assert said(session.receive("options get remoteseat")) == ["RemoteSeat;enum;Black;White;White;Black\nok"]
    secret = f"{GAME}:s"
    assert said(session.receive("options get RemoteResume")) == [
        f"RemoteResume;enum;{secret};{secret};{secret}\nok"
    ]


@pytest.mark.parametrize("session", [guest(), playing(0), playing(1, "wA1")])
def test_help_lists_only_available_commands(session: ViewerSeatSession) -> None:
    (listed,) = said(session.receive("help"))
    keywords = {line.split()[0] for line in listed.splitlines()} - {"ok", "exit"}
    assert {"newgame", "play", "validmoves", "options", "help"} <= keywords
    for keyword in keywords - {"play", "pass", "newgame"}:
        answers = said(session.receive(keyword))
        assert not any("available" in answer or "Invalid command" in answer for answer in answers), keyword
    assert said(session.receive("help bestmove")) == ["err bestmove is not available at a server\nok"]


def test_help_and_info_mention_remote_play() -> None:
    session = guest()
    assert said(session.receive("info")) == ["id Plyhouse v9\nMosquito;Ladybug;Pillbug;Remote\nok"]
    assert "newgame remote" in said(session.receive("help"))[0]
    assert said(session.receive("help play"))[0].splitlines()[0] == "play forfeit [reason]"
    assert said(session.receive("help play"))[0].endswith("\nok")
    assert said(session.notify(FrameLost("line too long"))) == ["err line too long\nok"]
    assert session.receive("exit") == [Close(1000, "exit")]
