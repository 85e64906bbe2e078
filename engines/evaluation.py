"""The evaluation of a position: by a search, an opening book, the rules, or an attached bot.

The pool returns it, the analyst port passes it on, histories store it, and wire codecs write the fields that their
formats have. To add a field, add it here, set it in ``of_report``, and write it in the codecs that show it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engines._core import Report

if TYPE_CHECKING:
    # It imports numpy, which an engine that speaks UHP starts without.
    from engines.calibration import Calibration


@dataclass(frozen=True, slots=True)
class Candidate:
    """A candidate move; the members are those of a report's ``Line``."""

    move: str
    visits: int
    value: float
    """For the seat to move, in [-1, 1]."""
    pv: tuple[str, ...]
    """The principal variation in whole moves, starting with this one."""
    chance: float | None = None
    """What the value is worth to the seat to move, as ``Evaluation.chances``."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An evaluation of one position."""

    values: tuple[float, ...]
    """One per seat, in [-1, 1]. In games of two seats they add up to 0."""
    best_move: str = ""
    """For the seat to move; a joint move (``a/b``) if seats move simultaneously; empty in a finished position."""
    policies: tuple[Mapping[str, float], ...] | None = None
    """Move probabilities per acting seat in simultaneous games; None in other games, or if a bot sent none."""
    lines: tuple[Candidate, ...] = ()
    """Candidate moves, best first."""
    samples: int = 0
    """Simulations behind the evaluation, including inherited ones; 0 without a search, or if a bot sent no number."""
    inherited: int = 0
    """Simulations kept from earlier searches."""
    source: str = ""
    """Name of the model or native evaluator, or ``book``; empty for bots and for finished positions."""
    is_cut: bool = False
    """Whether the search stopped early because it reached its memory limit."""
    chances: tuple[float, ...] | None = None
    """Expected score per seat, in [0, 1]: the chance of winning plus half the chance of a draw. None if it is unknown
    what the evaluator's values are worth (``engines/calibration.py``)."""

    @classmethod
    def of_report(
        cls,
        report: Report,
        *,
        inherited: int,
        source: str,
        is_cut: bool,
        calibration: "Calibration | None" = None,
    ) -> "Evaluation":
        """Converts a search report. ``inherited``: visits of the root before the evaluation started."""
        policies = report.policies
        lines = tuple(
            Candidate(line.move, line.visits, line.value, tuple(line.pv), _chance(line.value, calibration))
            for line in report.lines
        )
        return cls(
            tuple(report.values),
            report.best_move or "",
            policies=tuple(map(dict, policies)) if len(policies) > 1 else None,
            lines=lines,
            samples=report.visits,
            inherited=inherited,
            source=source,
            is_cut=is_cut,
            chances=None if calibration is None else tuple(map(calibration.score, report.values)),
        )


def _chance(value: float, calibration: "Calibration | None") -> float | None:
    return None if calibration is None else calibration.score(value)
