"""Time controls under which a seat that is late makes the game's late move and the game goes on."""

from dataclasses import replace
from typing import Any

import httpx
import pytest

from engines import Position, games
from engines.late_moves import late_move
from protocols.records import formats
from protocols.records import json as json_records
from protocols.records.record import Reading
from protocols.records.replay import replay, result_of, start_of
from protocols.values import LeaveReason, OfferKind, Record, Status, TimeControl
from server.domain import commands as c
from server.domain.clock import CREDIT_MS, ClockMode
from server.domain.decide import decide
from server.domain.errors import Code
from server.domain.events import Moved, Recorded, Sealed, late_seats
from server.domain.fold import fold
from server.domain.game import GameState
from server.domain.records import log_of, record_of
from tests.server.services import opening
from tests.server.test_decide import Table, maze, public_position

SECOND = TimeControl(0, 0, move_ms=1000)
WITH_START = TimeControl(0, 0, starts_at_once=True, move_ms=1000, preprocessing_ms=3000)


def started(control: TimeControl = SECOND) -> Table:
    """A game after its first turn, played at 0."""
    table = maze(control)
    table.do(c.Move(0, "UP"))
    table.do(c.Move(1, "DOWN"))
    return table


def clocks(table: Table, now: int) -> tuple[list[int], list[int]]:
    """The time left and the running clocks."""
    shown = public_position(table.state, now)
    return shown["clocks"], shown["running"]


# ---- the late move of a game ---------------------------------------------------------------------


@pytest.mark.parametrize("game", [row.name for row in games() if late_move(row.name)])
def test_a_late_move_is_always_possible(game: str) -> None:
    for seed in range(20):
        position = Position(game, None, {"seed": seed})
        for turn in range(60):
            if position.outcome is not None:
                break
            for seat in position.to_act:
                assert position.check(late_move(game) or "", seat)
            legal = [position.legal(seat) for seat in position.to_act]
            position.play("/".join(moves[(seed + turn) % len(moves)] for moves in legal))


def test_some_games_have_no_late_move() -> None:
    assert (late_move("pyrat"), late_move("hive"), late_move("no such game")) == ("STAY", None, None)


# ---- expiry --------------------------------------------------------------------------------------


def test_all_seats_that_are_late_stay() -> None:
    table = started()
    assert decide(table.state, c.Expire(), 1000 + CREDIT_MS - 1).events == ()
    table.do(c.Expire(), now=1000 + CREDIT_MS)
    assert (table.state.moves, table.state.status) == (("UP/DOWN", "STAY/STAY"), Status.PLAYING)
    assert late_seats(one.event for one in table.log) == (0, 1)
    assert clocks(table, 1000 + CREDIT_MS) == ([1000, 1000], [0, 1])


@pytest.mark.parametrize(("seat", "recorded"), [(0, "RIGHT/STAY"), (1, "STAY/LEFT")])
def test_a_move_in_time_counts_although_the_other_seat_is_late(seat: int, recorded: str) -> None:
    table = started()
    table.do(c.Move(seat, recorded.split("/")[seat]), now=400)
    assert clocks(table, 500) == ([1000, 500] if seat == 0 else [500, 1000], [1 - seat])
    table.do(c.Expire(), now=1000 + CREDIT_MS)
    assert table.state.moves[-1] == recorded
    assert late_seats(one.event for one in table.log) == (1 - seat,)


def test_a_late_move_that_waits_for_another_seat_is_sealed() -> None:
    table = started()
    table.do(c.SetClock(0, ClockMode.STANDS))
    table.do(c.Expire(), now=1000 + CREDIT_MS)
    sealed = table.log[-1].event
    assert isinstance(sealed, Sealed)
    assert (sealed.seat, sealed.is_late, table.state.to_act) == (1, True, (0,))
    assert table.refused(c.Move(1, "UP"), now=1200).code is Code.ALREADY_MOVED
    table.do(c.Move(0, "RIGHT"), now=5000)
    assert table.state.moves[-1] == "RIGHT/STAY"


def test_stopping_a_clock_that_has_run_out_makes_the_late_move() -> None:
    table = started()
    table.do(c.SetClock(1, ClockMode.STANDS), now=1000)
    assert late_seats(one.event for one in table.log) == (1,)
    assert table.state.to_act == (0,)


def test_a_move_that_arrives_after_its_time_is_not_played() -> None:
    table = started()
    table.do(c.Move(0, "RIGHT"), now=1000 + CREDIT_MS - 1)
    table.do(c.Move(1, "LEFT", message_id="a"), now=1000 + CREDIT_MS)
    moved = table.log[-1].event
    assert isinstance(moved, Moved)
    assert (moved.move, moved.late, moved.message_id) == ("RIGHT/STAY", (1,), None)


def test_the_first_move_is_timed_only_with_time_for_preprocessing() -> None:
    assert clocks(maze(SECOND), 0) == ([1000, 1000], [])
    table = maze(WITH_START)
    assert clocks(table, 500) == ([3500, 3500], [0, 1])
    table.do(c.Move(0, "UP"), now=3900)
    table.do(c.Expire(), now=4000 + CREDIT_MS)
    assert table.state.moves == ("UP/STAY",)
    assert clocks(table, 4200) == ([900, 900], [0, 1])


def test_after_a_takeback_every_seat_has_the_whole_time_for_its_move() -> None:
    table = started()
    table.do(c.Move(0, "RIGHT"), now=700)
    table.do(c.Propose(1, OfferKind.TAKEBACK), now=800)
    table.do(c.Accept(0, OfferKind.TAKEBACK), now=900)
    assert (table.state.ply, table.state.pending, clocks(table, 900)) == (0, {}, ([1000, 1000], []))


def test_without_players_the_game_plays_itself_to_its_end() -> None:
    table, now = started(), 0
    while table.state.status is Status.PLAYING:
        now += 1000 + CREDIT_MS
        table.do(c.Expire(), now)
    assert table.state.moves == ("UP/DOWN", *["STAY/STAY"] * 8)
    assert table.state.result is not None
    assert table.state.result.reason == "ply-limit"


@pytest.mark.parametrize("control", [TimeControl(1, 0), TimeControl(0, 1)])
def test_other_time_controls_lose_the_game(control: TimeControl) -> None:
    table = started(control)
    table.do(c.Move(1, "LEFT"), now=500)
    table.do(c.Expire(), now=1000 + CREDIT_MS)
    assert table.state.result is not None
    assert (table.state.result.winners, table.state.result.reason) == ((1,), LeaveReason.TIMEOUT.value)
    assert (table.state.moves, table.state.pending) == (("UP/DOWN",), {})


def test_a_record_keeps_the_time_control() -> None:
    table = started(WITH_START)
    record = record_of(table.state, table.log)
    control = json_records.read(json_records.write(record)).record.time_control
    assert control == replace(WITH_START, starts_at_once=False)


def test_a_record_says_who_was_late() -> None:
    table = started()
    table.do(c.Move(0, "RIGHT"), now=400)
    table.do(c.Expire(), now=1000 + CREDIT_MS)
    table.do(c.Expire(), now=3000)
    table.do(c.SetClock(0, ClockMode.STANDS), now=3000)
    table.do(c.Expire(), now=5000)
    table.do(c.Move(0, "STAY"), now=6000)
    record = record_of(table.state, table.log)
    assert record.moves == ("UP/DOWN", "RIGHT/STAY", "STAY/STAY", "STAY/STAY")
    assert record.late == ((), (1,), (0, 1), (1,))
    for name in ("json", "prf"):
        back = formats.read(formats.write(record, name))
        assert back.record.late == record.late
    assert record_of(*imported(record)).late == record.late


def test_a_record_forgets_who_was_late_in_moves_taken_back() -> None:
    table = started()
    table.do(c.Expire(), now=1000 + CREDIT_MS)
    table.do(c.SetClock(0, ClockMode.STANDS), now=1200)
    table.do(c.Expire(), now=3000)
    table.do(c.Propose(0, OfferKind.TAKEBACK), now=3000)
    table.do(c.Accept(1, OfferKind.TAKEBACK), now=3000)
    table.do(c.Move(0, "STAY"), now=3000)
    table.do(c.Move(1, "STAY"), now=3000)
    assert record_of(table.state, table.log).late is None


def imported(record: Record) -> tuple[GameState, list[Recorded]]:
    """The game and the log of a record."""
    reading = Reading(record)
    position = replay(reading)
    events = log_of(record, start_of(record), position, result_of(record, position))
    log = [Recorded(seq, 0, event) for seq, event in enumerate(events, start=1)]
    state = fold("game", log)
    assert state is not None
    return state, log


# ---- over HTTP -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "control", "field"),
    [
        ("hive", {"moveMs": 1000}, "timeControl"),
        ("hive", {"initialSeconds": 60, "preprocessingMs": 1000}, "timeControl"),
        ("pyrat", {"moveMs": 99}, "timeControl"),
        ("pyrat", {"moveMs": 3_600_001}, "timeControl"),
        ("pyrat", {"moveMs": 1000, "preprocessingMs": -1}, "timeControl"),
        ("pyrat", {"moveMs": 1000, "initialSeconds": 60}, "timeControl"),
        ("pyrat", {"initialSeconds": 60, "preprocessingMs": 0}, "timeControl"),
    ],
)
async def test_time_controls_that_a_game_cannot_have(
    client: httpx.AsyncClient, game: str, control: dict[str, Any], field: str
) -> None:
    body = {"game": game, "seats": [{"kind": "human"}] * 2, "timeControl": control}
    answer = await client.post("/api/games", json=body)
    assert (answer.status_code, answer.json()["code"]) == (422, "bad-time-control")
    assert answer.json()["field"] == field


@pytest.mark.parametrize("control", [{}, {"incrementSeconds": 3}, {"moveMs": "1000"}, {"moveMs": 1.5}])
async def test_malformed_time_controls(client: httpx.AsyncClient, control: dict[str, Any]) -> None:
    body = {"game": "pyrat", "seats": [{"kind": "human"}] * 2, "timeControl": control}
    answer = await client.post("/api/games", json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


async def test_a_game_shows_its_time_for_moves(client: httpx.AsyncClient) -> None:
    control = {"moveMs": 60_000, "preprocessingMs": 5000}
    game = await opening(client, "pyrat", timeControl=control)
    shown = (await client.get(f"/api/games/{game['gameId']}")).json()
    assert shown["matchStatus"]["config"]["timeControl"] == {
        "initialSeconds": 0,
        "incrementSeconds": 0,
        **control,
    }
    assert shown["position"]["running"] == [0, 1]
    assert all(60_000 < left <= 65_000 for left in shown["position"]["clocks"])
    rules = (await client.get("/api/rules")).json()["games"]
    assert {row["game"]: row["about"].get("lateMove") for row in rules}.get("hive") is None
