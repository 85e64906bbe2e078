"""``/api/puzzles``: the calls, and their bodies."""
