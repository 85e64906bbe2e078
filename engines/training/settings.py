"""The settings of a training run."""

from dataclasses import dataclass

from engines.training.boards import TrainingBoard
from engines.training.self_play import SelfPlayOptions


@dataclass(frozen=True)
class Fit:
    """How a network is fitted."""

    batch: int = 256
    rate: float = 2e-3
    warm_up: int = 200
    """Steps until the learning rate is reached."""
    decay: float = 1e-4
    """Weight decay of AdamW."""
    averaged: float = 0.999
    """How much of the average a step keeps; less in the first steps."""
    result_share: float = 0.5
    """The share of the game's result in the value to learn; the rest is the search's value."""
    value_weight: float = 1.0


TEACHER_PLAY = SelfPlayOptions(visits=1500, brief_visits=300)
NETWORK_PLAY = SelfPlayOptions(visits=300, brief_visits=60)
FIT = Fit()


@dataclass(frozen=True)
class RunSettings:
    """The settings of a run."""

    boards: tuple[TrainingBoard, ...]
    minutes: float
    size: str = "small"
    seed: int = 1
    teacher: str = "native"
    """The evaluator of the first generations."""
    teacher_share: float = 0.5
    """The share of the time that belongs to them."""
    generation_seconds: float = 240.0
    """Time for the self-play of one generation."""
    player_games: int | None = None
    """Games of each thread or process in a generation, instead of a time: a run with one board can be repeated."""
    plays_in_integers: bool = False
    """Whether networks play themselves as networks of 8 bits, which is faster on CPUs."""
    passes: float = 4.0
    """How often each example is learnt from, on average."""
    window_bytes: int = 3 << 30
    """Memory for examples, of which the latest are kept: 2.2 million of Wallwars on 8x8, 240,000 of PyRat on 21x15."""
    teacher_play: SelfPlayOptions = TEACHER_PLAY
    network_play: SelfPlayOptions = NETWORK_PLAY
    fit: Fit = FIT
    match_games: int = 10
    """Games against the previous network after each generation, on each of the two boards with the most weight."""
    match_samples: int = 100
    final_games: int = 20
    """Games of the last network against the first one and against the native evaluator, on the same boards."""
    final_samples: int = 200
