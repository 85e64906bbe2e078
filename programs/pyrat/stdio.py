"""Our engine as a PyRat bot on stdin and stdout, in the text protocol: carries out the effects of a ``TextBot``."""

from collections.abc import Callable, Mapping
from importlib.metadata import version

from engines import Position, games
from programs.endpoints import StdioEndpoint
from programs.pyrat.thinking import Found, Thinking, searches
from protocols.pyrat.text.bot import Sizes, StopThinking, TextBot, Think
from protocols.pyrat.text.bot_options import BotOptions, bot_options
from protocols.pyrat.text.lines import GAME, MAX_HOST_LINE_BYTES
from protocols.session import Effect, Log, Send
from protocols.uhp.lines import Line, LineTooLong


def our_options(values: Mapping[str, str]) -> BotOptions:
    """The options of our engine, with other defaults. Raises BadLine."""
    return bot_options(searches(), values)


def our_bot(options: BotOptions) -> TextBot:
    """The session of our engine."""
    return TextBot(f"Plyhouse {version('plyhouse')}", "the Plyhouse developers", options, _sizes())


def _sizes() -> Sizes:
    """The turn limit of each board size that a variant has."""
    variants = next(row.variants for row in games() if row.name == GAME)
    configs = [Position(GAME, variant).config for variant in variants]
    return {(config["width"], config["height"]): config["maxTurns"] for config in configs}


class PyratStdio:
    """The bot. ``log`` is called with lines for the operator."""

    def __init__(self, bot: TextBot, log: Callable[[str], None]) -> None:
        self._bot = bot
        self._log = log
        self._stdio = StdioEndpoint[Found](MAX_HOST_LINE_BYTES)
        self._thinking = Thinking(self._stdio.post)

    async def run(self) -> None:
        """Plays until the input ends and the last command is answered. Raises BrokenPipeError."""
        try:
            has_more = True
            while has_more or self._bot.is_busy:
                event = await self._stdio.events.get()
                has_more = has_more and event is not None
                await self._carry_out(self._take(event))
        finally:
            self._thinking.close()  # Exiting while native code is running would crash.

    def _take(self, event: Line | Found | None) -> list[Effect]:
        match event:
            case str():
                return self._bot.receive(event)
            case LineTooLong():
                return [Log(f"ignored a line of more than {MAX_HOST_LINE_BYTES} bytes")]
            case None:
                return []
        return self._bot.notify(event)

    async def _carry_out(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Send(text=text):
                    await self._stdio.send(text)
                case Log(text=text):
                    self._log(text)
                case Think():
                    self._thinking.start(effect)
                case StopThinking():
                    self._thinking.stop()
                case _:
                    raise TypeError(f"a bot asks for {type(effect).__name__}")
