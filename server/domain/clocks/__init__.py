"""Clocks of games: how they run, what a move costs, and added time."""
