"""A PyRat bot of the text protocol that is checked, and a game that it plays."""

import asyncio
import random
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from engines import Position
from engines.bots import random_move
from programs.check.conversation import Conversation, Launch, NoAnswer
from programs.check.findings import Said, WrongAnswer
from programs.check.steps import Effort
from programs.pyrat.process import GREETING_SECONDS
from protocols.pyrat.text.board import BotTimes, board_lines
from protocols.pyrat.text.host import BEFORE_FIRST
from protocols.pyrat.text.lines import GAME, SEAT_NAMES, BadLine, per_seat_text, read_direction, score_text
from protocols.pyrat.text.options import BotIdentity, read_option
from protocols.uhp.lines import Line, LineTooLong

SEED = 1
TINY = "tiny"
"""The variant of most steps."""

TIMES = BotTimes(move=100, preprocessing=200, postprocessing=100)


class PyratUnderCheck:
    """The bot. ``identity`` is from its handshake; it has ``reply_seconds`` for what needs no search."""

    def __init__(self, launch: Launch[str, Line], effort: Effort, reply_seconds: float) -> None:
        self.said: list[Said] = []
        self.effort = effort
        self.reply_seconds = reply_seconds
        self.identity = BotIdentity()
        self.unexpected: list[str] = []
        self.late = 0.0
        """The most seconds after its time that a move came."""
        self.slowest = 0.0, ""
        """The longest time for an answer that needs no search, in seconds, and its keyword."""
        self.walls = 0
        """Moves into walls."""
        self.playing: PyratGame | None = None
        """The game that this process plays. Hosts end a game before they begin the next one."""
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
            raise WrongAnswer("The bot is not running.")
        return self._conversation

    async def start(self) -> None:
        """Starts it, up to the end of the handshake. Raises OSError or Objection."""
        self.playing = None
        self._conversation = Conversation(self.said, str, str)
        await self._conversation.open(self._launch)
        await self.say("pyrat")
        identity = BotIdentity()
        while (words := await self._words(max(GREETING_SECONDS, self.reply_seconds)))[0] != "pyratready":
            identity = _identified(identity, words)
        self.identity = identity

    async def stop(self) -> None:
        """Ends it, if it runs."""
        conversation, self._conversation = self._conversation, None
        if conversation is not None:
            await conversation.close()

    # ---- lines -----------------------------------------------------------------------------------

    async def say(self, *lines: str) -> None:
        """Sends lines."""
        for line in lines:
            await self.conversation.say(line)

    async def hear(self, keyword: str, seconds: float | None = None) -> Sequence[str]:
        """Waits for a line that begins with ``keyword``; returns its other words. Raises WrongAnswer.

        ``seconds``: None for what needs no search.
        """
        loop = asyncio.get_running_loop()
        begin = loop.time()
        try:
            async with asyncio.timeout(self.reply_seconds if seconds is None else seconds):
                while (words := await self._words(None))[0] != keyword:
                    if words[0] != "info":
                        self.unexpected.append(" ".join(words)[:100])
        except TimeoutError:
            raise NoAnswer(f"No “{keyword}” in time.") from None
        if seconds is None:
            self.slowest = max(self.slowest, (loop.time() - begin, keyword))
        return words[1:]

    async def _words(self, seconds: float | None) -> Sequence[str]:
        while True:
            line = await self.conversation.hear(self.reply_seconds * 100 if seconds is None else seconds)
            if isinstance(line, LineTooLong):
                raise WrongAnswer(f"{line}.")
            if words := line.split():
                return words

    async def is_ready(self) -> None:
        """Asks whether it listens."""
        await self.say("isready")
        await self.hear("readyok")


@dataclass
class PyratGame:
    """A game in which the bot has one seat, and the other moves at random."""

    bot: PyratUnderCheck
    position: Position
    seat: int
    rng: random.Random
    times: BotTimes = TIMES
    untold: str | None = BEFORE_FIRST
    """The moves that the bot was not told yet."""

    @classmethod
    async def begin(
        cls, bot: PyratUnderCheck, variant: str = TINY, seat: int = 0, times: BotTimes = TIMES
    ) -> "PyratGame":
        """Ends the game before, describes a game, and lets the bot prepare."""
        if bot.playing is not None:
            await bot.playing.end()
        position = Position(GAME, variant, {"seed": SEED})
        await bot.say("newgame", *board_lines(position, seat, times), "startpreprocessing")
        await bot.hear("preprocessingdone", (times.preprocessing or 0) / 1000 + bot.reply_seconds)
        bot.playing = cls(bot, position, seat, random.Random(SEED), times)
        return bot.playing

    async def turn(self) -> None:
        """Asks the bot for its move, and plays the turn."""
        await self.ask()
        self.play(await self.answer())

    async def ask(self) -> None:
        """Tells the last moves, and asks."""
        await self._tell("go")

    async def _tell(self, then: str) -> None:
        untold, self.untold = self.untold, None
        await self.bot.say(*([] if untold is None else [moves_line(untold)]), then)

    async def answer(self) -> str:
        """The bot's move, which may be late. Raises WrongAnswer."""
        limit = (self.times.move or 0) / 1000
        loop = asyncio.get_running_loop()
        begin = loop.time()
        words = await self._move_words(limit)
        self.bot.late = max(self.bot.late, loop.time() - begin - limit)
        try:
            if len(words) != 1:
                raise BadLine("a move is one direction")
            return read_direction(words[0])
        except BadLine as error:
            raise WrongAnswer(f"Its move “{' '.join(words)}” counts as STAY: {error}.") from None

    async def _move_words(self, limit: float) -> Sequence[str]:
        with suppress(NoAnswer):
            return await self.bot.hear("move", limit)
        await self.bot.say("stop")
        try:
            return await self.bot.hear("move")
        except NoAnswer:
            raise WrongAnswer(f"No move within {limit:g} s, and none after stop.") from None

    def play(self, direction: str) -> None:
        """Plays the bot's move and one of the other seat."""
        if direction not in (*self.position.legal_moves(self.seat), "STAY"):
            self.bot.walls += not self.position.view()["players"][self.seat]["mud"]
        other = random_move(self.position, 1 - self.seat, self.rng)
        parts = {self.seat: self.position.check(direction, self.seat), 1 - self.seat: other}
        self.untold = f"{parts[0]}/{parts[1]}"
        self.position.play(self.untold)

    async def end(self) -> None:
        """Tells the result: whoever is ahead has won."""
        self.bot.playing = None
        rat, python = (player["score"] for player in self.position.view()["players"])
        winner = "draw" if rat == python else SEAT_NAMES[python > rat]
        score = f"{score_text(rat)}-{score_text(python)}"
        await self._tell(f"gameover winner:{winner} score:{score}")

    async def learn(self) -> None:
        """Gives the bot time to learn, after the end."""
        await self.bot.say("startpostprocessing")
        await self.bot.hear(
            "postprocessingdone", (self.times.postprocessing or 0) / 1000 + self.bot.reply_seconds
        )


def _identified(identity: BotIdentity, words: Sequence[str]) -> BotIdentity:
    """Adds a line of the handshake. Raises WrongAnswer."""
    try:
        match words:
            case ["id", "name", *name] if name:
                return replace(identity, name=" ".join(name))
            case ["id", "author", *author] if author:
                return replace(identity, author=" ".join(author))
            case ["option", *rest]:
                option = read_option(rest)
                return replace(identity, options={**identity.options, option.name.lower(): option})
    except BadLine as error:
        raise WrongAnswer(f"“{' '.join(words)}”: {error}.") from None
    raise WrongAnswer(f"“{' '.join(words)[:100]}” is none of id, option and pyratready.")


def moves_line(turn: str) -> str:
    """The line that tells a turn."""
    rat, python = turn.split("/")
    return f"moves {per_seat_text(rat, python)}"
