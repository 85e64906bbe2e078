"""Positions as compact text, drawn in characters: for language models and terminals.

A drawing is made from a *view*, so it shows no more than the seat or spectator of that view may see. Each game has a
module with a ``Drawing``; what a drawing leaves out of the view follows it as lines of ``member: value``.
"""

from engines.text_boards.board_text import board_text, position_text

__all__ = ["board_text", "position_text"]
