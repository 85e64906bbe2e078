"""The Universal Hive Protocol, both ends of it, and playing Hive with it over a network.

In dependency order:

* ``lines.py``: bytes as lines, a line as a command
* ``game_string.py``: a game as one line of text; ``options.py``: an engine's option as one line of text
* ``engine.py``: the engine's end, UHP 1.0
* ``requests.py``, ``answers.py``, ``viewer.py``: the viewer's end, UHP 1.0
"""
