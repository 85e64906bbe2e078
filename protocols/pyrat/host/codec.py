"""Messages as bytes: a FlatBuffers root with one field, the union of all messages of one side.

There is no generated code: tables are written and read by the annotations in ``messages``.
"""
# ruff: noqa: ANN401  The annotations in messages say which values are passed here.

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from types import NoneType
from typing import Any, cast, get_args, get_type_hints

from flatbuffers.builder import Builder
from flatbuffers.number_types import Uint8Flags, UOffsetTFlags
from flatbuffers.table import Table

from protocols.pyrat.host.board import Cell
from protocols.pyrat.host.messages import BotMessage, HostMessage
from protocols.session import RemoteError

FIRST_SLOT, SLOT_BYTES = 4, 2
"""Where slots are in a vtable."""

CELL_BYTES = 2

MAX_VALUE_BYTES = 1 << 24
"""The largest size of all values of a packet together: tables may overlap, so a small packet could hold many."""


def encode_host(message: HostMessage) -> bytes:
    """The packet of a message to a bot."""
    return _encode(message, _union(HostMessage))


def encode_bot(message: BotMessage) -> bytes:
    """The packet of a message to a host."""
    return _encode(message, _union(BotMessage))


def decode_host(packet: bytes) -> HostMessage:
    """The message in a packet from a host. Raises RemoteError."""
    return cast("HostMessage", _decode(packet, _union(HostMessage)))


def decode_bot(packet: bytes) -> BotMessage:
    """The message in a packet from a bot. Raises RemoteError."""
    return cast("BotMessage", _decode(packet, _union(BotMessage)))


# ---- packets -------------------------------------------------------------------------------------


def _union(messages: object) -> tuple[type[Any], ...]:
    return get_args(messages)


def _encode(message: Any, union: Sequence[type[Any]]) -> bytes:
    builder = Builder(1024)
    table = _write_table(builder, message)
    builder.StartObject(2)
    builder.PrependUint8Slot(0, union.index(type(message)) + 1, 0)
    builder.PrependUOffsetTRelativeSlot(1, table, 0)
    builder.Finish(builder.EndObject())
    return bytes(builder.Output())


def _decode(packet: bytes, union: Sequence[type[Any]]) -> object:
    try:
        return _Reader(packet).message(union)
    # What the library raises for offsets beyond the packet, and Python for invalid texts.
    except (struct.error, IndexError, OverflowError, TypeError, ValueError) as error:
        raise RemoteError(f"malformed packet: {error}") from None


# ---- fields --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Field:
    """How a field is stored."""

    name: str
    item: type[Any]
    """The class of the value, or of the elements of a vector; ``tuple`` for cells."""
    flags: Any
    """The library's description of a number; None for texts, cells and tables."""
    is_vector: bool
    may_be_none: bool

    @property
    def is_number(self) -> bool:
        return self.flags is not None

    @property
    def is_cell(self) -> bool:
        return self.item is tuple

    @property
    def element_bytes(self) -> int:
        """The size of an element of a vector; texts and tables are stored apart."""
        if self.is_number:
            return int(self.flags.bytewidth)
        return CELL_BYTES if self.is_cell else int(UOffsetTFlags.bytewidth)


_known: dict[type[Any], tuple[_Field, ...]] = {}


def _fields(table: type[Any]) -> tuple[_Field, ...]:
    """The fields of a table in the order of their slots."""
    if table not in _known:
        hints = get_type_hints(table, include_extras=True)
        _known[table] = tuple(_field(name, hint) for name, hint in hints.items())
    return _known[table]


def _field(name: str, hint: Any) -> _Field:
    """Reads an annotation, such as ``U8``, ``F32 | None`` or ``tuple[Cell, ...]``."""
    may_be_none = NoneType in get_args(hint)
    if may_be_none:
        hint = get_args(hint)[0]
    arguments = get_args(hint)
    is_vector = arguments[-1:] == (Ellipsis,)
    item = arguments[0] if is_vector else hint
    if item == Cell:
        return _Field(name, tuple, None, is_vector, may_be_none)
    if not isinstance(item, type):
        number, flags = item.__origin__, item.__metadata__[0]
        return _Field(name, number, flags, is_vector, may_be_none)
    return _Field(name, item, Uint8Flags if issubclass(item, IntEnum) else None, is_vector, may_be_none)


# ---- writing -------------------------------------------------------------------------------------


def _write_table(builder: Builder, table: Any) -> int:
    """Writes a table with everything in it; returns its offset."""
    described = [(field, getattr(table, field.name)) for field in _fields(type(table))]
    # A table is written after the texts, vectors and tables that it refers to.
    offsets = [_write_apart(builder, field, value) for field, value in described]
    builder.StartObject(len(described))
    for slot, ((field, value), offset) in enumerate(zip(described, offsets, strict=True)):
        if offset is not None:
            builder.PrependUOffsetTRelativeSlot(slot, offset, 0)
        elif field.is_cell and value is not None:
            builder.PrependStructSlot(slot, _write_cell(builder, value), 0)
        elif field.is_number:
            builder.PrependSlot(field.flags, slot, value, None if field.may_be_none else 0)
    return int(builder.EndObject())


def _write_apart(builder: Builder, field: _Field, value: Any) -> int | None:
    """Writes a value to which a table has only an offset; returns the offset, or None for other values."""
    if field.is_vector:
        return _write_vector(builder, field, value)
    if field.is_number or field.is_cell:
        return None
    return _write_item(builder, field)(value)


def _write_vector(builder: Builder, field: _Field, values: Sequence[Any]) -> int:
    if field.is_number:
        builder.StartVector(field.element_bytes, len(values), field.element_bytes)
        for value in reversed(values):
            builder.Prepend(field.flags, value)
    elif field.is_cell:
        builder.StartVector(field.element_bytes, len(values), 1)
        for value in reversed(values):
            _write_cell(builder, value)
    else:
        offsets = list(map(_write_item(builder, field), values))
        builder.StartVector(field.element_bytes, len(values), field.element_bytes)
        for offset in reversed(offsets):
            builder.PrependUOffsetTRelative(offset)
    return int(builder.EndVector())


def _write_item(builder: Builder, field: _Field) -> Callable[[Any], int]:
    if field.item is str:
        return cast("Callable[[str], int]", builder.CreateString)
    return lambda table: _write_table(builder, table)


def _write_cell(builder: Builder, cell: Cell) -> int:
    builder.Prep(1, CELL_BYTES)
    for coordinate in reversed(cell):
        builder.PrependUint8(coordinate)
    return int(builder.Offset())


# ---- reading -------------------------------------------------------------------------------------


class _Reader:
    """Reads one packet. The library checks that numbers are in the packet; this class checks lengths and meanings."""

    def __init__(self, packet: bytes) -> None:
        self._packet = packet
        self._left = MAX_VALUE_BYTES

    def message(self, union: Sequence[type[Any]]) -> object:
        """The message of the packet, whose number tells its class."""
        root = Table(self._packet, 0)
        root = Table(self._packet, root.Indirect(0))
        number = root.GetSlot(FIRST_SLOT, 0, Uint8Flags)
        if not 1 <= number <= len(union):
            raise RemoteError(f"unknown message type {number}")
        offset = root.Offset(FIRST_SLOT + SLOT_BYTES)
        if offset == 0:
            raise RemoteError("a packet without a message")
        return self._table(union[number - 1], root.Pos + offset)

    def _table(self, table: type[Any], at: int) -> Any:
        """The table to which there is an offset at ``at``."""
        where = Table(self._packet, at)
        where = Table(self._packet, where.Indirect(at))
        self._count(SLOT_BYTES)
        described = enumerate(_fields(table))
        return table(
            *[self._value(table, field, where, where.Offset(_slot(slot))) for slot, field in described]
        )

    def _value(self, table: type[Any], field: _Field, where: Table, offset: int) -> Any:
        at = where.Pos + offset
        if field.is_vector:
            return self._vector(field, where, offset) if offset else ()
        if offset:
            return self._item(field, at)
        if field.may_be_none:
            return None
        if field.is_number:
            return field.item(0)
        if field.item is str:
            return ""
        raise RemoteError(f"{table.__name__} without {field.name}")

    def _vector(self, field: _Field, where: Table, offset: int) -> tuple[Any, ...]:
        start, count = where.Vector(offset), where.VectorLen(offset)
        size = field.element_bytes
        if start + count * size > len(self._packet):
            raise RemoteError(f"{field.name} has {count} elements, more than the packet can hold")
        return tuple(self._item(field, at) for at in range(start, start + count * size, size))

    def _item(self, field: _Field, at: int) -> Any:
        where = Table(self._packet, at)
        if field.is_number:
            self._count(field.flags.bytewidth)
            return field.item(where.Get(field.flags, at))
        if field.is_cell:
            self._count(CELL_BYTES)
            return where.Get(Uint8Flags, at), where.Get(Uint8Flags, at + 1)
        if field.item is str:
            return self._text(field.name, where.String(at))
        return self._table(field.item, at)

    def _text(self, name: str, text: bytes) -> str:
        self._count(len(text))
        try:
            return text.decode()
        except UnicodeDecodeError:
            raise RemoteError(f"{name} is not UTF-8") from None

    def _count(self, size: int) -> None:
        self._left -= size
        if self._left < 0:
            raise RemoteError(f"a packet with more than {MAX_VALUE_BYTES} bytes of values")


def _slot(number: int) -> int:
    return FIRST_SLOT + SLOT_BYTES * number
