"""The records of finished games that were read last. Writing that of a long game takes much longer than sending it."""

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ExportedRecord:
    """A record as text. ``lost`` names the parts of the game that the format cannot express."""

    text: str
    media_type: str
    lost: tuple[str, ...]


class RecordCache:
    """Records by whatever determines them, with at most ``limit`` characters together."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._records: OrderedDict[Hashable, ExportedRecord] = OrderedDict()
        self._size = 0

    def find(self, key: Hashable) -> ExportedRecord | None:
        """The record, if it is kept."""
        found = self._records.get(key)
        if found is not None:
            self._records.move_to_end(key)
        return found

    def add(self, key: Hashable, record: ExportedRecord) -> None:
        """Keeps a record, and drops those that were not found for the longest time."""
        if key in self._records or len(record.text) > self._limit:
            return
        self._records[key] = record
        self._size += len(record.text)
        while self._size > self._limit:
            _, dropped = self._records.popitem(last=False)
            self._size -= len(dropped.text)
