"""The kinds of programs that play one seat, by the name that they have on the command line.

To add a kind, implement ``seat_programs.SeatProgramCommand`` and add its row here, and its option in
``commands/bot.py`` and ``engine.py``.
"""

from collections.abc import Callable, Mapping

from programs.pyrat.command import PyratCommand
from programs.pyrat.host_bot import PyratHostBot
from programs.pyrat.stdio import PyratStdio, our_bot, our_options
from programs.seat_programs import SeatProgramCommand
from programs.stdio import Answering
from programs.uhp.program import UhpProgramCommand
from protocols.pyrat.text.bot_options import SAMPLES, SEED

_KINDS: Mapping[str, Callable[[str], SeatProgramCommand]] = {
    "uhp": UhpProgramCommand.parse,
    "pyrat": PyratCommand.parse,
    "pyrat-host": PyratHostBot.read,
}


def read_program(text: str) -> SeatProgramCommand | None:
    """Reads ``KIND:CMD``; None if it begins with no kind of program. Raises UnsuitableProgram."""
    kind, colon, command = text.partition(":")
    return _KINDS[kind](command) if colon and kind in _KINDS else None


def program_of_option(option: str, command: str) -> SeatProgramCommand:
    """The program that an option such as ``--KIND`` names. Raises UnsuitableProgram."""
    return _KINDS[option.removeprefix("--")](command)


# ---- our own engine as such a program -----------------------------------------------------------

Log = Callable[[str], None]


def _pyrat_bot(limits: Mapping[str, int], log: Log) -> Answering:
    options = our_options({PYRAT_OPTIONS[name]: str(limit) for name, limit in limits.items()})
    return lambda: PyratStdio(our_bot(options), log).run()


PYRAT_OPTIONS = {"samples": SAMPLES, "seed": SEED}

_OWN: Mapping[str, Callable[[Mapping[str, int], Log], Answering]] = {"pyrat": _pyrat_bot}


def own_protocols() -> tuple[str, ...]:
    """The protocols in which our engine plays one seat on stdin and stdout."""
    return tuple(_OWN)


def own_player(protocol: str, limits: Mapping[str, int], log: Log) -> Answering:
    """Our engine in one of these protocols. ``limits``: samples and seed, the defaults of its options there."""
    return _OWN[protocol](limits, log)
