"""Admission to the engines: reserved shares, waiting and refusals, and limits per client address."""

import logging

import pytest

from protocols.bgs.config import Setup
from server.domain.errors import ApiError, Code
from server.ports.analysts import AnalystSession
from server.services.address_limit import AddressLimit
from server.services.bots.admission import CALM_SECONDS, Admission, Budget, Quotas
from server.services.bots.session_slots import KEPT_SECONDS, SessionSlot, SessionSlots, Shares, Use
from server.services.games.opened_games import GAME_SECONDS, OpenedGames

RESERVED = {Use.BOT_MOVE: 4, Use.EVAL_BAR: 2, Use.ANALYSIS: 1}
HERE = "203.0.113.7"


class Clock:
    """A clock in seconds that tests set."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


class Keeper(SessionSlot):
    """The owner of a session, which ends it when asked."""

    def __init__(self, places: SessionSlots, use: Use) -> None:
        super().__init__(use, on_grant=lambda: None, take_back=self.end)
        self.places = places
        places.admit(self)

    def end(self) -> None:
        self.places.leave(self)


class Ditherer(Keeper):
    """An owner that is slow to end its session."""

    def end(self) -> None:
        """Not yet."""


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def places(clock: Clock) -> SessionSlots:
    rest = {Use.BOT_MOVE: 0.0, Use.EVAL_BAR: 60.0, Use.ANALYSIS: 60.0}
    return SessionSlots(Shares(10, RESERVED), rest, clock, lambda _: None)


def keep(places: SessionSlots, use: Use, count: int) -> list[Keeper]:
    return [Keeper(places, use) for _ in range(count)]


def granted(keepers: list[Keeper]) -> int:
    return sum(keeper.is_granted for keeper in keepers)


@pytest.mark.parametrize(
    ("counts", "room"),
    [
        ((0, 0, 0, 0), {0, 1, 2, 3}),
        ((4, 2, 1, 0), {0, 1, 2, 3}),
        ((0, 0, 0, 3), {0, 1, 2}),
        ((7, 0, 0, 0), {1, 2}),
        ((7, 2, 0, 0), {2}),
        ((0, 5, 0, 0), {0, 2}),
        ((4, 5, 0, 0), {2}),
        ((3, 5, 1, 0), {0}),
        ((4, 5, 1, 0), set()),
    ],
)
def test_each_use_has_a_reserved_share_and_the_rest_is_shared(
    counts: tuple[int, ...], room: set[int]
) -> None:
    shares, by_use = Shares(10, RESERVED), dict(zip(Use, counts, strict=True))
    assert {use.value for use in Use if shares.have_room(by_use, use)} == room


def test_bars_and_analyses_cannot_take_the_share_of_bots(places: SessionSlots) -> None:
    assert granted(keep(places, Use.EVAL_BAR, 9)) == 5
    assert granted(keep(places, Use.BOT_MOVE, 9)) == 4
    assert granted(keep(places, Use.ANALYSIS, 9)) == 1


def test_bots_take_idle_sessions_immediately_and_others_after_a_minute(
    places: SessionSlots, clock: Clock
) -> None:
    bots = keep(places, Use.BOT_MOVE, 7)
    first = keep(places, Use.ANALYSIS, 1)[0]
    places.rest(bots[1])
    clock.seconds += 1
    places.rest(bots[0])
    clock.seconds += 30
    with pytest.raises(ApiError):
        places.check_room(Use.ANALYSIS)
    assert Keeper(places, Use.BOT_MOVE).is_granted
    assert places.counts[Use.BOT_MOVE] == 7
    assert [bot.is_taken_back for bot in bots[:2]] == [False, True], "the longest idle one"
    clock.seconds += 60
    places.check_room(Use.ANALYSIS)
    assert Keeper(places, Use.ANALYSIS).is_granted
    assert bots[0].is_taken_back
    assert not first.is_taken_back


def test_an_unused_session_is_taken_immediately(places: SessionSlots) -> None:
    bars = keep(places, Use.EVAL_BAR, 5)
    with pytest.raises(ApiError):
        places.check_room(Use.EVAL_BAR)
    places.abandon(bars[3])
    places.check_room(Use.EVAL_BAR)
    assert Keeper(places, Use.EVAL_BAR).is_granted
    assert bars[3].is_taken_back


def test_a_reserved_session_is_not_taken_for_another_use(places: SessionSlots, clock: Clock) -> None:
    bots = keep(places, Use.BOT_MOVE, 4)
    keep(places, Use.EVAL_BAR, 5)
    for bot in bots:
        places.rest(bot)
    clock.seconds += 100
    with pytest.raises(ApiError):
        places.check_room(Use.EVAL_BAR)


def test_waiting_sessions_are_served_by_urgency_then_order(places: SessionSlots) -> None:
    thinking = keep(places, Use.BOT_MOVE, 7)
    keep(places, Use.EVAL_BAR, 2)
    keep(places, Use.ANALYSIS, 1)
    analysis = Keeper(places, Use.ANALYSIS)
    waiting = keep(places, Use.BOT_MOVE, 2)
    assert granted([analysis, *waiting]) == 0
    with pytest.raises(ApiError):
        places.check_room(Use.BOT_MOVE)
    for served in (waiting[0], waiting[1], analysis):
        thinking.pop().end()
        assert served.is_granted
    assert not places.waiting


def test_a_cancelled_wait_is_forgotten(places: SessionSlots) -> None:
    thinking = keep(places, Use.BOT_MOVE, 7)
    impatient, patient = keep(places, Use.BOT_MOVE, 2)
    impatient.end()
    thinking[0].end()
    assert (impatient.is_granted, patient.is_granted) == (False, True)


def test_one_session_is_taken_back_per_waiting_one(places: SessionSlots) -> None:
    slow = [Ditherer(places, Use.BOT_MOVE) for _ in range(7)]
    for one in slow:
        places.rest(one)
    waiting = keep(places, Use.BOT_MOVE, 3)
    assert sum(one.is_taken_back for one in slow) == 3
    places.check_room(Use.BOT_MOVE)
    places.leave(slow[0])
    assert [one.is_granted for one in waiting] == [True, False, False]
    assert sum(one.is_taken_back for one in slow[1:]) == 2


# ---- admission -----------------------------------------------------------------------------------


class Remote:
    """The client of an attached bot."""

    time_limit: float | None = 10.0
    most_sessions: int | None = None

    def __init__(self, name: str) -> None:
        self.id = name

    def session(self, session_id: str, bot_id: str, setup: Setup) -> AnalystSession:
        """Not used."""
        raise NotImplementedError


async def test_sessions_of_attached_clients_are_counted_separately(clock: Clock) -> None:
    admission = Admission(Quotas(sessions=2, sessions_per_client=3), clock)
    for name in ("one", "other"):
        places = admission.slots_of(Remote(name))
        assert granted(keep(places, Use.BOT_MOVE, 5)) == 3
        assert admission.slots_of(Remote(name)) is places
    assert granted(keep(admission.pool, Use.BOT_MOVE, 5)) == 2


async def test_a_client_may_have_fewer_sessions_than_the_server_allows(clock: Clock) -> None:
    admission, client = Admission(Quotas(sessions_per_client=3), clock), Remote("one")
    assert granted(keep(admission.slots_of(client), Use.BOT_GAME, 3)) == 2, "one is for games of people"
    client.most_sessions = 1
    places = admission.slots_of(client)
    assert places.has_room(Use.BOT_GAME)
    assert granted(keep(places, Use.BOT_GAME, 2)) == 1
    assert not places.has_room(Use.BOT_GAME)


async def test_room_is_kept_for_an_awaited_session(clock: Clock) -> None:
    places = Admission(Quotas(sessions_per_client=4), clock).slots_of(Remote("one"))
    assert granted(keep(places, Use.BOT_GAME, 1)) == 1
    places.keep_room(Use.BOT_GAME)
    assert not places.has_room(Use.BOT_GAME)
    assert places.has_room(Use.BOT_GAME, is_awaited=True)
    assert places.has_room(Use.BOT_MOVE), "the share of people's games stays theirs"
    assert granted(keep(places, Use.BOT_MOVE, 2)) == 2
    with pytest.raises(ApiError):
        places.check_room(Use.BOT_MOVE)
    places.check_room(Use.BOT_GAME, is_awaited=True)
    clock.seconds += KEPT_SECONDS
    assert places.has_room(Use.BOT_GAME), "the awaited session has not come"


async def test_an_attached_clients_session_can_be_taken_after_a_minute(clock: Clock) -> None:
    admission = Admission(Quotas(sessions_per_client=1), clock)
    places = admission.slots_of(Remote("one"))
    held = Keeper(places, Use.BOT_MOVE)
    places.rest(held)
    clock.seconds += 59
    with pytest.raises(ApiError):
        places.check_room(Use.BOT_MOVE)
    clock.seconds += 1
    places.check_room(Use.BOT_MOVE)


async def test_a_busy_engine_is_logged_once(
    clock: Clock, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    admission = Admission(Quotas(sessions=1), clock)
    Keeper(admission.pool, Use.EVAL_BAR)
    caplog.set_level(logging.INFO)
    for _ in range(100):
        with pytest.raises(ApiError):
            admission.pool.check_room(Use.ANALYSIS)
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert admission.pressure.short == {Use.ANALYSIS: 100}
    assert (admission.pressure.is_busy, len(caplog.records)) == (True, 1)
    clock.seconds += CALM_SECONDS
    admission.pressure.check()
    assert (admission.pressure.is_busy, caplog.records[-1].levelname) == (False, "INFO")


def test_a_quarter_of_a_budget_is_reserved_for_small_requests() -> None:
    short: list[None] = []
    think_time = Budget(160, lambda: short.append(None))
    for _ in range(2):
        think_time.check(60)
        think_time.take(60)
    with pytest.raises(ApiError) as refusal:
        think_time.check(11)
    assert (refusal.value.code, len(short)) == (Code.UNAVAILABLE, 1)
    for _ in range(4):
        think_time.check(10)
        think_time.take(10)
    with pytest.raises(ApiError):
        think_time.check(1)
    think_time.give_back(60)
    think_time.check(20)
    Budget(0, lambda: None).check(10**12)


# ---- client addresses ----------------------------------------------------------------------------


def test_concurrent_uses_per_address_are_limited() -> None:
    limit = AddressLimit(2, "evaluation bars")
    with limit.holding(HERE), limit.holding(HERE):
        with pytest.raises(ApiError) as refusal, limit.holding(HERE):
            pass
        assert (refusal.value.code, refusal.value.limit) == (Code.TOO_MANY_REQUESTS, 2)
        for other in ("203.0.113.8", None):
            with limit.holding(other):
                pass
    with limit.holding(HERE), limit.holding(HERE):
        pass
    assert limit.refused == 1


def test_zero_means_no_limit() -> None:
    limit = AddressLimit(0, "evaluation bars")
    for _ in range(1000):
        limit.take(HERE)


def test_unfinished_games_count_for_an_hour(clock: Clock) -> None:
    games = OpenedGames(2, clock)
    for name in ("a", "b"):
        with games.opening(HERE) as opened:
            opened(name)
    with pytest.raises(ApiError) as refusal, games.opening(HERE):
        pass
    assert (refusal.value.code, refusal.value.limit) == (Code.TOO_MANY_REQUESTS, 2)
    games.end("a")
    with games.opening(HERE) as opened:
        opened("c")
    clock.seconds += GAME_SECONDS + 1
    with games.opening(HERE) as opened:
        opened("d")


def test_a_game_that_fails_to_open_does_not_count(clock: Clock) -> None:
    games = OpenedGames(1, clock)
    for _ in range(3):
        with pytest.raises(ApiError, match="no"), games.opening(HERE):
            raise ApiError(Code.BAD_CONFIG, "no")
