"""A seat of model B: what it shows of a game, and what a player may ask."""

from dataclasses import replace

import pytest

from protocols.play.table import Control, Table
from protocols.session import Close, Effect, Send
from protocols.uhp.remote.seat import SeatSession
from protocols.uhp.remote.watch import WatchSession
from protocols.uhp.remote.wish import Wish
from protocols.uhp.remote.words import (
    Changed,
    GiveUp,
    LineLost,
    NotSeated,
    OfferDraw,
    PlayMove,
    Refused,
    Seated,
    Seek,
)
from tests.protocols.uhp.tables import GAME, aborted, offered, over, table

EMPTY = "Base;NotStarted;White[1]"
ONE = "Base;InProgress;Black[1];wA1"
TWO = "Base;InProgress;White[2];wA1;bA1 -wA1"
MOVES = ("wA1", "bA1 -wA1", "wB1 wA1-")


def seated(seat: int, first: Table, *, clock: bool = False, secret: bool = False) -> SeatSession:
    """A session that has shown the game."""
    session = SeatSession(Wish("Base"), with_clock=clock, with_secret=secret)
    assert session.start() == [Seek(Wish("Base"))]
    assert session.notify(Seated(seat, GAME, "s3cret")) == []
    session.notify(Changed(first))
    return session


def lines(effects: list[Effect]) -> list[str]:
    return [effect.text for effect in effects if isinstance(effect, Send)]


def test_nothing_is_shown_before_the_game_begins() -> None:
    session = SeatSession(Wish())
    session.notify(Seated(1, GAME, "s"))
    assert session.notify(Changed(replace(table(), status="open", to_act=()))) == []
    assert session.receive("wA1") == [Send("err not your turn")]
    begun = replace(table(), seq=99)
    assert lines(session.notify(Changed(begun))) == [f"seat Black game={GAME} tc=-", EMPTY]


@pytest.mark.parametrize(
    ("control", "tc"), [(Control(300, 5), "300+5"), (Control(0, 30), "0+30"), (None, "-")]
)
def test_the_seat_line_names_the_clock(control: Control | None, tc: str) -> None:
    session = SeatSession(Wish(), with_clock=True, with_secret=True)
    session.notify(Seated(0, GAME, "s"))
    first, *rest = lines(session.notify(Changed(table(control=control))))
    assert first == f"seat White game={GAME} tc={tc} resume={GAME}:s"
    assert rest == ([EMPTY] if control is None else ["clock 60000 59000", EMPTY])


def test_every_ply_is_shown_once_and_in_order() -> None:
    session = seated(0, table())
    assert lines(session.notify(Changed(table(*MOVES[:2])))) == [ONE, TWO]
    assert session.notify(Changed(table(*MOVES[:2]))) == []
    assert session.notify(Changed(table(*MOVES[:1]))) == []
    assert session.notify(Changed(replace(table(*MOVES[:2]), seq=99))) == []


def test_a_takeback_is_shown() -> None:
    session = seated(0, table(*MOVES[:2]))
    assert lines(session.notify(Changed(replace(table(), seq=99)))) == [EMPTY]


def test_a_seat_that_comes_back_is_shown_the_present() -> None:
    session = SeatSession(Wish())
    session.notify(Seated(0, GAME, "s"))
    assert lines(session.notify(Changed(table(*MOVES[:2]))))[1:] == [TWO]


def test_a_game_that_ended_off_the_board_shows_what_counts() -> None:
    session = seated(0, table("wA1"))
    ended = session.notify(Changed(over(table("wA1"), "timeout", 0)))
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
    assert lines(session.notify(Changed(last))) == said
    spectator = WatchSession()
    assert lines(spectator.notify(Changed(last))) == said


def test_moves_are_passed_on_as_they_are() -> None:
    session = seated(0, table())
    assert session.receive("  wa1 ") == [PlayMove("wa1")]
    assert session.receive("pass") == [PlayMove("pass")]
    for quiet in ("", "   ", "info", "INFO"):
        assert session.receive(quiet) == []


def test_refusals_are_told() -> None:
    session = seated(0, table())
    assert session.notify(Refused("illegal-move", "No.", 4)) == [Send("invalidmove No.")]
    assert session.notify(Refused("illegal-move", "No.", 5)) == [
        Send("invalidmove No."),
        GiveUp("illegal-move"),
    ]
    assert session.notify(Refused("not-your-turn", "…")) == [Send("err not your turn")]
    assert session.notify(Refused("unavailable", "Nothing was stored.")) == [Send("err Nothing was stored.")]
    assert session.notify(Refused("finished", "The game is over.")) == []
    assert session.notify(LineLost("line too long")) == [Send("err line too long")]


def test_who_finds_no_game_is_sent_away() -> None:
    session = SeatSession(Wish())
    assert session.notify(NotSeated("no opponent")) == [Send("err no opponent"), Close(1000, "no game")]


def test_a_player_may_give_up_on_either_turn() -> None:
    session = seated(1, table())
    assert session.receive("forfeit") == [GiveUp("resignation")]
    assert session.receive("Forfeit  I must  go ") == [GiveUp("resignation", "I must  go")]


# ---- draws -----------------------------------------------------------------------------------------


def test_an_offer_is_told_once_a_turn() -> None:
    session = seated(1, table("wA1"))
    first = offered(table("wA1"), 0)
    assert lines(session.notify(Changed(first))) == ["draw"]
    assert session.notify(Changed(replace(first, seq=first.seq + 1))) == []
    session.notify(Changed(table(*MOVES[:2])))
    assert lines(session.notify(Changed(offered(table(*MOVES[:2]), 0)))) == ["draw"]


def test_the_own_offer_is_not_told() -> None:
    session = seated(1, table("wA1"))
    assert session.notify(Changed(offered(table("wA1"), 1))) == []


def test_an_offer_outlives_the_own_move_and_ends_with_the_others() -> None:
    session = seated(0, table())
    assert session.receive("draw") == [OfferDraw()]
    session.notify(Changed(offered(table(), 0)))
    assert session.notify(Changed(table("wA1"))) == [Send(ONE), OfferDraw()]
    assert session.notify(Changed(table(*MOVES[:2]))) == [Send(TWO)]
    assert OfferDraw() not in session.notify(Changed(table(*MOVES)))


def test_an_offer_that_was_rejected_is_not_repeated() -> None:
    session = seated(0, table("wA1"))
    session.receive("draw")
    session.notify(Changed(offered(table("wA1"), 0)))
    assert session.notify(Changed(replace(offered(table("wA1"), None), seq=30 - 1))) == []
