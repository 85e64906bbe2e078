"""A session in which the server acts as an engine: what a command waits for, and the commands that wait for it.

Every line is answered in order of arrival. A line whose answer is already known has to wait as well: an early answer
would be mistaken for that of the current command.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable
from enum import Enum, auto
from typing import Final

from protocols.session import POLICY_VIOLATION, Close, Effect, Send
from protocols.uhp.lines import ERROR, OK, Command, answered, read_command
from protocols.uhp.remote.effects import NORMAL

MAX_QUEUED: Final = 16
"""Maximum number of waiting commands; clients should wait for ``ok``."""

MAX_KEEP_ALIVE: Final = 500
"""Maximum number of answers to consecutive ``info`` lines, which are kept in memory; further ones are ignored."""


class Awaited(Enum):
    """What the current command of a player's viewer waits for."""

    NOTHING = auto()
    """There is no current command."""
    GAME = auto()
    """A new game waits for an opponent."""
    ACCEPTANCE = auto()
    """``play`` waits for the server to accept the move."""
    OPPONENT = auto()
    """The command waits for the opponent's move."""


class CommandQueue(ABC):
    """Executes commands one after the other. Consecutive ``info`` lines count as one: they may come during any wait.

    ``info`` is the answer to that command.
    """

    def __init__(self, info: Iterable[str]) -> None:
        self._info = "\n".join((*info, OK))
        self._waiting: deque[Command | str | int] = deque()
        """Commands, known answers, and numbers of consecutive ``info`` lines."""

    @abstractmethod
    def _is_free(self) -> bool:
        """Whether no command is in progress."""

    @abstractmethod
    def _execute(self, command: Command) -> list[Effect]:
        """Answers any command except ``info`` and ``exit``, or begins to."""

    def receive(self, frame: str) -> list[Effect]:
        """Handles one line from the viewer; ignores blank lines."""
        command = read_command(frame)
        if command is None:
            return []
        return [Close(NORMAL, "exit")] if command.keyword == "exit" else self._take(command)

    def _take(self, line: Command | str) -> list[Effect]:
        """Executes a command, or sends a known answer, now or after the current command.

        A client that sends too many is cut off.
        """
        if self._is_free():
            return self._take_up(line)
        is_alive = isinstance(line, Command) and line.keyword == "info"
        if is_alive and self._waiting and isinstance(self._waiting[-1], int):
            self._waiting[-1] = min(self._waiting[-1] + 1, MAX_KEEP_ALIVE)
            return []
        if len(self._waiting) >= MAX_QUEUED and not is_alive:
            too_many = answered(f"{ERROR} too many commands are waiting")
            return [*too_many, Close(POLICY_VIOLATION, "flood")]
        self._waiting.append(1 if is_alive else line)
        return []

    def _proceed(self) -> list[Effect]:
        """Executes the queued lines, after the end of a command and until one is in progress again."""
        effects: list[Effect] = []
        while self._waiting and self._is_free():
            effects += self._take_up(self._waiting.popleft())
        return effects

    def _take_up(self, line: Command | str | int) -> list[Effect]:
        match line:
            case Command(keyword="info"):
                return [Send(self._info)]
            case Command():
                return self._execute(line)
            case int():
                return [Send("\n".join([self._info] * line))]
            case str():
                return answered(line)
