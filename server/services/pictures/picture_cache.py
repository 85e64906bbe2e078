"""The pictures that were asked for last. Drawing one takes a thousand times as long as sending it."""

from collections import OrderedDict


class PictureCache:
    """Pictures by their keys, with at most ``limit`` bytes together."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._pictures: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0

    def find(self, key: str) -> bytes | None:
        """The picture, if it is kept."""
        found = self._pictures.get(key)
        if found is not None:
            self._pictures.move_to_end(key)
        return found

    def add(self, key: str, picture: bytes) -> None:
        """Keeps a picture, and drops those that were not found for the longest time."""
        if key in self._pictures or len(picture) > self._limit:
            return
        self._pictures[key] = picture
        self._size += len(picture)
        while self._size > self._limit:
            _, dropped = self._pictures.popitem(last=False)
            self._size -= len(dropped)
