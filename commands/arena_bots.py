"""The bots of ``plyhouse arena`` as its options name them, and their limits."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial

import typer

from engines.arena import Contender
from engines.bot_parameters import write_parameter
from engines.bots import STRATEGIES, Bot, UnknownBot, installed
from engines.effort import usual_samples
from engines.pool import Limits
from programs.arena.attached_player import AttachedBot
from programs.arena.program_player import ProgramBot
from programs.kinds import read_program
from programs.seat_programs import UnsuitableProgram

BOT_HELP = "Bots, comma-separated. " + "; ".join(
    f"{name} ({strategy.summary}"
    + "".join(f", {key}={write_parameter(value)}" for key, value in strategy.parameters.items())
    + ")"
    for name, strategy in STRATEGIES.items()
)
PLUGIN_HELP = "".join(f"; {name} ({entry.value})" for name, entry in installed().items())
UHP_HELP = (
    '; uhp:"CMD" (a Hive engine that speaks UHP, as a child process; or tcp:host:port; its options, and time=MS or'
    " depth=N, before the command: uhp:time=2000:NumThreads=1:nokamute). Other parameters follow the name, and"
    " time=MS is a bot's own time for a move: native:time=500:puct=1.2"
)
PROGRAM_HELP = (
    '; pyrat:, pyrat-host: followed by "CMD" or, for pyrat-host, a folder (a bot of one player of PyRat, as a'
    " child process; the options of a CMD and its times in milliseconds, time=MS, preprocessing=MS and"
    " postprocessing=MS, before the command; plays by time)"
)
ATTACHED_HELP = (
    "; ID@URL (a bot of a running server, listed at URL/api/bots; plays by time, without openings)"
)

BOTS_HELP = BOT_HELP + PLUGIN_HELP + ATTACHED_HELP + PROGRAM_HELP + UHP_HELP

note = partial(typer.echo, err=True)


@contextmanager
def refusing_bots() -> Iterator[None]:
    """Blames errors in ``--bots`` on the option."""
    try:
        yield
    except (UnknownBot, UnsuitableProgram) as error:
        raise typer.BadParameter(str(error), param_hint="--bots") from None


def read_bots(text: str, seats: int, *, may_crash: bool) -> list[Contender]:
    """At least as many bots as seats."""
    with refusing_bots():
        players = [_read_bot(part, may_crash=may_crash) for part in _split(text)]
    if len(players) < seats:
        raise typer.BadParameter(f"{len(players)} given, a game has {seats} seats", param_hint="--bots")
    return players


def _read_bot(text: str, *, may_crash: bool) -> Contender:
    program = read_program(text)
    if program is not None:
        return ProgramBot(text, program, note, may_crash)
    return AttachedBot.parse(text) if "@" in text else Bot.parse(text)


def _split(text: str) -> list[str]:
    """Splits at commas outside double quotes, which are kept."""
    return re.split(r',(?=(?:[^"]*"[^"]*")*[^"]*$)', text)


def common_limits(
    game: str, samples: int | None, time_ms: float | None, players: Sequence[Contender]
) -> Limits:
    """The limits of all bots without limits of their own. Programs and attached bots do not count samples."""
    if time_ms:
        return Limits(None, time_ms)
    for bot in players:
        has_limit = isinstance(bot, ProgramBot) and bot.command.has_own_limit
        if isinstance(bot, ProgramBot | AttachedBot) and (samples or not has_limit):
            needed = "give --seconds or --time, or a program's own limit before its command"
            instead = "it counts no --samples, so leave them out" if has_limit else needed
            why = f"{bot.text} plays by time: {instead}"
            raise typer.BadParameter(why, param_hint="--bots")
    return Limits(samples or usual_samples(game))
