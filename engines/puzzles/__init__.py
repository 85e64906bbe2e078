"""Puzzles: positions in which one move is clearly best.

* ``puzzle.py``: a puzzle, and the files that hold those of a game
* ``alternatives.py``: the moves of a seat, and which of them is the best besides a given one
* ``checks.py``: whether a position is a puzzle: a quick look, and a deep check
* ``difficulty.py``: how large a search must be to find a puzzle's moves
* ``themes/``: what a puzzle is about, by the rules of its game
* ``miner.py``: finds puzzles in games; ``self_play.py``: plays games to find them in
* ``library.py``: the puzzles that come with Plyhouse (``data/``), for those who show them
"""
