"""Programs of one seat, whatever their kind: in the arena, and behind engine sessions."""

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from engines import Position
from engines.arena import Contender, Match, play_match
from engines.bots import Bot, random_move
from engines.pool import Limits
from programs.arena.program_player import ProgramBot
from programs.engine.pool_searches import Finished
from programs.engine.program_searches import ProgramSearches
from programs.seat_programs import GONE, ProgramFailed, ProgramIdentity, TurnTimes, UnsuitableProgram, move_ms
from protocols.bgs import engine
from protocols.bgs.messages import EvaluationLimits
from protocols.values import ClockReading

TIMES = TurnTimes(1000, 3000)


@dataclass
class Chooser:
    """A program without a process: it plays at random and exits in front of ply ``lives``."""

    command: "ChooserCommand"
    seat: int

    async def choose(self, position: Position, clock: ClockReading | None = None) -> str:
        self.command.most_ms.append(None if clock is None else move_ms(clock))
        if position.ply >= self.command.lives:
            raise ProgramFailed(GONE, f"{self.command.text} has exited.")
        return random_move(position, self.seat, random.Random(position.ply))

    async def close(self, position: Position) -> None:
        self.command.closed.append((self.seat, position.ply, position.outcome is not None))


@dataclass
class ChooserCommand:
    """Starts choosers and notes how each was closed."""

    text: str = "chooser"
    game: str = "pyrat"
    lives: int = 1 << 20
    closed: list[tuple[int, int, bool]] = field(default_factory=list)
    most_ms: list[int | None] = field(default_factory=list)

    has_own_limit: bool = False

    async def identify(self, times: TurnTimes) -> ProgramIdentity:
        return ProgramIdentity("Chooser", {"small": "it is tired"})

    async def start(
        self, position: Position, seat: int, times: TurnTimes, log: Callable[[str], None]
    ) -> Chooser:
        log(f"{self.text} starts at ply {position.ply} as seat {seat} with {times.move_ms} ms")
        return Chooser(self, seat)


def test_a_program_plays_a_match_and_learns_its_end() -> None:
    command, notes = ChooserCommand(), list[str]()
    program = ProgramBot("chooser", command, notes.append)
    assert program.introduce("pyrat", "tiny", Limits(None, 50)) == "Chooser"
    bots: list[Contender] = [program, Bot.parse("random")]
    played = play_match(Match("pyrat", bots, 2, Limits(None, 50), "tiny", opening_plies=2), jobs=1)
    assert [note.split(" as ")[1] for note in notes] == ["seat 0 with 50 ms", "seat 1 with 50 ms"]
    assert all("at ply 2" in note for note in notes)
    assert command.closed == [(seat, game.position.ply, True) for seat, game in enumerate(played)]


def test_a_program_that_exits_forfeits_with_the_reason() -> None:
    mortal = ProgramBot("chooser", ChooserCommand(lives=5), print, may_crash=True)
    bots: list[Contender] = [mortal, Bot.parse("random")]
    (played,) = play_match(Match("pyrat", bots, 1, Limits(None, 50), "tiny", opening_plies=0), jobs=1)
    assert (played.values, played.reason, played.note) == ((-1, 1), GONE, "chooser has exited.")
    assert len(played.moves) == 6  # five turns, and the forfeit


def test_a_program_of_another_game_is_refused() -> None:
    chooser = ProgramBot("chooser", ChooserCommand(), print)
    with pytest.raises(UnsuitableProgram, match="chooser plays pyrat, not hive"):
        chooser.introduce("hive", "Base", Limits(None, 50))
    with pytest.raises(UnsuitableProgram, match="chooser does not play small: it is tired"):
        chooser.introduce("pyrat", "small", Limits(None, 50))


async def test_programs_get_their_time_from_the_clock() -> None:
    """All but 300 ms of a fixed time for each move, otherwise a share."""
    command, results = ChooserCommand(), asyncio.Queue[Finished]()
    searches = ProgramSearches(command, TIMES, print).posting(results.put_nowait)
    searches.carry_out(engine.SessionOpened("g", Position("pyrat", "tiny"), EvaluationLimits()))
    for clock in (None, ClockReading(1000, 1000), ClockReading(60_000, 0), ClockReading(200, 1000)):
        searches.carry_out(engine.Evaluate("g", EvaluationLimits(), clock))
        assert isinstance(await results.get(), engine.Evaluated)
    await searches.stop()
    assert command.most_ms[::2] == command.most_ms[1::2] == [None, 700, 2995, 1]


async def test_a_session_has_its_own_time_and_closes_its_programs() -> None:
    command, results, notes = ChooserCommand(lives=3), asyncio.Queue[Finished](), list[str]()
    searches = ProgramSearches(command, TIMES, notes.append).posting(results.put_nowait)
    searches.carry_out(engine.SessionOpened("g", Position("pyrat", "tiny"), EvaluationLimits(time_ms=250)))
    for _ in range(3):
        searches.carry_out(engine.Evaluate("g", EvaluationLimits()))
        found = await results.get()
        assert isinstance(found, engine.Evaluated)
        searches.carry_out(engine.Advance("g", found.evaluation.best_move))
    assert [note.split(" as ")[1] for note in notes] == ["seat 0 with 250 ms", "seat 1 with 250 ms"]
    searches.carry_out(engine.Evaluate("g", EvaluationLimits()))
    assert await results.get() == engine.EvaluationFailed("g", "chooser has exited.")
    assert sorted(command.closed) == [(0, 3, False), (1, 3, False)]
    await searches.stop()
