"""The ladder's rules: what results count, what they say about players, and who meets whom."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import Position, games
from protocols.values import LadderGame, LadderTerms, LeaveReason, Seat, SeatKind
from server.domain import events as e
from server.domain.bots import ListedBot
from server.domain.fold import fold
from server.domain.game import GameState
from server.domain.ladder.choosing import Choice
from server.domain.ladder.pairing import Entrant, Pairing, Returns, pairings
from server.domain.ladder.players import bot_of, is_level, player_id
from server.domain.ladder.rating_pool import Pool
from server.domain.ladder.results import SERVER_ERROR, RatedResult, result_of
from server.domain.ladder.tables import TRIED, sizes, tables, unseatable
from server.services.client_events.client_event import finished, own_games
from server.services.ladder.ladder import Running
from server.services.ladder.openings import ladder_config, opening_moves

KEY = ("hive", "Base")
BOTS = tuple(Seat(SeatKind.BOT, name, f"{name}:b") for name in ("ann", "ben"))
BEGIN = e.Created(
    "wallwars",
    "standard",
    Position("wallwars", "standard", {"boardWidth": 3, "boardHeight": 3}).config,
    {},
    BOTS,
    0,
    ladder=LadderGame(("ann:b@1", "ben:b"), ("ann", "ben"), 7, opening_plies=1),
)


def result(*events: e.Event, begin: e.Created = BEGIN) -> RatedResult | None:
    """The result of a game with these events after an opening of one move."""
    log = (begin, e.MovesImported(("Cb2",)), *events)
    state = fold("g", [e.Recorded(seq, 1000 * seq, event) for seq, event in enumerate(log, start=1)])
    assert state is not None
    return result_of(state)


def game(
    players: tuple[str, ...], places: tuple[int, ...] | None = (1, 2), number: int = 0, **more: object
) -> RatedResult:
    """A finished game."""
    found = RatedResult(f"g{number}", *KEY, players, players, number, places, "queen", number, 30)
    return replace(found, **more)  # type: ignore[arg-type]  # members of a result


def moves(*texts: str) -> list[e.Event]:
    return [e.Moved(number % 2, text) for number, text in enumerate(texts, start=1)]


# ---- what counts -----------------------------------------------------------------------------------


def test_a_game_that_ended_by_its_rules_counts() -> None:
    found = result(*moves("---", "Cc1"))
    assert found is not None
    assert (found.players, found.names, found.places) == (("ann:b@1", "ben:b"), ("ann", "ben"), (1, 2))
    assert (found.reason, found.lost_by_error, found.plies, found.ended_at) == ("capture", (), 3, 4000)


def test_other_games_have_no_result() -> None:
    assert result(*moves("---", "Cc1"), begin=replace(BEGIN, ladder=None)) is None
    assert result() is None, "the game is still being played"


@pytest.mark.parametrize(
    ("reason", "note", "is_error"),
    [
        (LeaveReason.RESIGNATION, None, False),
        (LeaveReason.RESIGNATION, "illegal move 'x'", True),
        (LeaveReason.TIMEOUT, None, False),
        (LeaveReason.DISCONNECT, None, True),
        (LeaveReason.ILLEGAL_MOVE, None, True),
    ],
)
def test_a_game_that_a_bot_left_counts_once_both_have_played(
    reason: LeaveReason, note: str | None, *, is_error: bool
) -> None:
    left = e.Left(1, reason, note=note)
    early, later = result(left), result(*moves("---", "---", "---", "---"), left)
    assert early is not None
    assert later is not None
    assert (early.places, later.places) == (None, (1, 2))
    assert later.lost_by_error == ((1,) if is_error else ())
    is_silent = reason is LeaveReason.TIMEOUT
    assert early.lost_by_error == ((1,) if is_error or is_silent else ()), "who never answers has failed"


def test_the_server_ends_games_as_draws_or_without_a_result() -> None:
    drawn, void = result(e.Adjudicated("ply-limit")), result(e.Adjudicated("version", is_void=True))
    assert drawn is not None
    assert void is not None
    assert (drawn.places, drawn.reason) == ((1, 1), "ply-limit")
    assert (void.places, void.reason) == (None, "aborted")


@pytest.mark.parametrize(("ply", "moves_made"), [(0, 0), (2, 0), (5, 3)])
def test_a_game_has_no_moves_before_its_opening_is_over(ply: int, moves_made: int) -> None:
    """The author of a bot pays for the moves, and would get something back for fewer than none."""
    players = LadderGame(("ann:b", "ben:b"), ("ann", "ben"), 7, opening_plies=2)
    assert Running("g", KEY, players, ply).moves == moves_made


# ---- ratings ---------------------------------------------------------------------------------------


def test_a_new_version_starts_where_the_last_one_was() -> None:
    pool = Pool(KEY)
    for number in range(40):
        pool.add(game(("ann:b@1", "plyhouse:medium"), number=number))
    pool.add(game(("ann:b@2", "ben:b"), (1, 1), number=41))
    rated = pool.comparisons().rated()
    assert rated.elo("plyhouse:medium") == 1500
    assert rated.error("plyhouse:medium") == 0
    assert rated.elo("ann:b@1") > 1900
    assert rated.elo("ann:b@2") > 1750
    assert rated.elo("ann:b@2") > rated.elo("ben:b") > 1600
    assert rated.error("ann:b@2") > rated.error("ann:b@1")
    assert rated.variance("ann:b@1", "ann:b@2") < rated.variance("ann:b@2", "new:b")
    assert rated.elo("ann:b@3") == rated.elo("ann:b@2")
    assert rated.error("ann:b@2") < rated.error("ann:b@3") < rated.error("new:b")
    assert rated.variance("ann:b@2", "ann:b@3") == pytest.approx(120**2)


def test_what_does_not_count_changes_no_rating() -> None:
    pool = Pool(KEY)
    pool.add(game(("ann:b", "ben:b"), None))
    rated = pool.comparisons().rated()
    assert rated.elo("ann:b") == pytest.approx(rated.elo("ben:b"))
    assert (pool.tallies["ann:b"].void, pool.tallies["ann:b"].games, pool.met.total()) == (1, 0, 1)


def test_errors_running_are_counted_until_a_game_without_one() -> None:
    pool = Pool(KEY)
    for number in range(3):
        pool.add(game(("ann:b", "ben:b"), (2, 1), number=number, lost_by_error=(0,)))
    assert pool.tallies["ann:b"].errors_running == 3
    pool.add(game(("ann:b", "ben:b"), (2, 1), number=4))
    assert (pool.tallies["ann:b"].errors, pool.tallies["ann:b"].errors_running) == (3, 0)


def test_a_pool_grows_and_its_order_of_games_does_not_matter() -> None:
    played = [
        game((f"a{n}:b", f"a{(n * 7 + 1) % 150}:b"), number=n) for n in range(150) if n != (n * 7 + 1) % 150
    ]
    forward, back = Pool(KEY), Pool(KEY)
    for one in played:
        forward.add(one)
    for one in reversed(played):
        back.add(one)
    first, second = forward.comparisons().rated(), back.comparisons().rated()
    assert all(first.elo(name) == pytest.approx(second.elo(name), abs=1e-6) for name in forward.tallies)


# ---- who meets whom --------------------------------------------------------------------------------

NAMES = ["ann:b@1", "ann:b@2", "ann:c", "ben:b", "cat:b", "dan:b", "plyhouse:easy", "plyhouse:medium"]
entrants = st.lists(
    st.builds(
        Entrant,
        st.sampled_from(NAMES),
        st.integers(0, 3),
        st.frozensets(st.sampled_from(["ann", "ann:c", "ben", "dan:b"]), max_size=2),
    ),
    unique_by=lambda one: one.player,
    max_size=8,
)
played = st.lists(st.tuples(st.permutations(NAMES), st.integers(0, 5)), max_size=12)


@given(entrants, played, played)
def test_everybody_who_can_play_does_and_nobody_plays_too_much(
    ready: list[Entrant],
    before: list[tuple[list[str], int]],
    begun: list[tuple[list[str], int]],
) -> None:
    pool, returns = Pool(KEY), Returns()
    for number, (names, _) in enumerate(before):
        pool.add(game((names[0], names[1]), number=number))
    for names, opening in begun:
        returns.begin((names[0], names[1]), opening)
    chosen = pairings(ready, pool.comparisons().rated(), pool.met, returns)
    room = Counter({one.player: one.room for one in ready})
    by_name = {one.player: one for one in ready}
    for pairing in chosen:
        room.subtract(pairing.players)
        one, other = (by_name[player] for player in pairing.players)
        assert one.meets(other)
        assert other.meets(one)
    assert all(left >= 0 for left in room.values())
    met = {frozenset(pairing.players) for pairing in chosen}
    for one in ready:
        for other in ready:
            is_left = room[one.player] > 0 and room[other.player] > 0 and one.player != other.player
            assert not (is_left and one.meets(other)) or frozenset((one.player, other.player)) in met


@given(entrants, played, st.integers(3, 5))
def test_tables_are_full_and_everybody_at_them_may_meet(
    ready: list[Entrant], before: list[tuple[list[str], int]], seats: int
) -> None:
    ready = [
        replace(one, seats=frozenset({2, seats} if number % 4 else {2})) for number, one in enumerate(ready)
    ]
    pool = Pool(KEY)
    for number, (names, _) in enumerate(before):
        pool.add(game(tuple(names[:seats]), tuple(range(1, seats + 1)), number=number))
    chosen = tables(ready, pool.comparisons().rated(), pool.met, seats)
    by_name = {one.player: one for one in ready}
    taken = Counter(player for pairing in chosen for player in pairing.players)
    assert all(count <= by_name[player].room for player, count in taken.items())
    assert len({frozenset(pairing.players) for pairing in chosen}) == len(chosen)
    for pairing in chosen:
        table = [by_name[player] for player in pairing.players]
        assert len(table) == seats
        assert all(seats in one.seats for one in table)
        assert all(one.meets(other) for one, other in permutations(table, 2))
    able = [one for one in ready if seats in one.seats and one.room > 0]
    is_possible = any(map(together, combinations(able, seats)))
    assert not is_possible or seats > 3 or chosen, "any two who meet begin a table, which a third one fills"


def together(table: Iterable[Entrant]) -> bool:
    return all(one.meets(other) for one, other in combinations(table, 2))


@given(entrants)
def test_who_can_sit_at_no_table_whoever_is_free_does_not_wait_for_one(ready: list[Entrant]) -> None:
    ready = [replace(one, seats=frozenset({2, 3} if number % 4 else {2})) for number, one in enumerate(ready)]
    able = [one for one in ready if 3 in one.seats]
    patient = {one.player for one in ready if one.client != "ben"}
    could_sit = {one for table in combinations(able, 3) if together(table) for one in table}
    found = unseatable(ready, Pool(KEY).comparisons().rated(), Counter(), 3, patient)
    waiting = {one for one in able if one.room > 0 and one.player in patient}
    assert found == {one.player for one in waiting - could_sit}


def test_many_who_can_sit_at_no_table_are_found_in_turn() -> None:
    names = [f"m{number:02}" for number in range(40)]
    apart = [Entrant(f"{name}:b", avoid=frozenset(names), seats=frozenset({2, 3})) for name in names]
    players, rated = {one.player for one in apart}, Pool(KEY).comparisons().rated()
    first, second = (unseatable(apart, rated, Counter(), 3, players, turn) for turn in range(2))
    assert (len(first), first | second) == (TRIED, players)


def test_patient_players_wait_for_a_table_only_if_it_can_be_filled() -> None:
    seats = frozenset({2, 3})
    free = [Entrant("ann:b", avoid=frozenset({"ben"}), seats=seats)]
    free += [Entrant(f"{name}:b", seats=seats) for name in ("ben", "cat")]
    patient = {one.player for one in free}

    def chosen(*busy: Entrant) -> list[tuple[str, ...]]:
        rated = Pool(KEY).comparisons().rated()
        choice = Choice([*free, *busy], rated, Counter(), (), {2: 9}, patient)
        return [pairing.players for pairing in choice.games(0)]

    assert len(chosen()) == 1, "ann and ben never sit at one table, and there is nobody else"
    assert chosen(Entrant("dan:b", 0, seats=seats)) == [], "dan may come to a table with cat and one of them"
    assert len(chosen(Entrant("dan:b", 0, frozenset({"cat"}), seats))) == 1


def test_the_same_players_sit_elsewhere_each_time() -> None:
    ready = [Entrant(f"{name}:b", seats=frozenset({3})) for name in ("ann", "ben", "cat")]
    pool, seats = Pool(KEY), Counter[tuple[str, int]]()
    for number in range(6):
        [pairing] = tables(ready, pool.comparisons().rated(), pool.met, 3)
        pool.add(game(pairing.players, (1, 2, 3), number=number))
        seats.update((player, seat) for seat, player in enumerate(pairing.players))
    assert set(seats.values()) == {2}
    assert len(seats) == 9
    assert sizes(ready, pool.by_seats) == [3]
    both = [replace(one, seats=frozenset({2, 3}), room=0) for one in ready]
    assert sizes(both, pool.by_seats) == [2, 3]
    assert sizes(both[:2], pool.by_seats) == [2]
    levels = [Entrant(f"plyhouse:{name}", seats=frozenset({2, 3})) for name in ("easy", "hard")]
    assert sizes([both[0], *levels], pool.by_seats) == [2], "one level at a table"


def at_table(*leaves: tuple[int, e.Left], drawn_at: int | None = None) -> RatedResult:
    """The result of a ``table_of_three``."""
    found = result_of(table_of_three(*leaves, drawn_at=drawn_at))
    assert found is not None
    return found


def table_of_three(*leaves: tuple[int, e.Left], drawn_at: int | None = None) -> GameState:
    """A game of nine moves at a table of three that is over, and which players left after so many moves.

    ``drawn_at``: after how many the server ends it as a draw.
    """
    names = ("ann", "ben", "cat")
    seats = tuple(Seat(SeatKind.BOT, name, f"{name}:b") for name in names)
    position = Position("toy-draw", "standard", ladder_config("toy-draw", 7, 3))
    players = LadderGame(tuple(f"{name}:b" for name in names), names, 7)
    log: list[e.Event] = [
        e.Created("toy-draw", "standard", position.config, position.secret, seats, 0, ladder=players)
    ]
    for ply, left in leaves:
        while position.ply < ply:
            log.append(taken(position))
        log.append(left)
        position.forfeit(left.seat)
    while position.outcome is None and position.ply != drawn_at:
        log.append(taken(position))
    if drawn_at is not None:
        log.append(e.Adjudicated("ply-limit", is_void=False))
    state = fold("g", [e.Recorded(seq, 1000 * seq, event) for seq, event in enumerate(log, start=1)])
    assert state is not None
    return state


def taken(position: Position) -> e.Moved:
    """The next move, which is played."""
    seat = position.to_act[0]
    position.play("take")
    return e.Moved(seat, position.history[-1])


@pytest.mark.parametrize("ply", [0, 5, 6])
@pytest.mark.parametrize("reason", [LeaveReason.ILLEGAL_MOVE, LeaveReason.TIMEOUT, LeaveReason.RESIGNATION])
def test_the_others_play_on_at_a_table_and_who_left_by_an_error_has_failed(
    reason: LeaveReason, ply: int
) -> None:
    found = at_table((ply, e.Left(0, reason)))
    is_silent = reason is LeaveReason.TIMEOUT and ply < 6
    assert found.lost_by_error == ((0,) if is_silent or reason is LeaveReason.ILLEGAL_MOVE else ())
    assert found.reason == "points"
    assert found.places is not None, "the others have played"
    assert found.places[0] == 3


def test_a_bot_that_never_answers_at_tables_has_lost_games_by_errors_running() -> None:
    pool = Pool(KEY)
    for _ in range(3):
        pool.add(at_table((1, e.Left(1, LeaveReason.TIMEOUT))))
    assert {name: tally.errors_running for name, tally in pool.tallies.items()} == {
        "ann:b": 0,
        "ben:b": 3,
        "cat:b": 0,
    }


def test_all_who_leave_a_table_share_a_place_if_one_stays() -> None:
    timeout, resigned = e.Left(1, LeaveReason.TIMEOUT), e.Left(0, LeaveReason.RESIGNATION)
    early, later = at_table((0, timeout), (3, resigned)), at_table((0, timeout), (6, resigned))
    assert (early.places, early.lost_by_error) == (None, (1,)), "there was no game"
    assert (later.places, later.lost_by_error) == ((2, 2, 1), (1,))


def test_who_left_a_table_does_not_share_a_draw() -> None:
    left = e.Left(1, LeaveReason.RESIGNATION)
    assert at_table(drawn_at=7).places == (1, 1, 1)
    assert at_table((6, left), drawn_at=7).places == (1, 3, 1)


def test_each_seat_of_a_table_is_told_how_it_left_itself() -> None:
    timeout = e.Left(1, LeaveReason.TIMEOUT)
    resigned = e.Left(0, LeaveReason.RESIGNATION, note="illegal move 'x'")
    alone = at_table((0, timeout), (6, resigned))
    assert [alone.ending(seat) for seat in range(3)] == [
        ("resignation", "illegal move 'x'"),
        ("timeout", None),
        ("resignation", None),
    ]
    played = at_table((6, resigned))
    assert [played.ending(seat) for seat in range(3)] == [
        ("resignation", "illegal move 'x'"),
        ("points", None),
        ("points", None),
    ]
    drawn = replace(played, reason="ply-limit", note="draw after 200 moves")
    assert drawn.ending(1) == ("ply-limit", "draw after 200 moves"), "a note about the game is for all"
    pair = replace(alone, players=alone.players[:2], left=alone.left[1:])
    assert pair.ending(1) == ("resignation", "illegal move 'x'"), "the winner of a pair is told why"


def test_authors_are_told_how_their_own_bots_left_a_table() -> None:
    timeout = e.Left(1, LeaveReason.TIMEOUT)
    resigned = e.Left(0, LeaveReason.RESIGNATION, note="illegal move 'x'")
    alone = table_of_three((0, timeout), (6, resigned))
    drawn = table_of_three((0, timeout), drawn_at=7)

    def told(state: GameState) -> list[tuple[object, ...]]:
        ends = [finished(game, state) for name in ("ann", "ben", "cat") for game in own_games(name, state)]
        return [(end.score, end.result and (end.result.reason, end.result.note)) for end in ends]

    assert told(alone) == [
        ("lost", ("resignation", "illegal move 'x'")),
        ("lost", ("timeout", None)),
        ("won", ("resignation", None)),
    ]
    assert told(drawn) == [
        ("drawn", ("ply-limit", None)),
        ("lost", ("timeout", None)),
        ("drawn", ("ply-limit", None)),
    ]


def test_bots_meet_neither_themselves_nor_those_whom_they_avoid() -> None:
    assert not Entrant("ann:b@1").meets(Entrant("ann:b@2"))
    assert not Entrant("ann:b").meets(Entrant("ann:c")), "nobody gets ratings from bots of his own"
    assert not Entrant("plyhouse:easy").meets(Entrant("plyhouse:hard"))
    assert not Entrant("ann:b", avoid=frozenset(["ben"])).meets(Entrant("ben:b@3"))
    assert not Entrant("ben:b@3").meets(Entrant("ann:b", avoid=frozenset(["ben:b"])))
    assert Entrant("ben:c").meets(Entrant("ann:b", avoid=frozenset(["ben:b"])))


def test_an_opening_is_played_with_both_seatings() -> None:
    returns = Returns()
    returns.begin(("ann:b", "ben:b"), 5)
    returns.begin(("ann:b", "cat:b"), 6)
    assert list(returns) == [Pairing(("ben:b", "ann:b"), 5), Pairing(("cat:b", "ann:b"), 6)]
    ready = [Entrant("ann:b"), Entrant("ben:b"), Entrant("dan:b")]
    rated = Pool(KEY).comparisons().rated()
    assert pairings(ready, rated, Counter(), returns) == [Pairing(("ben:b", "ann:b"), 5)]
    returns.begin(("ben:b", "ann:b"), 5)
    returns.cancel(("ann:b", "cat:b"), 6)
    assert not list(returns)


def test_uncertain_players_meet_first_and_near_ones_rather_than_distant_ones() -> None:
    pool = Pool(KEY)
    for number in range(60):
        pool.add(game(("strong:b", "plyhouse:medium"), number=number))
        pool.add(game(("weak:b", "plyhouse:medium"), (2, 1), number=number + 100))
    rated = pool.comparisons().rated()
    ready = [Entrant("new:b"), Entrant("plyhouse:medium"), Entrant("strong:b")]
    assert set(pairings(ready, rated, Counter(), ())[0].players) == {"new:b", "plyhouse:medium"}


def test_patient_players_wait_for_a_busy_one_who_is_the_better_opponent() -> None:
    pool = Pool(KEY)
    for number in range(4):
        pool.add(game(("ann:b", "ben:b"), number=number))
    rated = pool.comparisons().rated()
    free, busy = [Entrant("ann:b"), Entrant("ben:b")], [Entrant("cleo:b", 0), Entrant("dan:b", 0)]
    both = {"ann:b", "ben:b"}
    assert pairings([*free, *busy], rated, pool.met, (), both) == []
    assert len(pairings([*free, *busy], rated, pool.met, (), {"ann:b"})) == 1, "ben has waited long enough"
    assert len(pairings(free, rated, pool.met, (), both)) == 1, "there is nobody to wait for"
    returning = Pairing(("ben:b", "ann:b"), 5)
    assert pairings([*free, *busy], rated, pool.met, [returning], both) == [returning]
    avoided = [Entrant(one.player, 0, frozenset({"ann", "ben"})) for one in busy]
    assert len(pairings([*free, *avoided], rated, pool.met, (), both)) == 1


def test_everybody_meets_everybody_where_all_games_take_as_long() -> None:
    """In turn, the games of one half of the bots end while those of the other half are being played."""
    pool, bots = Pool(KEY), [f"{name}:b" for name in ("ann", "ben", "cleo", "dan")]
    running: list[tuple[str, ...]] = []
    for number in range(40):
        if len(running) > number % 2:
            pool.add(game(running.pop(0), number=number))
        busy = {player for players in running for player in players}
        entrants = [Entrant(player, int(player not in busy)) for player in bots]
        chosen = pairings(entrants, pool.comparisons().rated(), pool.met, (), bots)
        running += [pairing.players for pairing in chosen]
    assert len(pool.met) == 6
    assert max(pool.met.values()) <= 2 * min(pool.met.values())


def test_idle_bots_that_avoid_others_keep_nobody_from_playing() -> None:
    idle = [
        Entrant(f"m{n:02}:b", avoid=frozenset(["aaa", "zed", *(f"m{n:02}" for n in range(40))]))
        for n in range(40)
    ]
    rated = Pool(KEY).comparisons().rated()
    chosen = pairings([Entrant("aaa:b"), *idle, Entrant("zed:b")], rated, Counter(), ())
    assert [set(pairing.players) for pairing in chosen] == [{"aaa:b", "zed:b"}]


def test_a_bot_that_never_answers_is_met_less_and_less() -> None:
    pool = Pool(KEY)
    for number in range(3):
        pool.add(game(("evil:b", "ann:b"), None, number, lost_by_error=(0,)))
    ready = [Entrant("evil:b"), Entrant("ann:b"), Entrant("ben:b")]
    chosen = pairings(ready, pool.comparisons().rated(), pool.met, ())
    assert set(chosen[0].players) != {"evil:b", "ann:b"}


def test_an_error_of_the_server_is_no_loss() -> None:
    left = e.Left(1, LeaveReason.RESIGNATION, note=SERVER_ERROR)
    found = result(*moves("---", "---", "---", "---"), left)
    assert found is not None
    assert (found.places, found.lost_by_error) == (None, ())


@pytest.mark.parametrize(
    ("client", "bot", "version"),
    [("ann", "b", ""), ("ann", "b", "2.1"), ("ann", "x@home", ""), ("ann", "x@home", "2"), ("a@b", "c", "")],
)
def test_a_player_is_a_version_of_its_bot(client: str, bot: str, version: str) -> None:
    listed = ListedBot(client, bot, "B", "hive", {}, is_official=False, version=version)
    assert bot_of(player_id(listed)) == listed.id
    assert not is_level(player_id(listed))
    assert (player_id(listed) == listed.id) == (version == "" and "@" not in bot)


def test_quiet_hours_may_pass_midnight() -> None:
    night, day = LadderTerms(quiet_hours=(22, 6)), LadderTerms(quiet_hours=(9, 17))
    assert [hour for hour in range(24) if night.is_quiet(hour)] == [*range(6), 22, 23]
    assert [hour for hour in range(24) if day.is_quiet(hour)] == list(range(9, 17))
    assert not any(LadderTerms().is_quiet(hour) for hour in range(24))


@pytest.mark.parametrize(
    ("name", "variant"), [(row.name, variant) for row in games() for variant in row.variants]
)
def test_openings_differ_and_are_the_same_for_both_games(name: str, variant: str) -> None:
    starts = []
    for opening in range(8):
        position = Position(name, variant, ladder_config(name, opening))
        played_moves = opening_moves(position, opening)
        assert played_moves == opening_moves(position, opening)
        assert position.ply == 0
        position.play(*played_moves)
        assert position.to_act
        starts.append((tuple(played_moves), str(position.secret), str(position.config)))
    assert len(set(starts)) > 1
