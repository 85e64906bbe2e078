"""Outcomes of a viewer's requests: what a banner says, the best move, or a failure.

Made by ``viewer``. Its driver decides how to handle a failure: an arena or server scores a loss with
``EngineFailed.reason``, a bot restarts its engine.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

UNKNOWN_NAME = "Unknown"
EXPANSIONS = {"M": "mosquito", "L": "ladybug", "P": "pillbug"}
"""The capability required by each letter of a game type."""


@dataclass(frozen=True, slots=True)
class Identity:
    """The engine's own description. ``capabilities`` are its flags in lower case, including unknown ones."""

    name: str = UNKNOWN_NAME
    capabilities: frozenset[str] = frozenset()

    def lacks(self, game_type: str) -> Collection[str]:
        """The capabilities that ``game_type`` ("Base+MLP") requires and the engine does not announce."""
        needed = [EXPANSIONS[letter] for letter in game_type.partition("+")[2]]
        return [flag for flag in needed if flag not in self.capabilities]


def read_identity(lines: Sequence[str]) -> Identity:
    """Reads the answer to ``info``: the id in the first line, the capabilities in the last one if there is another."""
    name, flags = UNKNOWN_NAME, ""
    word, _, rest = lines[0].partition(" ") if lines else ("", "", "")
    if word.lower() == "id":
        name = rest.strip() or UNKNOWN_NAME
        lines = lines[1:]
    if lines:
        flags = lines[-1]
    found = (flag.strip().lower() for flag in flags.split(";"))
    return Identity(name, frozenset(flag for flag in found if flag))


# ---- outcomes: each ends the current request ------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Done:
    """The engine has done what was requested; after a game request, replaying its answer led to the same position."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The engine's best move: legal and in canonical notation, however the engine wrote it."""

    move: str


class EngineFailed(Exception):
    """The engine did not do what it was asked to do; the text is a sentence.

    ``reason`` is the one for which this failure loses a game, as in game results.
    """

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


Outcome = Done | Chosen | EngineFailed
