"""The texts of the ``help`` command. The commands themselves are in ``engine.py``."""

from collections.abc import Collection
from typing import Final

HELP: Final = {
    "info": ("info", "Shows the name of the engine and the expansions it plays."),
    "newgame": (
        "newgame [GameType | GameString]",
        "Starts a game: Base without a type, and from its last position with a GameString.",
    ),
    "play": ("play MoveString", "Plays a move and shows the game."),
    "pass": ("pass", "Passes; legal only if no other move is."),
    "validmoves": ("validmoves", "Lists every legal move once."),
    "bestmove": (
        "bestmove time hh:mm:ss | bestmove depth N",
        "Shows the move that the engine would play. An interrupt (SIGINT) has it answer at once.",
    ),
    "undo": ("undo [N]", "Takes back N plies, or one."),
    "options": ("options | options get Name | options set Name Value", "Shows options, or changes one."),
    "perft": ("perft N", "Counts the leaves of the game tree at depths 1 to N."),
    "help": ("help [command]", "Lists the commands, or explains one."),
    "licenses": ("licenses", "Shows the licence terms of the engine."),
    "exit": ("exit", "Ends the engine."),
}
"""Usage and one sentence per command, by keyword."""


def overview(but: Collection[str] = ()) -> list[str]:
    """The usage of every command, except for the keywords in ``but``."""
    return [usage for keyword, (usage, _) in HELP.items() if keyword not in but]
