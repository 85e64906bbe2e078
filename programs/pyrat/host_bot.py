"""Bots of pyrat-rust's host protocol: a folder with a ``bot.toml``, which says how to run the bot.

[settings]
name = "Greedy"
agent_id = "example/greedy"
run_command = "python bot.py"
"""

import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from engines import BadConfig, Position
from programs.pyrat.host_program import PyratHostProgram
from programs.seat_programs import (
    ProgramFailed,
    ProgramIdentity,
    TurnTimes,
    UnsuitableProgram,
    ignore_line,
)
from protocols.pyrat.host.board import GAME
from protocols.pyrat.host.match_messages import HostTimes

MANIFEST = "bot.toml"

SETTINGS = ("name", "agent_id", "run_command")


UNSUITABLE = "unsuitable"
"""The ``reason`` of a bot that is to play a game that its protocol cannot express."""


@dataclass(frozen=True, slots=True)
class PyratHostBot:
    """A bot, which plays each game in a process of its own. ``times``: those that users cannot set."""

    text: str
    folder: Path
    name: str
    agent_id: str
    run_command: str
    times: HostTimes = field(default_factory=HostTimes)

    game = GAME
    has_own_limit = False

    @classmethod
    def read(cls, folder: str) -> "PyratHostBot":
        """Reads the ``bot.toml`` of a folder. Raises UnsuitableProgram."""
        file = Path(folder, MANIFEST)
        try:
            content = tomllib.loads(file.read_text(encoding="utf-8"))
        except OSError as error:
            raise UnsuitableProgram(f"{file}: {error.strerror}") from None
        except ValueError as error:
            raise UnsuitableProgram(f"{file}: {error}") from None
        settings = content.get("settings")
        if not isinstance(settings, dict):
            raise UnsuitableProgram(f"{file}: there is no [settings]")
        for name in SETTINGS:
            if not isinstance(settings.get(name), str) or not settings[name]:
                raise UnsuitableProgram(f"{file}: [settings] has no text '{name}'")
        return cls(folder, Path(folder), *(settings[name] for name in SETTINGS))

    async def identify(self, times: TurnTimes) -> ProgramIdentity:
        """Starts the bot once and returns what it reports. Raises OSError or ProgramFailed."""
        start = Position(GAME)
        program = self._program(start, 0, self.times)
        try:
            await program.launch(self.run_command, self.folder, ignore_line)
            return ProgramIdentity(await program.identity() or self.name)
        finally:
            await program.close(start)

    async def start(
        self, position: Position, seat: int, times: TurnTimes, log: Callable[[str], None]
    ) -> PyratHostProgram:
        """Starts the bot for a game that continues from ``position``, and lets it prepare.

        Raises OSError or ProgramFailed, also if the protocol cannot express the game.
        """
        preprocessing = times.preparation_ms or self.times.preprocessing_ms
        limits = replace(self.times, move_ms=times.move_ms, preprocessing_ms=preprocessing)
        program = self._program(start_of(position), seat, limits)
        try:
            await program.launch(self.run_command, self.folder, log)
            await program.prepare()
        except BaseException:
            await program.close(position)
            raise
        return program

    def _program(self, start: Position, seat: int, times: HostTimes) -> PyratHostProgram:
        try:
            return PyratHostProgram(self.name, self.agent_id, seat, start, times)
        except BadConfig as error:
            raise ProgramFailed(UNSUITABLE, f"{self.name} cannot play this game: {error}.") from None


def start_of(position: Position) -> Position:
    """The position before the first turn."""
    return Position(position.game, position.variant, position.config)
