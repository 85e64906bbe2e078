"""Frames waiting for a peer that does not read. Pure: the socket adds and removes them."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from itertools import count

from server.services.cluster.bus import OverrunError


class Outbox:
    """At most ``limit`` frames in order; of frames with the same key only the latest."""

    def __init__(self, limit: int) -> None:
        self.snapshot: Callable[[], str] | None = None
        """Makes one frame that replaces all others when there are too many; None if there is no such frame."""
        self._limit = limit
        self._frames: OrderedDict[Hashable, str] = OrderedDict()
        self._numbers = count()
        self._is_lost = False
        """Whether a snapshot replaces all frames; it is made when it is taken."""

    def put(self, text: str, key: Hashable = None) -> None:
        """Adds a frame; OverrunError if there are too many and no snapshot can replace them."""
        if self._is_lost:
            return
        name = next(self._numbers) if key is None else key
        self._frames.pop(name, None)
        if len(self._frames) < self._limit:
            self._frames[name] = text
        elif self.snapshot is not None:
            self._frames.clear()
            self._is_lost = True
        else:
            raise OverrunError

    def take(self) -> str | None:
        """Removes and returns the next frame; None if there is none."""
        if self._is_lost and self.snapshot is not None:
            self._is_lost = False
            return self.snapshot()
        return self._frames.popitem(last=False)[1] if self._frames else None
