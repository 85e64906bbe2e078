"""The session slots of one analyst: how many each use has, which sessions wait for one, and which may be reassigned.

The slot of a session whose game waits for a person may be reassigned to one that is needed now. Knows neither sessions
nor analysts: ``admission`` has a ``SessionSlots`` per analyst, and sessions report when they rest and end.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from math import inf

from server.domain.errors import ApiError, Code

RETRY_MS = 5000
"""When to try again after a refusal."""

RECHECK_SECONDS = 0.1
"""The minimum delay before checking again whether a slot may be taken back."""


KEPT_SECONDS = 30.0
"""How long room is kept for an awaited session, unless it is kept again."""


class Use(IntEnum):
    """What a session is used for, the most urgent first."""

    BOT_MOVE = 0
    EVAL_BAR = 1
    ANALYSIS = 2
    BOT_GAME = 3
    """A bot's moves in a game that nobody plays: many such games must not take the sessions of people."""


@dataclass(frozen=True, slots=True)
class Shares:
    """The total number of sessions, and how many of them are reserved for each use."""

    total: int
    reserved: Mapping[Use, int] = field(default_factory=dict)

    def have_room(self, counts: Mapping[Use, int], use: Use) -> bool:
        """Whether one more session of this use fits, given the current ``counts``."""
        if counts.get(use, 0) < self.reserved.get(use, 0):
            return True
        return sum(max(counts.get(one, 0), self.reserved.get(one, 0)) for one in Use) < self.total


class SessionSlot:
    """The right to run one session.

    ``on_grant`` is called when the session may be started, ``take_back`` when it must end to free the slot.
    """

    def __init__(self, use: Use, on_grant: Callable[[], None], take_back: Callable[[], None]) -> None:
        self.use = use
        self.on_grant = on_grant
        self.take_back = take_back
        self.is_granted = False
        self.resting_since: float | None = None
        self.is_taken_back = False


class SessionSlots:
    """All slots of one analyst.

    ``rest``: how long, in seconds, a session must have been idle before its slot may be taken back, by the use that
    needs the slot.
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
        """The number of running sessions by use."""
        self._rest = rest
        self._now = now
        self._on_shortage = on_shortage
        self._held: list[SessionSlot] = []
        self._waiting: list[SessionSlot] = []
        """The most urgent use first, then in order of arrival."""
        self._alarm: asyncio.TimerHandle | None = None
        self._kept = Use.BOT_MOVE, -inf
        """The use for which room is kept, and until when."""

    @property
    def waiting(self) -> Counter[Use]:
        """The number of waiting sessions by use."""
        return Counter(slot.use for slot in self._waiting)

    @property
    def at_rest(self) -> int:
        """The number of idle sessions."""
        return sum(slot.resting_since is not None for slot in self._held)

    @property
    def is_empty(self) -> bool:
        """Whether no session is running, waiting or awaited."""
        return not self._held and not self._waiting and self._now() >= self._kept[1]

    def keep_room(self, use: Use) -> None:
        """Keeps room for one session of this awaited use for ``KEPT_SECONDS``: others fit only besides it."""
        self._kept = use, self._now() + KEPT_SECONDS

    def has_room(self, use: Use, *, is_awaited: bool = False) -> bool:
        """Whether a session for this use would not have to wait; ``is_awaited``: room may be kept for it."""
        is_first = self._coming >= self._ahead(use)
        kept, until = self._kept
        if not is_awaited and self._now() < until:
            return is_first and self.shares.have_room(self.counts + Counter({kept: 1}), use)
        return is_first and (self.shares.have_room(self.counts, use) or self._spare(use) is not None)

    def check_room(self, use: Use, *, is_awaited: bool = False) -> None:
        """ApiError ``unavailable`` if a session for this use would have to wait; ``is_awaited`` as in ``has_room``."""
        if not self.has_room(use, is_awaited=is_awaited):
            self._on_shortage(use)
            raise ApiError(
                Code.UNAVAILABLE,
                "The engine is busy.",
                limit=self.shares.total,
                retry_after_ms=RETRY_MS,
            )

    def admit(self, slot: SessionSlot) -> None:
        """Grants the slot, immediately if one is free, otherwise in its turn."""
        self._waiting.append(slot)
        self._waiting.sort(key=lambda one: one.use)
        self._serve()
        if self._coming < len(self._waiting):
            self._on_shortage(slot.use)

    def rest(self, slot: SessionSlot) -> None:
        """Marks the session as idle."""
        if slot.resting_since is None:
            slot.resting_since = self._now()
            self._serve()

    def abandon(self, slot: SessionSlot) -> None:
        """Marks the session as unused: its slot may be taken back immediately for any use."""
        slot.resting_since = -inf
        self._serve()

    def resume(self, slot: SessionSlot) -> None:
        """Marks the session as in use."""
        slot.resting_since = None

    def leave(self, slot: SessionSlot) -> None:
        """Frees the slot of a session that has ended or was never started."""
        if slot.is_granted:
            self._held.remove(slot)
            self.counts[slot.use] -= 1
        else:
            self._waiting.remove(slot)
        self._serve()

    def _serve(self) -> None:
        """Grants free slots, and takes idle ones back for waiting sessions."""
        for use in Use:
            for slot in [one for one in self._waiting if one.use is use]:
                if not self.shares.have_room(self.counts, use):
                    self._take_back_for(use)
                    break
                self._grant(slot)

    def _grant(self, slot: SessionSlot) -> None:
        self._waiting.remove(slot)
        self._held.append(slot)
        self.counts[slot.use] += 1
        slot.is_granted = True
        slot.on_grant()

    def _take_back_for(self, use: Use) -> None:
        """Takes back one slot for each waiting session of this use or a more urgent one."""
        while self._coming < self._ahead(use):
            spare = self._spare(use)
            if spare is None:
                self._serve_later()
                return
            spare.is_taken_back = True
            spare.take_back()

    def _ahead(self, use: Use) -> int:
        """The number of sessions waiting for this use or a more urgent one."""
        return sum(slot.use <= use for slot in self._waiting)

    @property
    def _coming(self) -> int:
        """The number of slots taken back whose sessions are about to end."""
        return sum(slot.is_taken_back for slot in self._held)

    def _spare(self, use: Use) -> SessionSlot | None:
        """Returns the longest idle slot that may be taken back for this use and would make room for it."""
        counts, oldest = self.counts, self._now() - self._rest[use]
        helps = {one: self.shares.have_room(counts - Counter({one: 1}), use) for one in Use}
        spare = [
            (slot.resting_since, index)
            for index, slot in enumerate(self._held)
            if slot.resting_since is not None
            and slot.resting_since <= oldest
            and not slot.is_taken_back
            and helps[slot.use]
        ]
        return self._held[min(spare)[1]] if spare else None

    def _serve_later(self) -> None:
        """Schedules another check for when the longest idle slot may be taken back for any use."""
        resting = [
            slot.resting_since
            for slot in self._held
            if slot.resting_since is not None and not slot.is_taken_back
        ]
        if resting and self._alarm is None:
            left = min(resting) + max(self._rest.values()) - self._now()
            self._alarm = asyncio.get_running_loop().call_later(max(left, RECHECK_SECONDS), self._serve_again)

    def _serve_again(self) -> None:
        self._alarm = None
        self._serve()
