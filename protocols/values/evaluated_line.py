"""The evaluated line of a game: its moves, an entry for each position, and why there may be no more."""

from dataclasses import dataclass
from enum import StrEnum

from engines import Evaluation


@dataclass(frozen=True, slots=True)
class GameLine:
    """The history of a game, and what it is worth if its last entry finished it by the rules.

    ``moves`` includes the seats that left (``!1``), which do not count as plies.
    """

    moves: tuple[str, ...] = ()
    final: Evaluation | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """The evaluation of the position after ``ply`` moves.

    Where a seat left, an entry for the position before that and one for the position after it have the same ``ply``.
    """

    ply: int
    evaluation: Evaluation


class FailureCode(StrEnum):
    """Why a hosted session failed, and why the eval socket shows no more evaluations."""

    TIMEOUT = "TIMEOUT"
    BOT_DISCONNECTED = "BOT_DISCONNECTED"
    INTERNAL_ERROR = "INTERNAL_ERROR"


def extra_values(evaluation: Evaluation) -> tuple[float, ...] | None:
    """The values of all seats; None if seat 0's value implies them and there are no policies."""
    first, *others = evaluation.values
    says_more = others != [-first] or evaluation.policies is not None
    return evaluation.values if says_more else None
