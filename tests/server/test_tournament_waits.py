"""How long games of tournaments wait for their players, and who loses one that cannot begin."""

from server.domain.tournaments.acceptance import ABSENT, NO_SESSION, QUIET, Hindrance
from server.services.tournaments.waits import SESSION_WAITS, Waits

SECONDS = 120.0
LONG = SESSION_WAITS * SECONDS


def losers(*looks: tuple[float, dict[int, Hindrance]]) -> list[list[int]]:
    """Who loses the game of the players 0 and 1 at each of these times."""
    waits = Waits(SECONDS)
    found = []
    for now, hindered in looks:
        found.append(waits.losers("t", (0, 1), hindered, now))
        if found[-1]:
            waits.forget("t", (0, 1))
    return found


def test_only_who_was_awaited_for_long_enough_loses() -> None:
    assert losers((0, {0: ABSENT}), (119, {0: ABSENT, 1: QUIET}), (120, {0: ABSENT, 1: QUIET})) == [
        [],
        [],
        [0],
    ]
    assert losers((0, {1: ABSENT}), (1, {0: QUIET, 1: ABSENT}), (121, {0: QUIET, 1: ABSENT})) == [
        [],
        [],
        [1, 0],
    ]


def test_who_comes_back_is_awaited_anew() -> None:
    assert losers((0, {0: ABSENT}), (119, {}), (120, {0: ABSENT}), (239, {0: ABSENT})) == [[]] * 4


def test_the_next_game_waits_anew_for_both() -> None:
    both = {0: ABSENT, 1: ABSENT}
    assert losers((0, {0: ABSENT}), (1, both), (120, both), (121, both), (240, both)) == [[], [], [0], [], []]


def test_a_bot_whose_sessions_others_use_is_awaited_longer() -> None:
    busy = {0: NO_SESSION}
    assert losers((0, busy), (LONG - 1, busy), (LONG, busy)) == [[], [], [0]]


def test_a_bot_without_a_session_that_leaves_is_awaited_as_others_are() -> None:
    busy, away = {0: NO_SESSION}, {0: ABSENT}
    assert losers((0, busy), (500, away), (619, away), (620, away)) == [[], [], [], [0]]
    assert losers((0, away), (119, busy), (500, away), (LONG - 1, busy), (LONG, away)) == [[]] * 4 + [[0]]


def test_players_of_tournaments_that_are_over_are_forgotten() -> None:
    waits = Waits(SECONDS)
    for name in ("over", "goes-on"):
        assert waits.losers(name, (0, 1), {0: ABSENT}, 0) == []
    waits.keep_only(["goes-on"])
    assert [waits.losers(name, (0, 1), {0: ABSENT}, SECONDS) for name in ("over", "goes-on")] == [[], [0]]
