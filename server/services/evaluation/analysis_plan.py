"""The plan of an analysis: the game, which of its positions are searched, and with how many samples.

Used by the analysis service and by ``plyhouse analyze``.
"""

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property

from engines import Evaluation, Position
from protocols.bgs.config import Setup
from protocols.bgs.messages import EvaluationLimits
from protocols.values import GameLine, entries_until
from server.domain.errors import ApiError, Code
from server.services.bots.bot_registry import BotAnalyst
from server.services.games.replay import MAX_PLIES

MAX_SAMPLES = 100_000
MAX_LINES = 20
MAX_BOT_PLIES = 1000
MAX_BOT_POSITIONS = 100
"""The longest game, and the most positions of it, that a bot is asked about at once: each move costs it a message."""

MAX_GAME_PLIES = 10_000
"""The maximum length of a game, even if only a part is analysed, since all moves are replayed."""


@dataclass(frozen=True)
class AnalysisPlan:
    """Analyses plies ``from_ply`` to ``to_ply``; earlier ones are replayed without a search.

    ``position`` is the last position of the game, with its history, and ``start`` the one before its first move;
    neither must be modified. Its search uses at most ``most_bytes`` of memory (0: unknown).
    ``asked``: the bot that evaluates in place of the server's engine, with as many samples as it likes.
    """

    position: Position
    start: Position
    samples: int
    multipv: int
    from_ply: int
    to_ply: int
    most_bytes: int = 0
    asked: BotAnalyst | None = None

    def prepared(self) -> "AnalysisPlan":
        """Computes what takes long for a long game or a large board, and returns the plan itself."""
        _ = self.key, self.line, self.first, self.setup
        return self

    @cached_property
    def key(self) -> str:
        """A hash that identifies the analysis: equal plans have equal keys."""
        parts = [
            self.position.game,
            self.position.variant,
            self.position.config,
            self.position.history,
            [self.samples, self.multipv, self.from_ply, self.to_ply],
            None if self.asked is None else [self.asked.bot.id, self.asked.bot.version],
        ]
        text = json.dumps(parts, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    @cached_property
    def line(self) -> GameLine:
        """The line up to ``to_ply``."""
        history = tuple(self.position.history)
        outcome = self.position.outcome
        ends_game = outcome is not None and self.to_ply == self.position.ply
        final = Evaluation.of_outcome(outcome) if outcome is not None and ends_game else None
        return GameLine(history[: entries_until(history, self.to_ply)], final)

    @cached_property
    def first(self) -> int:
        """How many entries of the line lead to the first position analysed."""
        return entries_until(self.position.history, self.from_ply)

    @cached_property
    def setup(self) -> Setup:
        """The start of the game, and the limits of the search."""
        position = self.position
        if self.asked is not None:
            limits = EvaluationLimits()
            return Setup(position.game, position.variant, position.config, limits, lines=self.multipv)
        return Setup(position.game, position.variant, position.config, EvaluationLimits(samples=self.samples))


def start_of(position: Position) -> Position:
    """Returns the start of the game that led to a position."""
    return Position(position.game, position.variant, position.config)


@dataclass(frozen=True, slots=True)
class PlanBounds:
    """Limits of one analysis: ``cost`` samples over all positions, and ``megabytes`` (MiB) of memory; 0: no limit."""

    cost: int = 0
    megabytes: int = 0

    def most_samples(self, positions: int, bytes_per_sample: float) -> "PlanLimits":
        """Returns the maximum number of samples per position, and the reason for the limit."""
        most = PlanLimits(MAX_SAMPLES, f"samples must be 1 to {MAX_SAMPLES}.")
        if self.cost and self.cost // positions < most.samples:
            samples = self.cost // positions
            text = f"{positions} positions may have {samples} samples each, {self.cost} in all."
            most = PlanLimits(samples, text)
        if self.megabytes and self.megabytes * 2**20 / bytes_per_sample < most.samples:
            samples = int(self.megabytes * 2**20 / bytes_per_sample)
            most = PlanLimits(
                samples, f"On this board {samples} samples take {self.megabytes} MiB: that is the limit."
            )
        return most


@dataclass(frozen=True, slots=True)
class PlanLimits:
    """The maximum number of samples per position, and the reason as a sentence."""

    samples: int
    why: str

    def check(self, samples: int) -> None:
        """ApiError ``over-limit`` unless ``samples`` is between 1 and the limit."""
        if not 1 <= samples <= self.samples:
            raise ApiError(Code.OVER_LIMIT, self.why, field="samples", limit=self.samples)


def check_for_bot(plies: int, positions: int) -> None:
    """ApiError ``over-limit`` if a bot is not asked about so many positions of a game of so many plies."""
    if plies > MAX_BOT_PLIES:
        text = f"A bot analyses games of at most {MAX_BOT_PLIES} plies."
        raise ApiError(Code.OVER_LIMIT, text, field="analyst", limit=MAX_BOT_PLIES)
    if positions > MAX_BOT_POSITIONS:
        text = f"A bot analyses at most {MAX_BOT_POSITIONS} positions at once: give fromPly and toPly."
        raise ApiError(Code.OVER_LIMIT, text, field="toPly", limit=MAX_BOT_POSITIONS)


def window(from_ply: int | None, to_ply: int | None, plies: int) -> tuple[int, int]:
    """Returns the first and last ply to analyse; None: from the start, to the end (``plies``). Raises ApiError."""
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
