"""What bots state about tournaments."""

from dataclasses import dataclass

from protocols.values.boards import Range
from protocols.values.ladder import LadderTerms, is_within
from protocols.values.time_control import TimeControl


@dataclass(frozen=True, slots=True)
class TournamentTerms:
    """Under which conditions a bot plays in tournaments, as its author states them.

    ``games_at_once``: how many games it plays against bots at the same time. ``avoid``, ``variants`` and
    ``quiet_hours`` as in ``LadderTerms``. ``initial_seconds`` and ``increment_seconds``: with which clocks it plays;
    None: any.
    """

    games_at_once: int = 1
    avoid: tuple[str, ...] = ()
    variants: tuple[str, ...] | None = None
    quiet_hours: tuple[int, int] | None = None
    initial_seconds: Range | None = None
    increment_seconds: Range | None = None

    def is_quiet(self, hour: int) -> bool:
        """Whether no game starts in this hour of the day."""
        return is_within(self.quiet_hours, hour)

    def plays_variant(self, variant: str) -> bool:
        """Whether the bot plays a variant, if it offers that."""
        return self.variants is None or variant in self.variants

    def plays_with(self, control: TimeControl) -> bool:
        """Whether the bot plays with a clock. A fixed time for a move counts as the increment."""
        return _is_in(self.initial_seconds, control.initial_seconds * 1000) and _is_in(
            self.increment_seconds, control.move_ms or control.increment_seconds * 1000
        )

    def avoids(self, bot_id: str) -> bool:
        """Whether the bot does not play against another one."""
        return not {bot_id, bot_id.partition(":")[0]}.isdisjoint(self.avoid)


ANY_TOURNAMENT = TournamentTerms()
"""The terms of a bot whose author states none at all."""


def usual_terms(ladder: LadderTerms | None) -> TournamentTerms:
    """The terms of a bot whose author states none for tournaments: those for the ladder that make sense here."""
    if ladder is None:
        return ANY_TOURNAMENT
    return TournamentTerms(avoid=ladder.avoid, variants=ladder.variants, quiet_hours=ladder.quiet_hours)


def _is_in(seconds: Range | None, ms: int) -> bool:
    return seconds is None or seconds.min * 1000 <= ms <= seconds.max * 1000
