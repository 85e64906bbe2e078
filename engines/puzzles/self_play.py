"""Games of searches against themselves, to find puzzles in: both sides err now and then, as people do."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from engines import Position, Search, Variation, known_members
from engines.effort import usual_samples
from engines.executors.executor import check_wanted
from engines.puzzles.alternatives import EVALUATOR

OPENING: Final = (2, 3, 4, 5, 6)
"""Plies that are nearly random."""

OPENING_NOISE: Final = 0.4

NOISES: Final = (0.02, 0.08, 0.16)
"""Of a seat's evaluations, for a whole game."""

SHARES: Final = (50, 20, 8)
"""A seat has the usual samples divided by one of these."""

LONGEST: Final = 300
"""Plies after which a game ends."""


@dataclass(frozen=True)
class GamePlan:
    """Which games are played."""

    game: str
    variant: str | None = None
    config: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0


def played_game(plan: GamePlan, number: int) -> Position:
    """The end of a game, which is the same one for the same seed and number. Raises RuleError."""
    rng = random.Random(f"{plan.seed}/{number}")
    seed = {} if "seed" in plan.config else known_members(plan.game, {"seed": rng.randrange(1 << 31)})
    position = Position(plan.game, plan.variant, {**plan.config, **seed})
    usual = usual_samples(plan.game)
    strengths = [(rng.choice(NOISES), usual // rng.choice(SHARES)) for _ in range(position.seats)]
    opening = rng.choice(OPENING)
    while position.to_act and position.ply < LONGEST:
        check_wanted()
        noise, samples = strengths[position.to_act[0]]
        if position.ply < opening:
            noise, samples = OPENING_NOISE, usual // SHARES[0]
        search = Search(
            position, EVALUATOR, Variation(noise).options(is_network=False), rng.randrange(1 << 62)
        )
        search.run(samples)
        position.play(search.report(0).best_move or "")
    return position
