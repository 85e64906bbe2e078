"""How much time players get."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Time for the whole game plus an increment per move, or (if the former is 0) a fixed time for each move.

    ``preset`` is the name that a site's client gave it. ``starts_at_once``: the clocks of the first seats to move run
    from the start of the game, before the first move.

    ``move_ms`` is a fixed time for each move too, but a seat that is late makes the game's late move instead of losing
    the game. The first move has ``preprocessing_ms`` more. The numbers of seconds are then 0.
    """

    initial_seconds: int
    increment_seconds: int
    preset: str | None = None
    starts_at_once: bool = False
    move_ms: int | None = None
    preprocessing_ms: int | None = None

    def __str__(self) -> str:
        """The text of a time control: ``300+5``, in seconds, or ``1000ms`` for a fixed time with late moves."""
        if self.move_ms is not None:
            return f"{self.move_ms}ms"
        return f"{self.initial_seconds}+{self.increment_seconds}"

    @property
    def is_per_move(self) -> bool:
        """Whether each move has a fixed time, and unused time is lost."""
        return self.initial_seconds == 0

    @property
    def has_late_moves(self) -> bool:
        """Whether a seat whose time runs out makes the game's late move; otherwise it loses the game."""
        return self.move_ms is not None

    @property
    def each_ms(self) -> int:
        """The fixed time for a move other than the first, in milliseconds; 0 if it is not fixed."""
        if self.move_ms is not None:
            return self.move_ms
        return self.increment_seconds * 1000 if self.is_per_move else 0

    @property
    def first_ms(self) -> int:
        """The time on the clock when the game starts, in milliseconds."""
        return self.initial_seconds * 1000 or self.each_ms + (self.preprocessing_ms or 0)
