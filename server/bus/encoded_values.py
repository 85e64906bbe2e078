"""JSON values that are decoded when they are first read.

Most messages of other servers are about games that nobody uses here; decoding only their heads makes them cheap.
``codec`` creates these values.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar, overload

from pydantic import TypeAdapter

T = TypeVar("T")

_OBJECT: TypeAdapter[dict[str, Any]] = TypeAdapter(dict[str, Any])


class EncodedObject(Mapping[str, Any]):
    """A JSON object. Every access raises ValueError if ``text`` is not one."""

    def __init__(self, text: bytes) -> None:
        self._text = text

    @cached_property
    def _members(self) -> Mapping[str, Any]:
        return _OBJECT.validate_json(self._text)

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - any JSON value
        return self._members[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)


class EncodedSequence(Sequence[T], Generic[T]):
    """A sequence that ``read`` decodes. Every access raises what ``read`` raises.

    Equal to any sequence of the same items.
    """

    def __init__(self, text: bytes, read: Callable[[bytes], tuple[T, ...]]) -> None:
        self._text = text
        self._read = read

    @cached_property
    def _items(self) -> tuple[T, ...]:
        return self._read(self._text)

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...

    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        return self._items[index]

    def __len__(self) -> int:
        return len(self._items)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._items == tuple(other)

    def __hash__(self) -> int:
        return hash(self._items)
