"""Laws of tournaments: whatever happens in whatever order, the table is right, and the tournament ends."""

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.tournament_systems import GAUNTLET, ROUND_ROBIN, SWISS, System
from engines.tournament_table import place_points
from protocols.values import TimeControl
from server.domain.errors import ApiError, Code
from server.domain.tournaments import decide
from server.domain.tournaments import events as e
from server.domain.tournaments.event_codec import read_tournament_event, write_tournament_event
from server.domain.tournaments.standings import standings
from server.domain.tournaments.state import (
    GamePhase,
    RecordedTournamentEvent,
    TournamentState,
    TournamentStatus,
    fold_tournament,
)

POINTS = [(1.0, 0.0), (0.5, 0.5), (0.0, 1.0)]

SEATS = st.integers(2, 5)

SYSTEMS = st.sampled_from([GAUNTLET, ROUND_ROBIN, SWISS])


def entered(state: TournamentState, name: str, bot_id: str | None, digest: str) -> decide.Events:
    return decide.enter(state, e.PlayerEntered(name, digest, bot_id))


class TournamentLog:
    """A tournament and its events."""

    def __init__(
        self, system: str = "round-robin", games: int = 2, players: int = 0, *, seats: int = 2
    ) -> None:
        wanted = e.TournamentSettings(
            name="T",
            game="wallwars",
            variant="standard",
            config={"boardWidth": 4},
            system=system,
            games_per_pair=games,
            time_control=TimeControl(60, 1),
            tie_breaks=tuple(System(system, games, seats).usual_tie_breaks),
            seats=seats,
        )
        self.events: list[RecordedTournamentEvent] = []
        self.state: TournamentState
        self.add(e.TournamentCreated(wanted, "owner"))
        for player in range(players):
            self.add(*entered(self.state, f"P{player}", None, f"digest {player}"))
        ids = count()
        self.lots = decide.Lots(lambda: f"g{next(ids)}", lambda: 7, is_shared=True)

    def add(self, *events: e.TournamentEvent) -> None:
        """Appends events."""
        first = len(self.events) + 1
        recorded = [RecordedTournamentEvent(seq, seq, event) for seq, event in enumerate(events, first)]
        self.events += recorded
        state = fold_tournament("t", getattr(self, "state", None), recorded)
        assert state is not None
        self.state = state

    def advance(self) -> bool:
        """Lets what follows happen; returns whether the tournament is running."""
        while events := decide.advance(self.state, self.lots):
            self.add(*events)
        return self.state.status is TournamentStatus.RUNNING

    def due(self) -> list[int]:
        """The games of the current round that are to be played."""
        games = self.state.rounds[-1].games
        return [number for number, game in enumerate(games) if game.phase is GamePhase.DUE]

    def score(self, number: int, points: tuple[float, ...]) -> None:
        """Ends a game of the current round."""
        self.add(e.GameScored(len(self.state.rounds) - 1, number, points, "capture"))


def total(log: TournamentLog) -> float:
    """The points of all players."""
    return sum(row.points for row in standings(log.state))


def any_points(seats: int, rng: random.Random) -> tuple[float, ...]:
    """The points of a game with any result."""
    return place_points([rng.randint(1, seats) for _ in range(seats)])


@given(SYSTEMS, SEATS, st.integers(0, 7), st.integers(1, 3), st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_points_are_those_of_the_games_and_byes_whoever_leaves(
    system: str, seats: int, more: int, games: int, rng: random.Random
) -> None:
    players = seats + more
    log = TournamentLog(system, games, players, seats=seats)
    log.add(*decide.start(log.state))
    while log.advance():
        due = log.due()
        if rng.random() < 0.05:
            log.add(*decide.withdraw(log.state, rng.randrange(players)))
            continue
        log.score(rng.choice(due), any_points(seats, rng))
    over = [game for one in log.state.rounds for game in one.games]
    assert all(game.points is not None for game in over)
    byes = sum(len(one.round.byes) for one in log.state.rounds)
    points = sum(sum(game.points or ()) for game in over)
    assert total(log) == pytest.approx(points + byes * System(system, games, seats).bye_points)
    played = [game for game in over if game.reason == "capture"]
    assert sum(sum(game.points or ()) for game in played) == pytest.approx(len(played) * seats / 2)
    assert log.state.status is TournamentStatus.FINISHED
    ids = [game.plan.game_id for game in over]
    assert len(ids) == len(set(ids))
    for one in log.state.rounds:
        players_of_round = [player for table in one.round.tables for player in table] + [*one.round.byes]
        assert len(players_of_round) == len(set(players_of_round)), "nobody plays twice in a round"


@given(st.integers(2, 6), st.randoms(use_true_random=False))
@settings(max_examples=25)
def test_the_order_of_results_does_not_matter(players: int, rng: random.Random) -> None:
    """Each game has the same result, in whatever order the games of a round end."""
    logs = [TournamentLog("round-robin", 2, players) for _ in range(2)]
    results = [rng.choice(POINTS) for _ in range(200)]
    for log in logs:
        log.add(*decide.start(log.state))
        while log.advance():
            due = log.due()
            for number in rng.sample(due, len(due)):
                log.score(number, results[20 * len(log.state.rounds) + number])
    one, other = (standings(log.state) for log in logs)
    assert one == other


@given(SYSTEMS, SEATS, st.integers(0, 4), st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_events_are_read_as_they_were_written_and_fold_to_the_same_state(
    system: str, seats: int, more: int, rng: random.Random
) -> None:
    log = TournamentLog(system, 1, seats + more, seats=seats)
    log.add(*decide.start(log.state))
    while log.advance():
        number = rng.choice(log.due())
        log.add(e.GameBegun(len(log.state.rounds) - 1, number, 2))
        log.score(number, any_points(seats, rng))
    again = [
        replace(one, event=read_tournament_event(*write_tournament_event(one.event))) for one in log.events
    ]
    assert again == log.events
    middle = rng.randrange(1, len(again))
    half = fold_tournament("t", None, again[:middle])
    assert fold_tournament("t", half, again[middle:]) == log.state
    if half is not None and half.status is TournamentStatus.RUNNING:
        whole = fold_tournament("t", None, again[:middle])
        assert whole is not None
        assert rounds_of(decide.advance(half, log.lots)) == rounds_of(decide.advance(whole, log.lots))


def rounds_of(events: decide.Events) -> list[object]:
    """The tables and byes of the rounds that these events begin; ids and openings are drawn."""
    return [(one.pairs, one.byes) for one in events if isinstance(one, e.RoundPaired)]


def test_logs_of_versions_without_tables_are_read() -> None:
    stored = {
        "pairs": [[0, 1]],
        "games": [{"game_id": "g", "seats": [0, 1], "opening": 7}],
        "bye": 2,
    }
    log = TournamentLog(players=3)
    log.add(*decide.start(log.state))
    log.add(read_tournament_event("RoundPaired", stored))
    assert (log.state.rounds[0].round.tables, log.state.rounds[0].round.byes) == (((0, 1),), (2,))
    kind, members = write_tournament_event(log.events[0].event)
    assert "seats" not in members["settings"], "two seats are not written"
    assert read_tournament_event(kind, members) == log.events[0].event


def test_at_a_table_two_who_are_left_play_on() -> None:
    log = TournamentLog("round-robin", 1, 4, seats=4)
    log.add(*decide.start(log.state))
    log.advance()
    log.add(*decide.withdraw(log.state, 0), *decide.withdraw(log.state, 2))
    log.advance()
    assert log.due() == [0]
    log.add(*decide.withdraw(log.state, 1))
    assert not log.advance()
    [game] = log.state.rounds[0].games
    assert game.points is not None
    assert [game.points_of(player) for player in range(4)] == [0, 0, 0, 1]
    assert game.reason == decide.WITHDRAWN


def test_a_tournament_of_tables_needs_a_full_one() -> None:
    log = TournamentLog(players=3, seats=4)
    assert "needs four entrants" in refusal(lambda: decide.start(log.state)).text
    timed = replace(log.state, settings=replace(log.state.settings, starts_at=1000))
    [cancelled] = decide.start_when_due(timed, 1000, 50)
    assert cancelled == e.TournamentCancelled("fewer than four players had entered")


def test_games_begin_and_end_once() -> None:
    log = TournamentLog(players=2)
    log.add(*decide.start(log.state))
    log.advance()
    begun, scored = e.GameBegun(0, 0), e.GameScored(0, 0, (1.0, 0.0), "capture")
    assert decide.still_open(log.state, [begun, scored]) == (begun, scored)
    log.add(begun)
    assert decide.still_open(log.state, [begun, scored]) == (scored,)
    log.add(scored)
    assert decide.still_open(log.state, [begun, scored]) == ()


def test_a_pair_has_each_seat_and_one_opening_twice() -> None:
    log = TournamentLog("gauntlet", 4, 3)
    log.add(*decide.start(log.state))
    log.advance()
    games = [game.plan for game in log.state.rounds[0].games]
    assert [game.seats for game in games] == [(0, 1), (1, 0), (0, 1), (1, 0)]
    openings = count()
    secret = decide.Lots(lambda: "id", lambda: next(openings), is_shared=False)
    fresh = TournamentLog("gauntlet", 4, 3)
    fresh.add(*decide.start(fresh.state))
    [paired] = decide.advance(fresh.state, secret)
    assert isinstance(paired, e.RoundPaired)
    assert [game.opening for game in paired.games] == [0, 1, 2, 3], "a hidden order is never used twice"


def test_who_withdraws_before_the_start_is_not_there() -> None:
    log = TournamentLog("swiss", 1, 4)
    log.add(*decide.withdraw(log.state, 1))
    assert [one.entry for one in log.state.entrants] == [1, 3, 4]
    log.add(*entered(log.state, "P1", None, "again"))
    assert log.state.entrants[-1].entry == 5


def refusal(step: Callable[[], object]) -> ApiError:
    """The error of the first step that is refused."""
    for _ in range(2 * decide.MOST_ENTRIES):
        try:
            step()
        except ApiError as refused:
            return refused
    raise AssertionError("no step was refused")


def test_refusals() -> None:
    log = TournamentLog(players=2)
    assert refusal(lambda: entered(log.state, "p0", None, "x")).code is Code.SEAT_TAKEN
    log.add(*entered(log.state, "P0", "a:b", "x"))
    assert log.state.entrants[-1].name == "P0 (a:b)"
    assert refusal(lambda: entered(log.state, "Other", "a:b", "x")).code is Code.SEAT_TAKEN
    log.add(*decide.start(log.state))
    assert refusal(lambda: entered(log.state, "Late", None, "x")).code is Code.STARTED
    assert refusal(lambda: decide.start(log.state)).code is Code.STARTED
    log.add(*decide.cancel(log.state, "by its owner"))
    assert decide.cancel(log.state, "again") == ()
    assert refusal(lambda: decide.withdraw(log.state, 0)).code is Code.FINISHED
    assert refusal(lambda: decide.start(TournamentLog(players=1).state)).code is Code.NOT_STARTED


def test_a_tournament_has_room_for_so_many() -> None:
    log = TournamentLog(games=16)
    refused = refusal(lambda: log.add(*entered(log.state, f"P{log.state.entries}", None, "x")))
    assert (refused.code, refused.limit) == (Code.OVER_LIMIT, decide.MOST_GAMES)
    players = len(log.state.entrants)
    assert decide.games_with(log.state, players) <= decide.MOST_GAMES
    assert decide.games_with(log.state, players + 1) > decide.MOST_GAMES
    few = TournamentLog("gauntlet", 1)
    refused = refusal(lambda: few.add(*entered(few.state, f"P{few.state.entries}", None, "x")))
    assert (len(few.state.entrants), refused.limit) == (decide.MOST_ENTRANTS, decide.MOST_ENTRANTS)

    def come_and_go() -> None:
        few.add(*decide.withdraw(few.state, 0))
        few.add(*entered(few.state, f"P{few.state.entries}", None, "x"))

    assert refusal(come_and_go).limit == decide.MOST_ENTRIES


def test_a_tournament_starts_at_its_time_if_it_can() -> None:
    for players, then in ((1, TournamentStatus.CANCELLED), (2, TournamentStatus.RUNNING)):
        log = TournamentLog(players=players)
        timed = replace(log.state, settings=replace(log.state.settings, starts_at=1000))
        assert decide.start_when_due(timed, 999, 50) == ()
        log.add(*decide.start_when_due(timed, 1000, 50))
        assert log.state.status is then
    log = TournamentLog(players=2)
    assert decide.start_when_due(log.state, log.state.created_at + 49, 50) == ()
    log.add(*decide.start_when_due(log.state, log.state.created_at + 50, 50))
    assert (log.state.status, log.state.note) == (TournamentStatus.CANCELLED, "its owner did not start it")
