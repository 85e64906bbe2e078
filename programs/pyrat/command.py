"""The notation for PyRat bots of the text protocol on the command line: ``Name=value:…:CMD``.

Settings before the command are options of the bot (``Strategy=Greedy``), and its own times in milliseconds: ``time=MS``
for a move, ``preprocessing=MS`` and ``postprocessing=MS``. Called by ``programs.kinds``.
"""

import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engines import Position
from programs.command_text import command_words, read_number, split_settings
from programs.pyrat.process import PyratProcess, PyratSetup
from programs.pyrat.program import PyratProgram
from programs.seat_programs import ProgramIdentity, TurnTimes, UnsuitableProgram, ignore_line
from protocols.pyrat.text.board import BotTimes
from protocols.pyrat.text.lines import GAME

SETTING = re.compile(r"([A-Za-z]\w*)=([^:]*):")
TIMES = ("time", "preprocessing", "postprocessing")
MOST_MS = 86_400_000

PREPROCESSING_MS = 3000
"""The usual time before the first move."""


@dataclass(frozen=True, slots=True)
class PyratCommand:
    """A bot and its settings. ``words`` are a program and its arguments; ``times`` replace the common ones.

    ``text`` is the command without its settings.
    """

    text: str
    words: tuple[str, ...]
    options: Mapping[str, str]
    times: Mapping[str, int]
    game: str = GAME

    @classmethod
    def parse(cls, text: str) -> "PyratCommand":
        """Parses the notation. Raises UnsuitableProgram."""
        settings, rest = split_settings(text, SETTING)
        times = {name: _milliseconds(name, settings.pop(name)) for name in TIMES if name in settings}
        words = command_words(rest)
        return cls(shlex.join(words), words, settings, times)

    @property
    def has_own_limit(self) -> bool:
        """Whether the command sets the time of a move."""
        return "time" in self.times

    async def identify(self, times: TurnTimes) -> ProgramIdentity:
        """Starts the bot once and returns what it reports. Raises OSError or ProgramFailed."""
        process = await PyratProcess.start(self._setup(BotTimes(), ignore_line))
        await process.kill()
        return ProgramIdentity(process.host.identity.name or self.text)

    async def start(
        self, position: Position, seat: int, times: TurnTimes, log: Callable[[str], None]
    ) -> PyratProgram:
        """Starts the bot for a game. Raises OSError or ProgramFailed."""
        control = BotTimes(
            self.times.get("time", times.move_ms),
            self.times.get("preprocessing", times.preparation_ms or PREPROCESSING_MS),
            self.times.get("postprocessing"),
        )
        return await PyratProgram.start(self._setup(control, log), position, seat)

    def _setup(self, times: BotTimes, log: Callable[[str], None]) -> PyratSetup:
        return PyratSetup(self.text, self.words, tuple(self.options.items()), times, log)


def _milliseconds(name: str, text: str) -> int:
    why = f"{name} is {text!r}, not milliseconds from 1 to {MOST_MS}"
    if (milliseconds := read_number(text, why)) > MOST_MS:
        raise UnsuitableProgram(why)
    return milliseconds
