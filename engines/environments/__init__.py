"""Games as environments for reinforcement learning, in the interfaces of PettingZoo and Gymnasium.

* ``flat_game.py``: one game that is played with flat actions; the environments below are built on it
* ``agents.py``: the seats as agents: what the next two have in common
* ``turns.py``: PettingZoo's AEC interface, for every game
* ``together.py``: PettingZoo's Parallel interface, for games in which all seats act at once
* ``single.py``: Gymnasium's interface: one seat against bots
* ``batch.py``: many games at once, played by the core: arrays in and out
* ``frames.py``: positions as text and as pixels

``batch.py`` needs no extra, the others need ``rl``. Observations and actions are those of networks: see
``Planes`` in the core, and docs/environments.md.
"""
