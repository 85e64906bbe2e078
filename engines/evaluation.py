"""The evaluation of a position: by a search, an opening book, the rules, or an attached bot.

The pool returns it, the analyst port passes it on, histories store it, and wire codecs write the fields that their
formats have. To add a field, add it here, set it in ``of_report``, and write it in the codecs that show it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from engines._core import Outcome, Report

if TYPE_CHECKING:
    # It imports numpy, which an engine that speaks UHP starts without.
    from engines.calibration import Calibration

NATIVE: Final = "native"
"""The evaluator that every game has, as the source of an evaluation."""

BOOK: Final = "book"
"""The source of evaluations by an opening book."""


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
    points: tuple[float, ...] | None = None
    """What each seat is expected to have in the end after this move, as ``Evaluation.points``."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a seat's move loses against its best one, as a search says; less than 0 if it wins."""

    move: str
    """The seat's part, if several seats move."""
    chance: float
    """Of the seat's expected score, in [-1, 1]."""
    points: float | None
    """Of its lead over the best of the others; None in games without points."""
    error: float | None = None
    """Of ``points``, or of ``chance`` without them. Where something is hidden, as far as the deals decide it: twice the
    standard error of their mean; what the search misjudges in every deal is not in it. Where seats move together, how
    much further searching changed what a part loses. None if it is unknown."""

    def with_error(self, earlier: "Comparison") -> "Comparison":
        """The same, with how much it differs from an earlier comparison as its error."""
        if self.points is None or earlier.points is None:
            return replace(self, error=round(abs(self.chance - earlier.chance), 4))
        return replace(self, error=round(abs(self.points - earlier.points), 2))


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
    """Expected score per seat, in [0, 1]: its share of the win, by chance or because several seats win together. They
    add up to 1. None if it is unknown what the evaluator's values are worth (``engines/calibration.py``)."""
    points: tuple[float, ...] | None = None
    """Expected points per seat at the end of the game; None in games without points, or if they are not estimated."""
    comparisons: tuple[Comparison, ...] | None = None
    """Of the move that was asked about, for each seat to act; None if it is the best one, or if the evaluation after
    the move tells what it lost, since nothing but the move decides it."""
    reviewed: Comparison | None = None
    """Of the move that led here, if it seemed worse by this evaluation and was looked at again; by all looks."""

    def share(self, seat: int) -> float:
        """A seat's expected score, in [0, 1]; without ``chances``, its ``value_share``."""
        return self.value_share(seat) if self.chances is None else self.chances[seat]

    def value_share(self, seat: int) -> float:
        """A seat's value, from [-1, 1] to [0, 1]."""
        return (self.values[seat] + 1) / 2

    def lead(self, seat: int) -> float | None:
        """How many points a seat is expected to be ahead of the best of the others."""
        if self.points is None:
            return None
        return self.points[seat] - max(one for other, one in enumerate(self.points) if other != seat)

    @classmethod
    def of_outcome(cls, outcome: Outcome) -> "Evaluation":
        """The evaluation of a finished position: its result."""
        values = tuple(outcome.values)
        chances = tuple((value + 1) / 2 for value in values)
        return cls(values, chances=chances, points=_points(outcome.scores))

    @classmethod
    def of_report(
        cls,
        report: Report,
        *,
        inherited: int,
        source: str,
        is_cut: bool,
        calibration: "Calibration | None" = None,
        comparisons: tuple[Comparison, ...] | None = None,
        reviewed: Comparison | None = None,
    ) -> "Evaluation":
        """Converts a search report. ``inherited``: visits of the root before the evaluation started."""
        policies = report.policies
        chances, chance_of = _chances(report.values, calibration)
        lines = tuple(
            Candidate(
                line.move,
                line.visits,
                line.value,
                tuple(line.pv),
                chance_of(line.value),
                _points(line.points),
            )
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
            chances=chances,
            points=_points(report.points),
            comparisons=comparisons,
            reviewed=reviewed,
        )


def _points(points: Sequence[float] | None) -> tuple[float, ...] | None:
    """Rounded to hundredths: searches know no more."""
    return None if points is None else tuple(round(one, 2) for one in points)


def _chances(
    values: Sequence[float], calibration: "Calibration | None"
) -> tuple[tuple[float, ...] | None, Callable[[float], float | None]]:
    """The chances of all seats, and of the seat to move if it had another value."""
    if calibration is None:
        return None, lambda _: None
    chances = tuple(round(chance, 4) for chance in calibration.chances(values).tolist())
    return chances, lambda value: round(calibration.chance(value, values), 4)
