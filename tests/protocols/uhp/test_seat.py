"""A seat of model B: what it shows of a game, and the player's commands."""

from dataclasses import replace

import pytest

from protocols.session import Close, Effect, FrameLost, Send
from protocols.uhp.remote.effects import (
    GiveUp,
    NotSeated,
    OfferDraw,
    PlayMove,
    RefusedByGame,
    Seated,
    Seek,
    TableChanged,
)
from protocols.uhp.remote.seat import SeatSession
from protocols.uhp.remote.seek_criteria import SeekCriteria
from protocols.values import Status, Table, TimeControl
from tests.protocols.uhp.tables import GAME, aborted, offered, over, table

EMPTY = "Base;NotStarted;White[1]"
ONE = "Base;InProgress;Black[1];wA1"
TWO = "Base;InProgress;White[2];wA1;bA1 -wA1"
MOVES = ("wA1", "bA1 -wA1", "wB1 wA1-")


def seated(seat: int, first: Table, *, clock: bool = False, secret: bool = False) -> SeatSession:
    """A session that has shown the game."""
    session = SeatSession(SeekCriteria("Base"), with_clock=clock, with_secret=secret)
    assert session.start() == [Seek(SeekCriteria("Base"))]
    assert session.notify(Seated(seat, GAME, "s3cret")) == []
    session.notify(TableChanged(first))
    return session


def lines(effects: list[Effect]) -> list[str]:
    return [effect.text for effect in effects if isinstance(effect, Send)]


def test_nothing_is_shown_before_the_game_begins() -> None:
    session = SeatSession(SeekCriteria())
    session.notify(Seated(1, GAME, "s"))
    assert session.notify(TableChanged(replace(table(), status=Status.OPEN, to_act=()))) == []
    assert session.receive("wA1") == [Send("err not your turn")]
    begun = replace(table(), seq=99)
    assert lines(session.notify(TableChanged(begun))) == [f"seat Black game={GAME} tc=-", EMPTY]


@pytest.mark.parametrize(
    ("control", "tc"), [(TimeControl(300, 5), "300+5"), (TimeControl(0, 30), "0+30"), (None, "-")]
)
def test_the_seat_line_has_the_clock(control: TimeControl | None, tc: str) -> None:
    session = SeatSession(SeekCriteria(), with_clock=True, with_secret=True)
    session.notify(Seated(0, GAME, "s"))
    first, *rest = lines(session.notify(TableChanged(table(control=control))))
    assert first == f"seat White game={GAME} tc={tc} resume={GAME}:s"
    assert rest == ([EMPTY] if control is None else ["clock 60000 59000", EMPTY])


def test_every_ply_is_shown_once_and_in_order() -> None:
    session = seated(0, table())
    assert lines(session.notify(TableChanged(table(*MOVES[:2])))) == [ONE, TWO]
    assert session.notify(TableChanged(table(*MOVES[:2]))) == []
    assert session.notify(TableChanged(table(*MOVES[:1]))) == []
    assert session.notify(TableChanged(replace(table(*MOVES[:2]), seq=99))) == []


def test_a_takeback_is_shown() -> None:
    session = seated(0, table(*MOVES[:2]))
    assert lines(session.notify(TableChanged(replace(table(), seq=99)))) == [EMPTY]


def test_a_returning_seat_is_shown_the_current_position() -> None:
    session = SeatSession(SeekCriteria())
    session.notify(Seated(0, GAME, "s"))
    assert lines(session.notify(TableChanged(table(*MOVES[:2]))))[1:] == [TWO]


def test_a_game_that_ended_off_the_board_shows_its_result() -> None:
    session = seated(0, table("wA1"))
    ended = session.notify(TableChanged(over(table("wA1"), "timeout", 0)))
    assert ended == [
        Send("Base;WhiteWins;Black[1];wA1"),
        Send("end WhiteWins timeout"),
        Close(1000, "game over"),
    ]


@pytest.mark.parametrize(
    ("last", "said"),
    [
        (over(table("wA1"), "draw-agreement"), ["Base;Draw;Black[1];wA1", "end Draw agreement"]),
        (over(table("wA1"), "resignation", 1), ["Base;BlackWins;Black[1];wA1", "end BlackWins resign"]),
        (aborted(table("wA1")), [ONE, "end InProgress abort"]),
        (aborted(table()), [EMPTY, "end NotStarted abort"]),
    ],
)
def test_every_end_has_a_state_and_a_reason(last: Table, said: list[str]) -> None:
    session = seated(0, replace(table(*last.position.history), seq=1))
    assert lines(session.notify(TableChanged(last))) == said


def test_moves_are_passed_on_unchanged() -> None:
    session = seated(0, table())
    assert session.receive("  wa1 ") == [PlayMove("wa1")]
    assert session.receive("pass") == [PlayMove("pass")]
    for quiet in ("", "   ", "info", "INFO"):
        assert session.receive(quiet) == []


def test_refusals_are_reported() -> None:
    session = seated(0, table())
    assert session.notify(RefusedByGame("illegal-move", "No.", 4)) == [Send("invalidmove No.")]
    assert session.notify(RefusedByGame("illegal-move", "No.", 5)) == [
        Send("invalidmove No."),
        GiveUp("illegal-move"),
    ]
    assert session.notify(RefusedByGame("not-your-turn", "…")) == [Send("err not your turn")]
    assert session.notify(RefusedByGame("unavailable", "Nothing was stored.")) == [
        Send("err Nothing was stored.")
    ]
    assert session.notify(RefusedByGame("finished", "The game is over.")) == []
    assert session.notify(FrameLost("line too long")) == [Send("err line too long")]


def test_a_player_without_a_game_is_disconnected() -> None:
    session = SeatSession(SeekCriteria())
    assert session.notify(NotSeated("no opponent")) == [Send("err no opponent"), Close(1000, "no game")]


def test_a_player_may_resign_on_either_turn() -> None:
    session = seated(1, table())
    assert session.receive("forfeit") == [GiveUp("resignation")]
    assert session.receive("Forfeit  I must  go ") == [GiveUp("resignation", "I must  go")]


# ---- draws -----------------------------------------------------------------------------------------


def test_an_offer_is_announced_once_per_turn() -> None:
    session = seated(1, table("wA1"))
    first = offered(table("wA1"), 0)
    assert lines(session.notify(TableChanged(first))) == ["draw"]
    assert session.notify(TableChanged(replace(first, seq=first.seq + 1))) == []
    session.notify(TableChanged(table(*MOVES[:2])))
    assert lines(session.notify(TableChanged(offered(table(*MOVES[:2]), 0)))) == ["draw"]


def test_the_players_own_offer_is_not_announced() -> None:
    session = seated(1, table("wA1"))
    assert session.notify(TableChanged(offered(table("wA1"), 1))) == []


def test_an_offer_survives_the_players_move_and_ends_with_the_opponents() -> None:
    session = seated(0, table())
    assert session.receive("draw") == [OfferDraw()]
    session.notify(TableChanged(offered(table(), 0)))
    assert session.notify(TableChanged(table("wA1"))) == [Send(ONE), OfferDraw()]
    assert session.notify(TableChanged(table(*MOVES[:2]))) == [Send(TWO)]
    assert OfferDraw() not in session.notify(TableChanged(table(*MOVES)))


def test_an_offer_that_was_rejected_is_not_repeated() -> None:
    session = seated(0, table("wA1"))
    session.receive("draw")
    session.notify(TableChanged(offered(table("wA1"), 0)))
    assert session.notify(TableChanged(replace(offered(table("wA1"), None), seq=30 - 1))) == []
