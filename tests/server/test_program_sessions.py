"""Programs of every kind behind engine sessions: one in each seat of a session, or a few for all."""

import asyncio
from pathlib import Path

import pytest

from engines import Position
from programs.engine.pool_searches import Finished
from programs.engine.program_searches import ProgramSearches
from programs.uhp import program as uhp_program
from programs.uhp.program import UhpProgramCommand
from protocols.bgs import engine
from protocols.bgs.messages import EvaluationLimits
from tests.server.seat_kinds import (
    BOARDS,
    PATIENT,
    PLAYERS,
    command_of,
)


class Sessions:
    """Engine sessions whose evaluations are a program's."""

    def __init__(self, kind: str, manner: str, folder: Path, *rest: object, processes: int = 1) -> None:
        command = command_of(kind, manner, folder, *rest)
        self.shared = command.shared(processes) if isinstance(command, UhpProgramCommand) else None
        self.results: asyncio.Queue[Finished] = asyncio.Queue()
        self.notes: list[str] = []
        searches = ProgramSearches(self.shared or command, PATIENT, self.notes.append)
        self.searches = searches.posting(self.results.put_nowait)
        self.position = Position(*BOARDS[kind])

    def open(self, name: str = "g") -> None:
        self.searches.carry_out(engine.SessionOpened(name, self.position.copy(), EvaluationLimits()))

    async def evaluate(self, name: str = "g") -> Finished:
        self.searches.carry_out(engine.Evaluate(name, EvaluationLimits()))
        return await self.results.get()

    async def stop(self) -> None:
        await self.searches.stop()
        if self.shared is not None:
            await self.shared.stop()


@pytest.mark.parametrize(("kind", "manner"), PLAYERS)
@pytest.mark.usefixtures("here")
async def test_a_session_has_a_program_in_each_seat(tmp_path: Path, kind: str, manner: str) -> None:
    at = Sessions(kind, manner, tmp_path)
    at.open()
    for _ in range(3):
        found = await at.evaluate()
        assert isinstance(found, engine.Evaluated)
        move, acting = found.evaluation.best_move, at.position.to_act
        parts = move.split("/") if len(acting) > 1 else [move]
        assert all(part in at.position.legal_moves(seat) for seat, part in zip(acting, parts, strict=True))
        assert len(found.evaluation.values) == 2
        assert found.evaluation.policies == (
            tuple({part: 1.0} for part in parts) if len(acting) > 1 else None
        )
        at.position.play(move)
        at.searches.carry_out(engine.Advance("g", move))
    at.searches.carry_out(engine.SessionClosed("g"))
    await at.stop()


@pytest.mark.parametrize("processes", [1, 3])
@pytest.mark.usefixtures("here")
async def test_sessions_take_turns_with_engines(tmp_path: Path, processes: int) -> None:
    at = Sessions("uhp", "rederives", tmp_path, processes=processes)
    openings = {"a": "wA1", "b": "wS1", "c": "wG1"}
    for name, move in openings.items():
        at.open(name)
        at.searches.carry_out(engine.Advance(name, move))
    for name in [*openings] * 2:
        at.searches.carry_out(engine.Evaluate(name, EvaluationLimits()))
    for _ in range(6):
        found = await at.results.get()
        assert isinstance(found, engine.Evaluated)
        position = Position("hive", "Base")
        position.play(openings[found.bgs_id])
        assert position.check(found.evaluation.best_move)
    await at.stop()


@pytest.mark.parametrize(
    ("kind", "manner", "good", "text"),
    [
        ("uhp", "dies", 0, "exit status 3"),
        ("uhp", "illegal", 0, "wQ"),
        ("uhp", "errs", 0, "I am tired"),
        ("uhp", "deaf", 0, "in time"),
        ("pyrat", "dies", 2, "has ended (exit status 3: no cheese left to live for)"),
        ("pyrat-host", "absent", 0, "exit status 1: cannot start"),
    ],
)
@pytest.mark.usefixtures("here")
async def test_a_session_whose_program_fails_has_no_answer(
    tmp_path: Path, kind: str, manner: str, good: int, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until the program has been started again."""
    if manner == "deaf":
        monkeypatch.setattr(uhp_program, "OVERDUE_SECONDS", -29.99)
    at = Sessions(kind, manner, tmp_path)
    at.open()
    for _ in range(good):
        assert isinstance(await at.evaluate(), engine.Evaluated)
    failed = await at.evaluate()
    assert isinstance(failed, engine.EvaluationFailed)
    assert text in failed.error
    assert isinstance(await at.evaluate(), engine.Evaluated if good else engine.EvaluationFailed)
    await at.stop()


@pytest.mark.usefixtures("here")
async def test_an_engine_that_dies_is_started_again(tmp_path: Path) -> None:
    at = Sessions("uhp", "once", tmp_path, tmp_path / "died")
    at.open()
    assert isinstance(await at.evaluate(), engine.Evaluated)
    await at.stop()
    assert at.notes == ["The engine has ended (exit status 1). Restarting the engine."]
