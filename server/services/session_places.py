"""The sessions of one analyst: which uses have how many, who waits for one, and which may be taken back.

A session at rest, whose game waits for a person, may be taken back for somebody who needs one now. Knows no session and
no analyst: ``services.admission`` has ``Places`` for each analyst, and sessions say when they rest and when they end.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from math import inf

from server.domain.errors import ApiError, Code

RETRY_MS = 5000
"""When to ask again after a refusal."""

RECHECK_SECONDS = 0.1
"""How soon to look again at the earliest whether a session may be taken back."""


class Use(IntEnum):
    """What a session is for, the most urgent first."""

    BOT_MOVE = 0
    EVAL_BAR = 1
    ANALYSIS = 2


@dataclass(frozen=True, slots=True)
class Shares:
    """So many sessions, of which each use has some reserved."""

    total: int
    reserved: Mapping[Use, int] = field(default_factory=dict)

    def have_room(self, counts: Mapping[Use, int], use: Use) -> bool:
        """Whether one more of this use fits beside those that there are."""
        if counts.get(use, 0) < self.reserved.get(use, 0):
            return True
        return sum(max(counts.get(one, 0), self.reserved.get(one, 0)) for one in Use) < self.total


class Place:
    """The right to keep one session.

    ``on_grant`` is called when the session may be started, ``take_back`` when it has to end for somebody else.
    """

    def __init__(self, use: Use, on_grant: Callable[[], None], take_back: Callable[[], None]) -> None:
        self.use = use
        self.on_grant = on_grant
        self.take_back = take_back
        self.is_granted = False
        self.resting_since: float | None = None
        self.is_taken_back = False


class Places:
    """All sessions of one analyst.

    ``rest`` is how long a session has been at rest, in seconds, when it may be taken back for each use.
    """

    def __init__(
        self,
        shares: Shares,
        rest: Mapping[Use, float],
        now: Callable[[], float],
        on_shortage: Callable[[Use], None],
    ) -> None:
        self.shares = shares
        self.counts: Counter[Use] = Counter()
        """Sessions by use."""
        self._rest = rest
        self._now = now
        self._on_shortage = on_shortage
        self._held: list[Place] = []
        self._waiting: list[Place] = []
        """The most urgent use first, in the order of their coming."""
        self._alarm: asyncio.TimerHandle | None = None

    @property
    def waiting(self) -> Counter[Use]:
        """Those that wait for a session."""
        return Counter(place.use for place in self._waiting)

    @property
    def at_rest(self) -> int:
        """Sessions that are not needed now."""
        return sum(place.resting_since is not None for place in self._held)

    @property
    def is_empty(self) -> bool:
        """Whether there is no session, and nobody waits for one."""
        return not self._held and not self._waiting

    def check_room(self, use: Use) -> None:
        """ApiError ``unavailable`` when a session for this use would have to wait for somebody to finish."""
        if self._coming < self._ahead(use) or not self._has_room(use):
            self._on_shortage(use)
            raise ApiError(
                Code.UNAVAILABLE,
                "The engine is busy.",
                limit=self.shares.total,
                retry_after_ms=RETRY_MS,
            )

    def admit(self, place: Place) -> None:
        """Grants the place, at once if there is room; else it waits its turn."""
        self._waiting.append(place)
        self._waiting.sort(key=lambda one: one.use)
        self._serve()
        if self._coming < len(self._waiting):
            self._on_shortage(place.use)

    def rest(self, place: Place) -> None:
        """The session is not needed until further notice."""
        if place.resting_since is None:
            place.resting_since = self._now()
            self._serve()

    def abandon(self, place: Place) -> None:
        """The session is not needed, and may be taken back at once for any use."""
        place.resting_since = -inf
        self._serve()

    def resume(self, place: Place) -> None:
        """The session is needed."""
        place.resting_since = None

    def leave(self, place: Place) -> None:
        """The session is over, or was never started."""
        if place.is_granted:
            self._held.remove(place)
            self.counts[place.use] -= 1
        else:
            self._waiting.remove(place)
        self._serve()

    def _has_room(self, use: Use) -> bool:
        return self.shares.have_room(self.counts, use) or self._spare(use) is not None

    def _serve(self) -> None:
        """Grants what there is room for, and takes sessions back for those who wait."""
        for use in Use:
            for place in [one for one in self._waiting if one.use is use]:
                if not self.shares.have_room(self.counts, use):
                    self._take_back_for(use)
                    break
                self._grant(place)

    def _grant(self, place: Place) -> None:
        self._waiting.remove(place)
        self._held.append(place)
        self.counts[place.use] += 1
        place.is_granted = True
        place.on_grant()

    def _take_back_for(self, use: Use) -> None:
        """Takes one session back for each who waits, those of more urgent uses included."""
        while self._coming < self._ahead(use):
            spare = self._spare(use)
            if spare is None:
                self._serve_later()
                return
            spare.is_taken_back = True
            spare.take_back()

    def _ahead(self, use: Use) -> int:
        """How many wait for a session for this use or a more urgent one."""
        return sum(place.use <= use for place in self._waiting)

    @property
    def _coming(self) -> int:
        """Sessions that have been taken back and are about to end."""
        return sum(place.is_taken_back for place in self._held)

    def _spare(self, use: Use) -> Place | None:
        """Of the sessions whose end makes room for this use, the one that has been at rest longest."""
        counts, oldest = self.counts, self._now() - self._rest[use]
        helps = {one: self.shares.have_room(counts - Counter({one: 1}), use) for one in Use}
        spare = [
            (place.resting_since, index)
            for index, place in enumerate(self._held)
            if place.resting_since is not None
            and place.resting_since <= oldest
            and not place.is_taken_back
            and helps[place.use]
        ]
        return self._held[min(spare)[1]] if spare else None

    def _serve_later(self) -> None:
        """Looks again when the session that has been at rest longest may be taken back for any use."""
        resting = [
            place.resting_since
            for place in self._held
            if place.resting_since is not None and not place.is_taken_back
        ]
        if resting and self._alarm is None:
            left = min(resting) + max(self._rest.values()) - self._now()
            self._alarm = asyncio.get_running_loop().call_later(max(left, RECHECK_SECONDS), self._serve_again)

    def _serve_again(self) -> None:
        self._alarm = None
        self._serve()
