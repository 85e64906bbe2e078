"""Importing this module registers the games with Gymnasium, each as ``plyhouse/GAME-v0``.

``gymnasium.make("plyhouse.rl:plyhouse/GAME-v0", opponent="greedy")`` imports it and makes one. The arguments are those
of ``plyhouse.gymnasium_env``.
"""

from gymnasium.envs.registration import register

from engines import games


def register_games() -> None:
    """Registers every game that is offered."""
    for game in games():
        if game.listed:
            register(
                id=f"plyhouse/{game.name}-v0",
                entry_point="engines.environments.single:SeatEnvironment",
                kwargs={"game": game.name},
            )


register_games()
