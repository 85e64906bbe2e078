"""JSON for all protocols: strict reading of one object, typed readers for its members, compact writing.

Stricter than Python's json module: rejects NaN, infinities, lone surrogates (which cannot be encoded as UTF-8), NUL
characters (which not every database can store) and excessive nesting. A reader takes a member's value and returns it
typed, or raises ``MistypedError``, which says what the member must be. The messages themselves are defined by the
codecs.
"""

import json
import math
from collections.abc import Callable
from typing import Any, TypeVar

from pydantic_core import to_json

from protocols.session import RemoteError

JsonDict = dict[str, Any]
T = TypeVar("T")


class MistypedError(Exception):
    """A member has the wrong type or range; the text completes the sentence "<member> must be …"."""


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def read_object(text: str) -> JsonDict:
    """Parse ``text`` as one JSON object; RemoteError if it is anything else."""
    try:
        value = _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        raise RemoteError(f"not JSON: {error}") from None
    if not isinstance(value, dict):
        raise RemoteError("not a JSON object")
    if "\\u0000" in text and _has_nul(value):
        raise RemoteError("not JSON: NUL is no character")
    if _has_lone_surrogate(text, value):
        raise RemoteError("not JSON: a lone surrogate is no character")
    return value


def write(value: object) -> str:
    """Serialise ``value`` without whitespace, keeping the order of members and not escaping non-ASCII characters.

    What is no number becomes null.
    """
    return to_json(value, inf_nan_mode="null", fallback=dict).decode()


def _has_lone_surrogate(text: str, value: JsonDict) -> bool:
    if "\\u" not in text and text.isascii():
        return False
    try:
        json.dumps(value, ensure_ascii=False).encode()
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _has_nul(value: object) -> bool:
    match value:
        case str():
            return "\0" in value
        case list():
            return any(map(_has_nul, value))
        case dict():
            return any(map(_has_nul, (*value, *value.values())))
        case _:
            return False


# ---- readers of members --------------------------------------------------------------------------


def member(fields: JsonDict, name: str, read: Callable[[object], T]) -> T:
    """Read the member ``name`` with ``read``; RemoteError, which names the member, if it is missing or mistyped."""
    try:
        return read(fields.get(name))
    except MistypedError as why:
        raise RemoteError(f"{name} must be {why}") from None


def optional(read: Callable[[object], T]) -> Callable[[object], T | None]:
    """A reader that also accepts null and a missing member, as None."""
    return lambda value: None if value is None else read(value)


def string(value: object) -> str:
    """Any string."""
    if isinstance(value, str):
        return value
    raise MistypedError("a string")


def filled(value: object) -> str:
    """A string that is not blank, unchanged."""
    if isinstance(value, str) and value.strip():
        return value
    raise MistypedError("a non-empty string")


def flag(value: object) -> bool:
    """A boolean."""
    if isinstance(value, bool):
        return value
    raise MistypedError("true or false")


def count(value: object) -> int:
    """An integer ≥ 0, which JSON may also write as 1.0."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise MistypedError("a whole number, 0 or more")


def positive(value: object) -> int:
    """An integer > 0."""
    if isinstance(value, int | float) and value > 0:
        return count(value)
    raise MistypedError("a whole number over 0")


def number(value: object) -> float:
    """A finite number; an integer must be less than 2**53 in magnitude."""
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53:
        return float(value)
    raise MistypedError("a finite number")


def strings(value: object) -> tuple[str, ...]:
    """An array of strings."""
    if isinstance(value, list) and all(isinstance(member, str) for member in value):
        return tuple(value)
    raise MistypedError("an array of strings")


def mapping(value: object) -> JsonDict:
    """A JSON object."""
    if isinstance(value, dict):
        return value
    raise MistypedError("an object")
