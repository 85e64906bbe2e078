"""Draws pictures for clients: each picture once, for the client that asks first and pays for it."""

import hashlib
from asyncio import Lock
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from weakref import WeakValueDictionary

from engines.pictures import Order
from engines.pictures.script import SCRIPT
from server.domain.errors import ApiError, Code
from server.services.address_limit import AddressLimit
from server.services.heavy_work import HeavyWork
from server.services.payer import payer
from server.services.pictures.picture_cache import PictureCache
from server.services.pictures.picture_process import PictureProcess

KEPT_BYTES = 32 << 20
"""A picture has about 50,000 bytes, and the largest a million."""

MOST_OF_ONE = 4
"""The most pictures that one address may wait for."""

MOST_WAITING = 64
"""The most pictures that all clients together may wait for."""

RETRY_MS = 1000


@dataclass(frozen=True, slots=True)
class PictureKey:
    """Names a picture: the same key, the same bytes. ``text`` is fit for an ``ETag``."""

    order: Order
    is_png: bool
    text: str


class Pictures:
    """The pictures of one server."""

    def __init__(self, work: HeavyWork, process: PictureProcess | None = None) -> None:
        """``work`` keeps the accounts of the clients."""
        self._work = work
        self._process = process or PictureProcess()
        self._kept = PictureCache(KEPT_BYTES)
        self._locks: WeakValueDictionary[str, Lock] = WeakValueDictionary()
        self._limit = AddressLimit(MOST_OF_ONE, "pictures")
        self._waiting = 0
        self._script: str | None = None

    def key_of(self, order: Order, *, png: bool) -> PictureKey:
        """The key of a picture. It changes with the code that draws."""
        if self._script is None:
            code = SCRIPT.read_bytes() if SCRIPT.is_file() else b""
            self._script = hashlib.sha256(code).hexdigest()
        text = f"{self._script} {'png' if png else 'svg'} {order.text}"
        return PictureKey(order, png, hashlib.sha256(text.encode()).hexdigest()[:32])

    async def draw(self, key: PictureKey) -> bytes:
        """Returns the picture. ApiError if the client has used up its time, or the server draws too many already."""
        lock = self._locks.setdefault(key.text, Lock())
        with self._place():
            async with lock:
                found = self._kept.find(key.text)
                if found is None:
                    found = await self._drawn(key)
                    self._kept.add(key.text, found)
                return found

    async def stop(self) -> None:
        """Ends the process that draws."""
        await self._process.stop()

    async def _drawn(self, key: PictureKey) -> bytes:
        self._work.check()
        drawn = await self._process.draw(key.order, png=key.is_png)
        self._work.accounts.charge(payer.get(), drawn.seconds)
        if drawn.error is not None:
            raise ApiError(Code.UNSUPPORTED, drawn.error)
        return drawn.content

    @contextmanager
    def _place(self) -> Iterator[None]:
        """A place among those that wait."""
        with self._limit.holding(payer.get()):
            if self._waiting >= MOST_WAITING:
                text = "Too many pictures are being drawn. Try again later."
                raise ApiError(Code.UNAVAILABLE, text, retry_after_ms=RETRY_MS)
            self._waiting += 1
            try:
                yield
            finally:
                self._waiting -= 1
