"""Our engine as a PyRat bot on stdin and stdout, in the text protocol: carries out the effects of a ``TextBot``."""

from collections.abc import Callable, Mapping
from importlib.metadata import version

from engines import Position, games
from programs.pyrat.thinking import Found, Thinking, searches
from programs.stdio import StdioDriver
from protocols.pyrat.text.bot import Sizes, StopThinking, TextBot, Think
from protocols.pyrat.text.bot_options import BotOptions, bot_options
from protocols.pyrat.text.lines import GAME, MAX_HOST_LINE_BYTES
from protocols.session import Effect


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


class PyratStdio(StdioDriver[Found]):
    """The bot. ``log`` is called with lines for the operator."""

    def __init__(self, bot: TextBot, log: Callable[[str], None]) -> None:
        super().__init__(bot, log, MAX_HOST_LINE_BYTES)
        self._thinking = Thinking(self._stdio.post)

    async def run(self) -> int:
        """Plays until the input ends and the last command is answered. Raises BrokenPipeError."""
        try:
            return await super().run()
        finally:
            self._thinking.close()  # Exiting while native code is running would crash.

    async def _do(self, effect: Effect) -> None:
        match effect:
            case Think():
                self._thinking.start(effect)
            case StopThinking():
                self._thinking.stop()
            case _:
                await super()._do(effect)
