"""Our own format: all parts of a record in one JSON object.

The members ``game``, ``variant``, ``config`` and ``moves`` are those of ``POST /api/analysis``. Only ``game`` is
required. Known members must be valid; unknown ones are ignored.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from protocols import jsontext
from protocols.jsontext import JsonDict, MistypedError
from protocols.records.record import Reading, RecordError
from protocols.session import RemoteError
from protocols.table_json import control_json, result_json
from protocols.values import MAX_NOTE, Record, Result, Seat, SeatKind, TimeControl

FORMAT, VERSION = "plyhouse-record", 1
"""Values of ``format`` and ``version``. Later versions may change the meaning of members."""

LATEST_MS = 253_402_300_799_999
"""The last millisecond of the year 9999."""

PER_LINE = 10
"""Entries per line of a long list, for readability."""

T = TypeVar("T")


# ---- writing -------------------------------------------------------------------------------------


def write(record: Record) -> str:
    """Writes the record with one member per line, and long lists on several lines."""
    members = {
        "format": FORMAT,
        "version": VERSION,
        "game": record.game,
        "variant": record.variant,
        "config": dict(record.config),
        "seats": [_seat(seat) for seat in record.seats],
        "timeControl": None if record.time_control is None else control_json(record.time_control),
        "createdAt": record.created_at,
        "moves": list(record.moves),
        "times": None if record.times is None else list(record.times),
        "partTimes": _rows(record.part_times),
        "clocks": _rows(record.clocks),
        "late": _rows(record.late),
        "result": None if record.result is None else result_json(record.result),
    }
    required = ("moves", "result")
    shown = {name: value for name, value in members.items() if value is not None or name in required}
    return "{\n" + ",\n".join(f' "{name}": {_lines(value)}' for name, value in shown.items()) + "\n}\n"


def _rows(entries: Sequence[Sequence[int]] | None) -> list[list[int]] | None:
    return None if entries is None else [list(entry) for entry in entries]


def _lines(value: object) -> str:
    if not isinstance(value, list) or len(value) <= PER_LINE:
        return _compact(value)
    rows = [value[start : start + PER_LINE] for start in range(0, len(value), PER_LINE)]
    return "[\n" + ",\n".join("  " + ", ".join(map(_compact, row)) for row in rows) + "\n ]"


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _seat(seat: Seat) -> JsonDict:
    members = {"kind": seat.kind.value, "name": seat.name, "bot": seat.bot_id, "elo": seat.elo}
    return {name: value for name, value in members.items() if value is not None}


# ---- reading -------------------------------------------------------------------------------------


def looks_like(text: str) -> bool:
    """Whether the text begins like a JSON object; a brace alone may begin a comment."""
    return re.match(r'\s*\{\s*(["}]|\Z)', text) is not None


def read(text: str) -> Reading:
    """Reads a record. Raises RecordError, naming line and column, or the member."""
    try:
        members = jsontext.read_object(text)
    except RemoteError as error:
        raise RecordError(str(error)) from None
    _check_version(members)
    moves = _member(members, "moves", _list_of(jsontext.string)) or ()
    return Reading(
        Record(
            game=_game(members),
            variant=_member(members, "variant", jsontext.string) or "",
            config=_member(members, "config", jsontext.mapping) or {},
            seats=_member(members, "seats", _list_of(_read_seat)) or (),
            moves=moves,
            result=_member(members, "result", _read_result),
            time_control=_member(members, "timeControl", _read_control),
            created_at=_member(members, "createdAt", _whole),
            times=_member(members, "times", _one_per(moves, _list_of(_whole))),
            part_times=_rows_or_none(
                _member(members, "partTimes", _one_per(moves, _list_of(_list_of(_whole))))
            ),
            clocks=_member(members, "clocks", _one_per(moves, _list_of(_list_of(_whole)))),
            late=_late(_member(members, "late", _one_per(moves, _list_of(_list_of(_whole))))),
        )
    )


def _late(seats: tuple[tuple[int, ...], ...] | None) -> tuple[tuple[int, ...], ...] | None:
    """As in ``Record``: in turn order, and None if nobody was late."""
    return _rows_or_none(tuple(tuple(sorted({*late})) for late in seats or ()))


def _rows_or_none(rows: tuple[tuple[int, ...], ...] | None) -> tuple[tuple[int, ...], ...] | None:
    """None if all rows are empty."""
    return rows if rows and any(rows) else None


def _check_version(members: JsonDict) -> None:
    if members.get("format", FORMAT) != FORMAT:
        raise RecordError(f'format must be "{FORMAT}"')
    if members.get("version", VERSION) != VERSION:
        raise RecordError(f"version must be {VERSION}: a later one cannot be read here")


def _game(members: JsonDict) -> str:
    game = _member(members, "game", jsontext.filled)
    if game is None:
        raise RecordError("game is missing")
    return game


def _member(members: Mapping[str, Any], name: str, read_as: Callable[[object], T]) -> T | None:
    """The value of a member; None if it is absent or null."""
    value = members.get(name)
    if value is None:
        return None
    try:
        return read_as(value)
    except MistypedError as wrong:
        raise RecordError(f"{name} must be {wrong}") from None


def _list_of(read_as: Callable[[object], T]) -> Callable[[object], tuple[T, ...]]:
    def read_list(value: object) -> tuple[T, ...]:
        if not isinstance(value, list):
            raise MistypedError("a list")
        entries = []
        for number, entry in enumerate(value, start=1):
            try:
                entries.append(read_as(entry))
            except MistypedError as wrong:
                raise MistypedError(f"a list whose entry {number} is {wrong}") from None
        return tuple(entries)

    return read_list


def _one_per(
    moves: Sequence[str], read_as: Callable[[object], tuple[T, ...]]
) -> Callable[[object], tuple[T, ...]]:
    def read_entries(value: object) -> tuple[T, ...]:
        entries = read_as(value)
        if len(entries) != len(moves):
            raise MistypedError(f"a list of one entry per move: {len(moves)}, not {len(entries)}")
        return entries

    return read_entries


def _whole(value: object) -> int:
    number = jsontext.count(value)
    if number > LATEST_MS:
        raise MistypedError(f"a whole number up to {LATEST_MS}")
    return number


def _integer(value: object) -> int:
    if type(value) is not int or abs(value) > LATEST_MS:
        raise MistypedError("a whole number")
    return value


def _read_seat(value: object) -> Seat:
    members = jsontext.mapping(value)
    kind = _inner(members, "kind", jsontext.string) or SeatKind.HUMAN
    if kind not in list(SeatKind):
        raise MistypedError("a seat of kind human, bot or open")
    name, bot = _inner(members, "name", jsontext.string), _inner(members, "bot", jsontext.string)
    return Seat(SeatKind(kind), name, bot, elo=_inner(members, "elo", _integer))


def _read_control(value: object) -> TimeControl:
    members = jsontext.mapping(value)
    return TimeControl(
        _needed(members, "initialSeconds", _whole),
        _inner(members, "incrementSeconds", _whole) or 0,
        _inner(members, "preset", jsontext.string),
        move_ms=_inner(members, "moveMs", _whole),
        preprocessing_ms=_inner(members, "preprocessingMs", _whole),
    )


def _read_result(value: object) -> Result:
    members = jsontext.mapping(value)
    return Result(
        _needed(members, "winners", _list_of(_whole)),
        _needed(members, "reason", jsontext.string),
        _inner(members, "scores", _list_of(jsontext.number)),
        _inner(members, "note", _note),
    )


def _note(value: object) -> str:
    note = jsontext.string(value)
    if len(note) > MAX_NOTE or not note.isprintable():
        raise MistypedError(f"a text of at most {MAX_NOTE} characters, all printable")
    return note


def _inner(members: JsonDict, name: str, read_as: Callable[[object], T]) -> T | None:
    """A nested member; a MistypedError also names the outer member."""
    value = members.get(name)
    if value is None:
        return None
    try:
        return read_as(value)
    except MistypedError as wrong:
        raise MistypedError(f"an object whose {name} is {wrong}") from None


def _needed(members: JsonDict, name: str, read_as: Callable[[object], T]) -> T:
    value = _inner(members, name, read_as)
    if value is None:
        raise MistypedError(f"an object with {name}")
    return value
