"""Games as environments for reinforcement learning. All but ``batch_env`` need the extra ``rl``."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engines import BadConfig, Environments

if TYPE_CHECKING:
    from pettingzoo import AECEnv, ParallelEnv

    from engines.environments.batch import BatchEnvironment
    from engines.environments.flat_game import RenderMode, Rewards
    from engines.environments.single import SeatEnvironment


class MissingExtra(ImportError):
    """A package of an extra is not installed; the text says how to install it."""


def env(
    game: str,
    variant: str | None = None,
    config: Mapping[str, Any] | None = None,
    *,
    size: int | None = None,
    rewards: "Rewards" = "result",
    max_cycles: int = 0,
    render_mode: "RenderMode | None" = None,
) -> "AECEnv[str, dict[str, Any], int]":
    """A PettingZoo AEC environment: the seats choose one action after the other.

    As in PettingZoo's own games, an agent that chooses an illegal action gets -1, and the game ends. Where all seats
    act at once, whoever cannot make a step stays.

    ``size``: columns and rows of the planes in games whose board has no edge; ``rewards``: "result", "points" or
    "lead"; ``max_cycles``: the actions (where all seats act at once: turns) after which a game is cut off, 0 for no
    limit. Raises BadConfig for what cannot be, and MissingExtra.
    """
    _check_extra()
    from pettingzoo.utils import wrappers

    from engines.environments.flat_game import FlatGame
    from engines.environments.turns import TurnEnvironment

    made = TurnEnvironment(FlatGame(game, variant, config, size, rewards), max_cycles, render_mode)
    if not made.flat_game.acts_together:
        made = wrappers.TerminateIllegalWrapper(made, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(made))


def parallel_env(
    game: str,
    variant: str | None = None,
    config: Mapping[str, Any] | None = None,
    *,
    size: int | None = None,
    rewards: "Rewards" = "result",
    max_cycles: int = 0,
    render_mode: "RenderMode | None" = None,
) -> "ParallelEnv[str, dict[str, Any], int]":
    """A PettingZoo Parallel environment, for games in which all seats act at once; arguments as for ``env``."""
    _check_extra()
    from engines.environments.flat_game import FlatGame
    from engines.environments.together import TogetherEnvironment

    return TogetherEnvironment(FlatGame(game, variant, config, size, rewards), max_cycles, render_mode)


def gymnasium_env(
    game: str,
    variant: str | None = None,
    config: Mapping[str, Any] | None = None,
    *,
    seat: int = 0,
    opponent: str | Sequence[str] = "random",
    samples: int = 100,
    size: int | None = None,
    rewards: "Rewards" = "result",
    max_cycles: int = 0,
    render_mode: "RenderMode | None" = None,
) -> "SeatEnvironment":
    """A Gymnasium environment: one seat plays against bots.

    ``gymnasium.make("plyhouse.rl:plyhouse/GAME-v0", …)`` makes the same. ``opponent``: a bot as in ``plyhouse arena``,
    or one for each other seat; ``samples``: its simulations for each action. An illegal action ends the game with -1
    and a warning. The other arguments are those of ``env``.
    """
    _check_extra()
    from engines.environments.single import SeatEnvironment

    return SeatEnvironment(
        game,
        variant,
        config,
        seat=seat,
        opponent=opponent,
        samples=samples,
        size=size,
        rewards=rewards,
        max_cycles=max_cycles,
        render_mode=render_mode,
    )


def batch_env(
    game: str,
    games: int,
    variant: str | None = None,
    config: Mapping[str, Any] | None = None,
    *,
    size: int | None = None,
    rewards: "Rewards" = "result",
    max_cycles: int = 0,
    threads: int = 1,
) -> "BatchEnvironment":
    """Many games at once, played by the core: one call a step, arrays in and out. Needs no extra.

    ``games``: how many; ``max_cycles``: the steps after which a game is cut off; ``threads`` share the games. The
    other arguments are those of ``env``.
    """
    from engines.environments.batch import BatchEnvironment

    for name, number in {"games": games, "threads": threads, "max_cycles": max_cycles}.items():
        if not 0 <= number < 2**32:
            raise BadConfig(f"{name} is {number}, not a number from 0 to 2**32 - 1")
    core = Environments(
        game,
        variant,
        config,
        games=games,
        size=size,
        rewards=rewards,
        max_steps=max_cycles,
        threads=threads,
    )
    return BatchEnvironment(core)


def _check_extra() -> None:
    try:
        import gymnasium  # noqa: F401
        import pettingzoo  # noqa: F401
        import PIL  # noqa: F401
    except ImportError as error:
        raise MissingExtra(
            f"environments need the extra rl: pip install 'plyhouse[rl]' ({error.name} is not installed)"
        ) from None
