"""Models without a model, to try ``harness.py``: what they reply depends on the list of legal moves alone."""

import random
import re

chooses = random.Random(1)


def legal_moves(prompt: str) -> list[str]:
    """The legal moves (in games with too many of them, the legal first actions) in a prompt; the last list counts."""
    found = re.findall(r"^legal (?:moves|actions) \(.*?\): (.+)$", prompt, re.MULTILINE)
    return found[-1].split("; ") if found else []


def first_move(prompt: str) -> str:
    """The first legal move."""
    return legal_moves(prompt)[0]


def random_move(prompt: str) -> str:
    """Any of the legal moves."""
    return chooses.choice(legal_moves(prompt))


def chatty(prompt: str) -> str:
    """A model that explains itself, and therefore loses."""
    return f"I think the best move is {first_move(prompt)}."
