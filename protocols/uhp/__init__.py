"""The Universal Hive Protocol: the engine's side, the viewer's side, and remote games over it.

In dependency order:

* ``lines.py``: splits bytes into lines and parses lines as commands
* ``game_string.py``: GameStrings; ``options.py``: option lines
* ``engine.py``: the engine's side of UHP 1.0
* ``requests.py``, ``answers.py``, ``viewer.py``: the viewer's side of UHP 1.0
* ``remote/``: sessions of a server; ``bridge/``: a viewer's local engine that plays at a server
"""
