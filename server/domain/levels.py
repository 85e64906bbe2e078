"""The levels of the built-in bots."""

from dataclasses import dataclass

from engines.variation import SLIGHT


@dataclass(frozen=True, slots=True)
class Level:
    """A strength of the built-in bots.

    ``samples`` per evaluation, and ``noise``, that of their ``Variation``, are for games that do not define their own.
    ``about``: a sentence for players.
    """

    bot_id: str
    samples: int
    noise: float
    about: str

    @property
    def name(self) -> str:
        """The name of the bot."""
        return f"Plyhouse {self.bot_id}"


LEVELS = (
    Level("beginner", 4, 0.5, "The weakest level; it still beats random moves."),
    Level("novice", 8, 0.3, "Usually beats the beginner."),
    Level("easy", 20, 0.2, "Usually beats the novice."),
    Level("medium", 60, 0.1, "Usually beats the easy level."),
    Level("hard", 250, 0.05, "Usually beats the medium level."),
    Level("strong", 1000, SLIGHT, "The strongest level: searches longest, and hardly errs on purpose."),
)
"""Weakest first. Each scores 0.68 to 0.84 against the one before (docs/bots.md)."""
