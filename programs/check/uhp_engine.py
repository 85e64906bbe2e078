"""A UHP engine that is checked: its commands, and what an answer has to be."""

import asyncio
from collections.abc import Sequence

from engines import Position, RuleError
from programs.check.conversation import Conversation, Launch, NoAnswer
from programs.check.findings import Said, WrongAnswer
from programs.check.steps import Effort
from protocols.uhp.answers import Identity, read_identity
from protocols.uhp.game_string import TYPES, BadGameString, parse, replay, same, write
from protocols.uhp.lines import OK, Line, LineTooLong, is_error
from protocols.uhp.viewer import BARE

BANNER_SECONDS = 20.0

Lines = list[str]


class UhpUnderCheck:
    """The engine. ``identity`` is from its banner."""

    def __init__(self, launch: Launch[str, Line], effort: Effort, reply_seconds: float) -> None:
        self.said: list[Said] = []
        self.effort = effort
        self.identity = Identity()
        self.banner: Lines = []
        self.reply_seconds = reply_seconds
        self.slowest = 0.0, ""
        """The longest time for an answer without a search, and its command."""
        self._launch = launch
        self._conversation: Conversation[str, Line] | None = None

    @property
    def is_running(self) -> bool:
        """Whether it can be asked."""
        return self._conversation is not None

    @property
    def conversation(self) -> Conversation[str, Line]:
        """The current run."""
        if self._conversation is None:
            raise WrongAnswer("The engine is not running.")
        return self._conversation

    @property
    def types(self) -> Sequence[str]:
        """The game types that its capabilities allow."""
        return [kind for kind in TYPES if not self.identity.lacks(kind)]

    async def start(self) -> None:
        """Starts it, and reads its banner. Raises OSError or Objection."""
        self._conversation = Conversation(self.said, str, str)
        await self._conversation.open(self._launch)
        self.banner = await self.read_answer(max(BANNER_SECONDS, self.reply_seconds))
        self.identity = read_identity(self.banner)

    async def stop(self) -> None:
        """Ends it, if it runs."""
        conversation, self._conversation = self._conversation, None
        if conversation is not None:
            await conversation.close()

    # ---- commands --------------------------------------------------------------------------------

    async def ask(self, command: str) -> Lines:
        """The lines of the answer to a command without a search, before ``ok``."""
        loop = asyncio.get_running_loop()
        begin = loop.time()
        await self.conversation.say(command)
        answer = await self.read_answer(self.reply_seconds)
        self.slowest = max(self.slowest, (loop.time() - begin, command))
        return answer

    async def read_answer(self, seconds: float) -> Lines:
        """Reads until ``ok``. Raises WrongAnswer."""
        lines: Lines = []
        try:
            async with asyncio.timeout(seconds):
                while (line := await self.conversation.hear(seconds)) != OK:
                    if isinstance(line, LineTooLong):
                        raise WrongAnswer(f"{line}.")
                    lines.append(line.strip())
        except (TimeoutError, NoAnswer):
            raise NoAnswer(f"No “ok” within {seconds:g} s.") from None
        return [line for line in lines if line]

    async def show(self, command: str, expected: Position) -> None:
        """Sends a command whose answer is the GameString of ``expected``."""
        compare(await self.ask(command), command, expected)

    async def set_up(self, position: Position) -> None:
        """Sets up a game by its GameString."""
        await self.show(f"newgame {write(position)}", position)

    async def refuses(self, command: str) -> None:
        """Sends a command that must be refused."""
        answer = await self.ask(command)
        if not any(map(is_error, answer)):
            raise WrongAnswer(f"It does not refuse “{short(command)}”.")

    async def best_move(self, limit: str, seconds: float) -> tuple[str, float]:
        """Asks for a move; returns it with the seconds that it took."""
        loop = asyncio.get_running_loop()
        begin = loop.time()
        await self.conversation.say(f"bestmove {limit}")
        lines = await self.read_answer(seconds)
        if not lines or any(map(is_error, lines)):
            raise WrongAnswer("It answers bestmove without a move.")
        return lines[-1].partition(";")[0].strip(), loop.time() - begin

    async def legal_best_move(self, position: Position, limit: str, seconds: float) -> tuple[str, float]:
        """The same, checked against the rules."""
        move, took = await self.best_move(limit, seconds)
        try:
            return position.check(move), took
        except RuleError as error:
            raise WrongAnswer(f"Its move “{move}” is illegal: {error}.") from None


def compare(lines: Lines, command: str, expected: Position) -> None:
    """Raises WrongAnswer unless the answer is the GameString of ``expected``."""
    if not lines or is_error(lines[0]):
        raise WrongAnswer(f"It answers “{short(command)}” with “{short(lines[0]) if lines else ''}”.")
    shown = lines[0]
    try:
        here = replay(parse(shown), BARE)
    except BadGameString as error:
        raise WrongAnswer(f"It answers “{short(command)}” with what is no GameString: {error}") from None
    if not same(here, expected):
        raise WrongAnswer(f"After “{short(command)}” it shows another game than {write(expected)}.")
    names = "type", "state", "turn"
    ours, theirs = (text.split(";")[:3] for text in (write(expected), shown))
    for name, own, their in zip(names, ours, theirs, strict=False):
        if own != their.strip() and their.strip() != DRAW_BY_REPETITION:
            raise WrongAnswer(f"Its {name} is “{their.strip()}” instead of “{own}”.")


DRAW_BY_REPETITION = "Draw"
"""Some engines declare a draw at the third occurrence of a position, which ours do not."""


def short(text: str) -> str:
    """The beginning of a line."""
    return text if len(text) <= 60 else f"{text[:60]}…"
