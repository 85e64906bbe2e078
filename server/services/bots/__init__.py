"""Bots: who is attached, their sessions and limits, and the seats that they play."""
