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

PYRAT_OPTIONS = {"samples": SAMPLES, "seed": SEED}


def _pyrat_bot(limits: Mapping[str, int], log: Log) -> Answering:
    options = our_options({PYRAT_OPTIONS[name]: str(limit) for name, limit in limits.items()})
    return lambda: PyratStdio(our_bot(options), log).run()


OWN_PLAYERS: Mapping[str, Callable[[Mapping[str, int], Log], Answering]] = {"pyrat": _pyrat_bot}
"""The protocols in which our engine plays one seat on stdin and stdout, given samples and seed.

These are the defaults of its options there.
"""
