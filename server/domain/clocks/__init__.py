"""Clocks of games: how they run, what a move costs, and given time."""
