"""What the engine says to ``help``. The commands themselves are in ``engine.py``."""

from collections.abc import Collection
from typing import Final

HELP: Final = {
    "info": ("info", "Shows the name of the engine and the expansions it plays."),
    "newgame": (
        "newgame [GameType | GameString]",
        "Starts a game: Base without a type, and from its last position with a GameString.",
    ),
    "play": ("play MoveString", "Plays a move and shows the game."),
    "pass": ("pass", "Passes, which is legal only where nothing else is."),
    "validmoves": ("validmoves", "Lists every legal move once."),
    "bestmove": (
        "bestmove time hh:mm:ss | bestmove depth N",
        "Shows the move that the engine would play. An interrupt (SIGINT) has it answer at once.",
    ),
    "undo": ("undo [N]", "Takes back N plies, or one."),
    "options": ("options | options get Name | options set Name Value", "Shows options, or changes one."),
    "perft": ("perft N", "Counts the leaves of the tree of moves 1 to N plies deep."),
    "help": ("help [command]", "Lists the commands, or explains one."),
    "licenses": ("licenses", "Shows under which terms the engine may be used."),
    "exit": ("exit", "Ends the engine."),
}
"""By keyword: usage, and a sentence."""


def overview(but: Collection[str] = ()) -> list[str]:
    """A line for each command, ``but`` those of these keywords."""
    return [usage for keyword, (usage, _) in HELP.items() if keyword not in but]


def explain(keyword: str) -> list[str]:
    """The lines about one command; KeyError."""
    return list(HELP[keyword])
