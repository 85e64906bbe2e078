"""Games that end before the rules end them: because the bots agree on the result, or by a number of plies.

The agreement is one of expected scores, in [0, 1], that every bot states for its own seat when it moves. Both have to
agree, so that a bot that misjudges a position does not lose by it alone. Called by matches; see ``arena``.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engines.near_names import known_names

RESIGN: Final = re.compile(r"(?P<limit>[\d.]+)x(?P<moves>\d+)", re.ASCII)
DRAW: Final = re.compile(r"(?P<limit>[\d.]+)x(?P<moves>\d+)(?:@(?P<ply>\d+))?", re.ASCII)
PLIES: Final = re.compile(r"(?P<ply>\d+)", re.ASCII)

MOST: Final = 100_000
"""Of moves and plies."""

EVEN: Final = 0.5

ROUNDING: Final = 1e-9
"""Tolerance for scores at a limit."""


class BadAdjudication(ValueError):
    """The text does not describe an adjudication. The text of the error says why."""


@dataclass(frozen=True)
class Agreement:
    """The bots agree if for ``moves`` moves of each, the scores were within ``limit``, from ply ``ply`` on."""

    limit: float
    moves: int
    ply: int = 0


@dataclass(frozen=True)
class EarlyEnd:
    """The adjudicated end of a game. ``loser``: the seat that has lost; None for a draw."""

    reason: str
    loser: int | None = None


@dataclass(frozen=True)
class Adjudication:
    """When games end early."""

    resign: Agreement | None = None
    """A seat has lost if its expected score is at most ``limit``, and that of the other at least ``1 - limit``."""
    draw: Agreement | None = None
    """A draw, if both expected scores differ from ½ by at most ``limit``."""
    plies: int | None = None
    """A draw after so many plies."""

    @property
    def needs_scores(self) -> bool:
        """Whether all bots have to state expected scores."""
        return self.resign is not None or self.draw is not None

    @property
    def text(self) -> str:
        """As it is parsed."""
        parts = []
        if self.resign:
            parts.append(f"resign={self.resign.limit:g}x{self.resign.moves}")
        if self.draw:
            parts.append(f"draw={self.draw.limit:g}x{self.draw.moves}@{self.draw.ply}")
        if self.plies:
            parts.append(f"plies={self.plies}")
        return ",".join(parts)

    @classmethod
    def parse(cls, text: str) -> "Adjudication":
        """Reads ``resign=LIMITxMOVES,draw=LIMITxMOVES@PLY,plies=PLIES``, in any order. Raises BadAdjudication."""
        given: dict[str, str] = {}
        for part in text.split(","):
            name, _, value = part.strip().partition("=")
            if name not in ("resign", "draw", "plies"):
                raise BadAdjudication(
                    f"unknown rule '{name}'{known_names(name, ('resign', 'draw', 'plies'))}"
                )
            if name in given:
                raise BadAdjudication(f"{name} is given twice")
            given[name] = value
        return cls(
            _agreement("resign", given, RESIGN, "LIMITxMOVES, such as 0.03x4"),
            _agreement("draw", given, DRAW, "LIMITxMOVES@PLY, such as 0.02x10@60"),
            _count(given["plies"], "plies") if "plies" in given else None,
        )


def _agreement(name: str, given: dict[str, str], pattern: re.Pattern[str], form: str) -> Agreement | None:
    if name not in given:
        return None
    found = pattern.fullmatch(given[name])
    if found is None:
        raise BadAdjudication(f"{name} is '{given[name]}', not {form}")
    try:
        limit = float(found["limit"])
    except ValueError:
        raise BadAdjudication(f"{name} is '{given[name]}', not {form}") from None
    if limit >= EVEN:
        raise BadAdjudication(f"the limit of {name} is {limit:g}, not less than 0.5")
    ply = found.groupdict().get("ply")
    return Agreement(limit, _count(found["moves"], f"{name}'s moves"), int(ply) if ply else 0)


def _count(text: str, what: str) -> int:
    number = int(text) if PLIES.fullmatch(text) else 0
    if not 1 <= number <= MOST:
        raise BadAdjudication(f"{what}: '{text}' is not a number from 1 to {MOST}")
    return number


class Adjudicator:
    """Watches one game."""

    def __init__(self, rules: Adjudication, seats: int) -> None:
        self._rules = rules
        self._scores: list[list[float]] = [[] for _ in range(seats)]

    def note(self, seat: int, score: float) -> None:
        """Notes what the bot in this seat expects, as it has just moved."""
        self._scores[seat].append(score)

    def ending(self, ply: int) -> EarlyEnd | None:
        """The end of the game at this ply, which is not over by the rules; None if it goes on."""
        rules = self._rules
        if rules.resign:
            for loser in range(len(self._scores)):
                if self._has_lost(loser, rules.resign):
                    return EarlyEnd("adjudicated: resign", loser)
        if rules.draw and ply >= rules.draw.ply and self._is_even(rules.draw):
            return EarlyEnd("adjudicated: draw")
        return EarlyEnd("adjudicated: ply limit") if rules.plies and ply >= rules.plies else None

    def _has_lost(self, loser: int, rule: Agreement) -> bool:
        recent = self._recent(rule.moves)
        return recent is not None and all(
            (score if seat == loser else 1 - score) <= rule.limit + ROUNDING
            for seat, scores in enumerate(recent)
            for score in scores
        )

    def _is_even(self, rule: Agreement) -> bool:
        recent = self._recent(rule.moves)
        return recent is not None and all(
            abs(score - EVEN) <= rule.limit + ROUNDING for scores in recent for score in scores
        )

    def _recent(self, moves: int) -> Sequence[Sequence[float]] | None:
        """The last scores of every seat; None if one has not moved often enough."""
        if min(map(len, self._scores)) < moves:
            return None
        return [scores[-moves:] for scores in self._scores]
