"""What an analysis is asked for: a game as far as it has come, which of its positions are searched, and how long.

Used by the analysis service and by ``plyhouse analyze``.
"""

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property

from engines import Position
from protocols.bgs.config import Limits, Setup, write_config
from server.domain.errors import ApiError, Code
from server.services.bgs import Line
from server.services.replay import MAX_PLIES

MAX_SAMPLES = 100_000
MAX_LINES = 20
MAX_GAME_PLIES = 10_000
"""Moves of a game of which a part is analysed: all of them are replayed."""


@dataclass(frozen=True)
class Study:
    """What is analysed, and how: plies ``from_ply`` to ``to_ply``. What comes before is replayed and not searched.

    ``position`` is the last one, with all its moves; whoever holds a study does not play on in it.
    """

    position: Position
    samples: int
    multipv: int
    from_ply: int
    to_ply: int

    @cached_property
    def key(self) -> str:
        """Equal for equal studies, and for no others."""
        parts = [
            self.position.game,
            self.position.variant,
            self.position.config,
            self.position.history,
            [self.samples, self.multipv, self.from_ply, self.to_ply],
        ]
        text = json.dumps(parts, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    @property
    def line(self) -> Line:
        """The moves that are replayed."""
        history = tuple(self.position.history)
        outcome = self.position.outcome
        ends_game = outcome is not None and self.to_ply == self.position.ply
        return Line(history[: self.to_ply], outcome.values[0] if outcome is not None and ends_game else None)

    @property
    def config(self) -> dict[str, object]:
        """The session's config."""
        position = self.position
        limits = Limits(samples=self.samples)
        return write_config(Setup(position.game, position.variant, position.config, limits))


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one analysis may take: ``cost`` samples in all its positions, ``megabytes`` (MiB); 0: any amount."""

    cost: int = 0
    megabytes: int = 0

    def most_samples(self, positions: int, bytes_per_sample: float) -> "Most":
        """How many samples each of so many positions may have, and what stands in the way of more."""
        most = Most(MAX_SAMPLES, f"samples must be 1 to {MAX_SAMPLES}.")
        if self.cost and self.cost // positions < most.samples:
            samples = self.cost // positions
            text = f"{positions} positions may have {samples} samples each, {self.cost} in all."
            most = Most(samples, text)
        if self.megabytes and self.megabytes * 2**20 / bytes_per_sample < most.samples:
            samples = int(self.megabytes * 2**20 / bytes_per_sample)
            most = Most(
                samples, f"On this board {samples} samples take {self.megabytes} MiB: that is the limit."
            )
        return most


@dataclass(frozen=True, slots=True)
class Most:
    """The most samples that a position may have, and why, as a sentence."""

    samples: int
    why: str

    def check(self, samples: int) -> None:
        """ApiError ``over-limit`` for more than that, or for none."""
        if not 1 <= samples <= self.samples:
            raise ApiError(Code.OVER_LIMIT, self.why, field="samples", limit=self.samples)


def window(from_ply: int | None, to_ply: int | None, plies: int) -> tuple[int, int]:
    """The first and the last ply of a part of a game of so many; None: from the start, to the end. ApiError."""
    if plies > MAX_GAME_PLIES:
        text = f"A game of at most {MAX_GAME_PLIES} plies can be analysed."
        raise ApiError(Code.OVER_LIMIT, text, limit=MAX_GAME_PLIES)
    first, last = from_ply or 0, plies if to_ply is None else to_ply
    if not 0 <= first <= last <= plies:
        text = f"fromPly and toPly must be in order and within 0 to {plies}."
        raise ApiError(Code.MALFORMED, text, field="fromPly", limit=plies)
    if last - first > MAX_PLIES:
        text = f"At most {MAX_PLIES} plies of a game are analysed at once: give fromPly and toPly."
        raise ApiError(Code.OVER_LIMIT, text, field="toPly", limit=MAX_PLIES)
    return first, last
