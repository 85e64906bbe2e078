"""What a bot's games tell its author: weak openings, how long it thinks, and how it loses."""

import json
import math
import random
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import Position
from protocols.values import LeaveReason, Seat, SeatKind, TimeControl
from server.domain import events as e
from server.domain.clocks.clock import ClockMode
from server.domain.ladder.losses import LossKind, losses
from server.domain.ladder.opening_scores import OpeningGame, chance_bound, weak_openings
from server.domain.ladder.rating_pool import Pool
from server.domain.ladder.results import LEFT, RatedResult
from server.domain.ladder.thinking import thinking_time, thoughts
from server.services.ladder.findings import findings_of
from server.services.ladder.openings import ladder_config, opening_moves, suite_moves
from server.store.sql_ladder import result_of_row, result_values
from tests.server.test_ladder_rules import BEGIN, at_table, game

KEY = ("wallwars", "standard")


# ---- openings --------------------------------------------------------------------------------------


@given(st.integers(1, 40), st.floats(0.02, 0.98), st.data())
def test_the_bound_is_never_below_the_chance(games: int, chance: float, data: st.DataObject) -> None:
    won = data.draw(st.integers(0, games))
    exact = sum(math.comb(games, k) * chance**k * (1 - chance) ** (games - k) for k in range(won + 1))
    assert chance_bound(games, won, games * chance) >= exact * (1 - 1e-9)


def played(scores: dict[tuple[str, ...], list[float]]) -> list[OpeningGame]:
    """Games by their openings, with equal opponents."""
    return [
        OpeningGame(f"{'/'.join(moves)}-{number}", moves, score, 0.5, 0.45)
        for moves, those in scores.items()
        for number, score in enumerate(those)
    ]


def test_an_opening_that_is_always_lost_is_found_with_a_lost_game() -> None:
    games = played({("a", "b"): [0.5] + [0.0] * 13, ("a", "c"): [1.0, 0.0] * 8, ("d", "e"): [0.5] * 16})
    [weak] = weak_openings(KEY, games)
    assert (weak.moves, weak.games, weak.score, weak.expected) == (("a", "b"), 14, 0.5, 7)
    assert weak.game_id == "a/b-1"


def test_openings_with_the_same_beginning_count_together() -> None:
    games = played(
        {**{("a", str(n)): [0.0, 0.0] for n in range(8)}, **{("b", str(n)): [1.0, 0.0] for n in range(99)}}
    )
    [weak] = weak_openings(KEY, games)
    assert (weak.moves, weak.games, weak.score) == (("a",), 16, 0.0)


@pytest.mark.parametrize("scores", [{}, {("a", "b"): [0.0]}, {("a", "b"): [0.0] * 4}, {("a",): [1.0] * 50}])
def test_nothing_is_found_where_it_may_be_chance(scores: dict[tuple[str, ...], list[float]]) -> None:
    assert weak_openings(KEY, played(scores)) == []


def test_a_bot_that_plays_all_openings_alike_is_rarely_told_of_any() -> None:
    told = 0
    for seed in range(40):
        chance = random.Random(seed)
        games = [
            OpeningGame(str(n), (str(chance.randrange(8)), str(chance.randrange(4))), score, 0.6, 0.6)
            for n in range(300)
            for score in [float(chance.random() < 0.6)]
        ]
        told += bool(weak_openings(KEY, games))
    assert told <= 2


def test_openings_are_those_that_come_with_plyhouse() -> None:
    assert suite_moves("wallwars", "standard", 3) == suite_moves("wallwars", "standard", 503)
    assert list(suite_moves(*KEY, 3)) == opening_moves(Position(*KEY, ladder_config(KEY[0], 3)), 3)
    assert suite_moves("hive", "Base", 3) == (), "there are none of this variant"


def test_a_bot_with_no_game_with_one_and_with_a_thousand() -> None:
    pool = Pool(KEY)
    nothing = findings_of("ann:b", (), {})
    assert (nothing.games, nothing.weak_openings, nothing.losses) == (0, [], [])
    lost = replace(game(("ann:b", "ben:b"), (2, 1)), game=KEY[0], variant=KEY[1], reason="timeout")
    one_game = findings_of("ann:b", [lost], {KEY: pool.comparisons().rated()})
    assert (one_game.games, one_game.weak_openings) == (1, [])
    assert [(tally.kind, tally.games) for tally in one_game.losses] == [(LossKind.TIMEOUT, 1)]
    results = []
    for n in range(1000):
        is_lost = n % 4 == 0 or (n // 4) % 2 == 0
        one = game(("ann:b", "plyhouse:medium"), (2, 1) if is_lost else (1, 2), n)
        results.append(replace(one, game=KEY[0], variant=KEY[1], opening=n % 4))
    for result in results:
        pool.add(result)
    found = findings_of("ann:b", results[::-1], {KEY: pool.comparisons().rated()})
    assert found.games == 1000
    [weak] = found.weak_openings
    assert suite_moves(*KEY, 0)[: len(weak.moves)] == weak.moves
    assert (weak.games, weak.score) == (250, 0)
    assert weak.expected == pytest.approx(250 * 3 / 8, rel=0.02)


# ---- losses ----------------------------------------------------------------------------------------


def ended(
    reason: str,
    places: tuple[int, ...] | None = (2, 1),
    note: str | None = None,
    lost_by_error: tuple[int, ...] = (),
) -> RatedResult:
    found = game(("ann:b@2", "ben:b"), places)
    return replace(found, reason=reason, note=note, lost_by_error=lost_by_error)


@pytest.mark.parametrize(
    ("result", "kind"),
    [
        (ended("capture"), None),
        (ended("resignation"), LossKind.RESIGNATION),
        (ended("resignation", (1, 2)), None),
        (ended("resignation", None), None),
        (ended("resignation", note="illegal move 'x'", lost_by_error=(0,)), LossKind.ERROR),
        (ended("resignation", note=LEFT, lost_by_error=(0,)), LossKind.DISCONNECTION),
        (ended("resignation", None, note=LEFT, lost_by_error=(0,)), LossKind.DISCONNECTION),
        (ended("resignation", (1, 2), note=LEFT, lost_by_error=(1,)), None),
        (ended("disconnect", lost_by_error=(0,)), LossKind.DISCONNECTION),
        (ended("timeout"), LossKind.TIMEOUT),
        (ended("timeout", None, lost_by_error=(0,)), LossKind.ERROR),
    ],
)
def test_how_a_game_was_lost(result: RatedResult, kind: LossKind | None) -> None:
    assert [one.kind for one in losses("ann:b", [result])] == ([] if kind is None else [kind])


RESIGNED, OUT_OF_TIME = LeaveReason.RESIGNATION, LeaveReason.TIMEOUT


@pytest.mark.parametrize(
    ("leaves", "kinds"),
    [
        ([(6, e.Left(0, RESIGNED))], {"ann": LossKind.RESIGNATION}),
        ([(6, e.Left(0, OUT_OF_TIME))], {"ann": LossKind.TIMEOUT}),
        ([(0, e.Left(0, OUT_OF_TIME))], {"ann": LossKind.ERROR}),
        ([(6, e.Left(0, RESIGNED, note=LEFT))], {"ann": LossKind.DISCONNECTION}),
        (
            [(6, e.Left(0, RESIGNED)), (8, e.Left(1, OUT_OF_TIME))],
            {"ann": LossKind.RESIGNATION, "ben": LossKind.TIMEOUT},
        ),
        (
            [(6, e.Left(1, RESIGNED, note="illegal move 'x'")), (8, e.Left(0, RESIGNED, note=LEFT))],
            {"ann": LossKind.DISCONNECTION, "ben": LossKind.ERROR},
        ),
        (
            [(0, e.Left(1, RESIGNED)), (2, e.Left(0, RESIGNED, note=LEFT))],
            {"ann": LossKind.DISCONNECTION},
        ),
    ],
)
def test_each_player_of_a_table_is_told_how_it_left_itself(
    leaves: list[tuple[int, e.Left]], kinds: dict[str, LossKind]
) -> None:
    found = at_table(*leaves)
    stored = result_of_row(SimpleNamespace(**kept(result_values(found))))
    assert stored == found
    for result in (found, stored):
        told = {name: losses(f"{name}:b", [result]) for name in ("ann", "ben", "cat")}
        assert {name: tally.kind for name, tallies in told.items() for tally in tallies} == kinds


def test_results_that_were_stored_without_who_left_can_be_read() -> None:
    lost = ended("timeout")
    row = kept(result_values(lost))
    del row["result"]["left"]
    earlier = result_of_row(SimpleNamespace(**row))
    assert earlier == lost
    assert [one.kind for one in losses("ann:b", [earlier])] == [LossKind.TIMEOUT]


def kept(row: dict[str, Any]) -> dict[str, Any]:
    """The values of a row as they are read again."""
    return {**row, "result": json.loads(row["result"])}


def test_losses_are_counted_with_their_lengths() -> None:
    lost = [replace(ended("resignation"), game_id=f"g{plies}", plies=plies) for plies in (30, 4, 20, 50)]
    [tally] = losses("ann:b", [ended("capture"), *lost])
    assert (tally.games, tally.median, tally.fewest) == (4, 20, 4)
    assert (tally.game_id, tally.shortest) == ("g30", "g4")


# ---- thinking --------------------------------------------------------------------------------------


def log(control: TimeControl | None, *events: e.Event) -> list[e.Recorded]:
    seats = tuple(Seat(SeatKind.BOT, name, f"{name}:b") for name in ("ann", "ben"))
    begin = replace(BEGIN, seats=seats, time_control=control)
    return [e.Recorded(seq, seq, event) for seq, event in enumerate((begin, *events), start=1)]


def test_the_time_of_a_move_is_what_its_clock_ran() -> None:
    found = thoughts(
        log(
            TimeControl(60, 1),
            e.MovesImported(("x", "y")),
            e.Moved(0, "a", clocks=(60_000, 60_000)),
            e.Moved(1, "b", clocks=(60_000, 60_974)),
            e.ClockSet(0, ClockMode.STANDS, (59_000, 60_974)),
            e.Moved(0, "c", clocks=(60_000, 60_974)),
            e.Moved(1, "d", clocks=(60_000, 61_974)),
            e.Left(0, LeaveReason.RESIGNATION),
        )
    )
    assert found == {0: [(4, 1000)], 1: [(3, 26), (5, 0)]}
    [seat] = [thinking_time([("g", found[1]), ("h", [(9, 27)])])]
    assert seat is not None
    assert (seat.games, seat.moves, seat.median_ms) == (2, 3, 26)
    assert (seat.slowest_ms, seat.slowest_game, seat.slowest_ply) == (27, "h", 9)


@pytest.mark.parametrize("control", [None, TimeControl(0, 5)])
def test_without_a_clock_for_the_whole_game_nothing_is_known(control: TimeControl | None) -> None:
    clocks = None if control is None else (5000, 5000)
    assert thoughts(log(control, e.Moved(0, "a", clocks=clocks), e.Moved(1, "b", clocks=clocks))) == {}
    assert thoughts([]) == {}
    assert thinking_time([]) is None
