"""Makes opening suites.

The first moves are drawn among those that a search finds about equally good (of seats that move together, from the
strategy that it finds for each), and the position after them is kept if a longer search says that every seat has nearly
the same chance.

Where the start depends on a seed (a hidden order, a maze), every opening has a seed of its own. Elsewhere, of positions
that are mirror images or rotations of each other only the first is kept.
"""

import itertools
import random
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from engines import Batch, Cache, Candidate, Evaluation, Position, RuleError, Search, known_members
from engines.effort import usual_samples
from engines.executors.executor import LocalExecutor, TaskExecutor, in_order
from engines.native_calibrations import native_calibration
from engines.opening_suite import Opening
from engines.pool.job import Job, Limits, Priority
from engines.pool.lanes import run_alone, run_in_core

EVALUATOR: Final = "native"

CANDIDATES: Final = 16
"""Moves of a position among which the next one of an opening is drawn."""

MARGIN: Final = 0.08
"""How much less than after the best move the expected score may be after a drawn one."""

EFFORT: Final = 10
"""How many times more samples than for a usual evaluation decide whether an opening is balanced."""

MOST_ATTEMPTS: Final = 2_000
"""Attempts without another opening after which the writer gives up."""


@dataclass(frozen=True)
class OpeningPlan:
    """How the openings of a suite are made."""

    game: str
    variant: str
    config: Mapping[str, Any] = field(default_factory=dict)
    plies: int = 4
    limit: float = 0.05
    """The largest difference of a seat's expected score from its equal share."""
    samples: int | None = None
    """Of the search that decides whether an opening is balanced; by default ``EFFORT`` times the usual number."""
    seed: int = 0

    @property
    def judging_samples(self) -> int:
        """The number of samples that decides."""
        return self.samples or EFFORT * usual_samples(self.game)

    def head(self) -> dict[str, Any]:
        """The first line of the suite's file."""
        made = {
            "plies": self.plies,
            "limit": self.limit,
            "samples": self.judging_samples,
            "evaluator": EVALUATOR,
            "seed": self.seed,
        }
        shared = {"config": dict(self.config)} if self.config else {}
        return {"game": self.game, "variant": self.variant, **shared, "made": made}


def openings(plan: OpeningPlan, count: int, executor: TaskExecutor | None = None) -> Iterator[Opening]:
    """Yields ``count`` openings. Raises RuleError if there are too few balanced ones.

    ``executor``: what makes them, by default one after the other; the openings are the same.
    """
    has_seeds = _start(plan, 0).key != _start(plan, 1).key
    known: set[bytes] = set()
    found_at = 0
    with ExitStack() as stack:
        using = executor or stack.enter_context(LocalExecutor(1))
        numbered = ((number, frozenset(() if has_seeds else known)) for number in itertools.count())
        attempts = in_order(using, partial(_attempt, plan), numbered, lambda: using.slots)
        for number, made in enumerate(stack.enter_context(closing(attempts))):
            if made is not None:
                moves, shape = made
                key = str(number).encode() if has_seeds else shape
                if key not in known:
                    known.add(key)
                    found_at = number
                    own = {"seed": plan.seed + number} if has_seeds else {}
                    yield Opening(moves, {**plan.config, **own})
            if len(known) == count:
                return
            if number + 1 - found_at > MOST_ATTEMPTS:
                raise RuleError(
                    f"found {len(known)} of {count} openings: allow more plies or a larger difference, or ask for fewer"
                )


def _attempt(
    plan: OpeningPlan, numbered: tuple[int, frozenset[bytes]]
) -> tuple[tuple[str, ...], bytes] | None:
    """The moves of an attempt and a hash of the shape they lead to.

    None if the game is over then, not balanced, or has one of the shapes that are known already.
    """
    number, known = numbered
    position = _opened(plan, _start(plan, plan.seed + number), random.Random(f"{plan.seed}/{number}"))
    if position is None:
        return None
    shape = blake2b(shape_of(position), digest_size=16).digest()
    if shape in known or not _is_balanced(position, plan):
        return None
    return tuple(position.history), shape


def _is_balanced(position: Position, plan: OpeningPlan) -> bool:
    """The short search spares most positions the long one."""
    if unfairness(position, usual_samples(plan.game)) > 2 * plan.limit:
        return False
    return unfairness(position, plan.judging_samples) <= plan.limit


def unfairness(position: Position, samples: int) -> float:
    """The largest difference of a seat's expected score from its equal share, as a search of this length says."""
    evaluation = _evaluate(position, samples)
    share = 1 / position.seats
    return max(abs(evaluation.share(seat) - share) for seat in range(position.seats))


def shape_of(position: Position) -> bytes:
    """Equal for positions that are mirror images or rotations of each other.

    Either the smallest of all images of what a network sees; or else what the native evaluator sees and the numbers of
    continuations, none of which depends on the direction of the board, although some other positions share them.
    """
    layout = position.layout
    if layout is not None and layout.is_trained:
        row = _planes(position)
        images = [row[np.array(inputs)] for inputs, _, _ in layout.symmetries]
        return bytes(min(image.tobytes() for image in (row, *images)))
    counts = np.array([position.perft(depth) for depth in (1, 2)])
    return bytes(position.features(EVALUATOR).tobytes() + counts.tobytes())


def _start(plan: OpeningPlan, seed: int) -> Position:
    return Position(plan.game, plan.variant, {**known_members(plan.game, {"seed": seed}), **plan.config})


def _opened(plan: OpeningPlan, position: Position, rng: random.Random) -> Position | None:
    """The position after the drawn moves; None if they end the game."""
    for _ in range(plan.plies):
        if not position.to_act:
            return None
        position.play(_drawn(_evaluate(position, usual_samples(plan.game)), rng))
    return position if position.to_act else None


def _drawn(evaluation: Evaluation, rng: random.Random) -> str:
    if evaluation.policies is not None:
        parts = (rng.choices(list(policy), list(policy.values()))[0] for policy in evaluation.policies)
        return "/".join(parts)
    best, *others = evaluation.lines
    return rng.choice([best, *(line for line in others if _chance(best) - _chance(line) <= MARGIN)]).move


def _chance(line: Candidate) -> float:
    return (line.value + 1) / 2 if line.chance is None else line.chance


def _evaluate(position: Position, samples: int) -> Evaluation:
    calibration = native_calibration(position)
    job = Job(
        Search(position, EVALUATOR),
        Limits(samples),
        Priority.BATCH,
        EVALUATOR,
        line_count=CANDIDATES,
        calibration=calibration.at(position.progress) if calibration else None,
    )
    return run_alone(job, run_in_core)


def _planes(position: Position) -> npt.NDArray[np.float32]:
    """What a network made for exactly this board sees, as one row."""
    layout = position.layout
    if layout is None or not layout.is_trained:
        raise ValueError(f"{position.game} has no planes")
    shape = (layout.planes, layout.dim2, layout.dim3)
    rows = np.zeros((1, *shape), dtype=np.float32)
    batch = Batch(*shape, layout.policy, layout.values, Cache(0))
    batch.gather([Search(position, "planes")], [1], 1, rows)
    batch.cancel()
    return rows.reshape(-1)
