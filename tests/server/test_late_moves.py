"""Time controls under which a seat that is late makes the game's late move and the game goes on."""

from dataclasses import replace

import httpx
import pytest

from engines import Position, games
from engines.late_moves import late_move
from protocols.records import formats
from protocols.records import json as json_records
from protocols.records.record import Reading
from protocols.records.replay import replay, result_of, start_of
from protocols.values import OfferKind, Record, Status, TimeControl
from server.domain import commands as c
from server.domain.clocks.clock import CREDIT_MS, ClockMode
from server.domain.events import Recorded
from server.domain.fold import fold
from server.domain.game import GameState
from server.domain.records import log_of, record_of
from tests.server.services import opening
from tests.server.test_decide import Table, maze

SECOND = TimeControl(0, 0, move_ms=1000)
WITH_START = TimeControl(0, 0, starts_at_once=True, move_ms=1000, preprocessing_ms=3000)


def started(control: TimeControl = SECOND) -> Table:
    """A game after its first turn, played at 0."""
    table = maze(control)
    table.do(c.Move(0, "UP"))
    table.do(c.Move(1, "DOWN"))
    return table


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


def test_without_players_the_game_plays_itself_to_its_end() -> None:
    table, now = started(), 0
    while table.state.status is Status.PLAYING:
        now += 1000 + CREDIT_MS
        table.do(c.Expire(), now)
    assert table.state.moves == ("UP/DOWN", *["STAY/STAY"] * 8)
    assert table.state.result is not None
    assert table.state.result.reason == "ply-limit"


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
