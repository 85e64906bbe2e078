"""JSON as the protocols use it: strict reading of one object, typed readers for its members, compact writing.

Stricter than Python's json module: no NaN or infinity, no lone surrogates (they cannot be sent on), no
endless nesting. A reader takes a member's value and returns it typed, or raises ``MistypedError`` with
what the member must be. Used by the codecs of every JSON protocol; knows no message.
"""

import json
import math
from collections.abc import Callable
from typing import Any, TypeVar

from protocols.session import RemoteError

JsonDict = dict[str, Any]
T = TypeVar("T")


class MistypedError(Exception):
    """A member has the wrong type or range; the text completes the sentence "<member> must be …"."""


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=dict)


def read_object(text: str) -> JsonDict:
    """Read ``text`` as one JSON object; raises ``RemoteError``."""
    try:
        value = _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        raise RemoteError(f"not JSON: {error}") from None
    if not isinstance(value, dict):
        raise RemoteError("not a JSON object")
    if _has_lone_surrogate(text, value):
        raise RemoteError("not JSON: a lone surrogate is no character")
    return value


def write(value: JsonDict) -> str:
    """Write ``value`` without blanks, members in their order, characters beyond ASCII as themselves."""
    return _ENCODER.encode(value)


def _has_lone_surrogate(text: str, value: JsonDict) -> bool:
    if "\\u" not in text and text.isascii():
        return False
    try:
        _ENCODER.encode(value).encode()
        text.encode()
    except UnicodeEncodeError:
        return True
    except ValueError:  # 1e999 was read as an infinity: the reader of that member refuses it.
        return False
    return False


# ---- readers of members --------------------------------------------------------------------------


def member(fields: JsonDict, name: str, read: Callable[[object], T]) -> T:
    """The member ``name`` as ``read`` takes it; ``RemoteError`` names it where it cannot be read, or is missing."""
    try:
        return read(fields.get(name))
    except MistypedError as why:
        raise RemoteError(f"{name} must be {why}") from None


def optional(read: Callable[[object], T]) -> Callable[[object], T | None]:
    """A reader of members that may be null or missing."""
    return lambda value: None if value is None else read(value)


def string(value: object) -> str:
    """Any string."""
    if isinstance(value, str):
        return value
    raise MistypedError("a string")


def filled(value: object) -> str:
    """A string with something other than blanks in it, returned as it came."""
    if isinstance(value, str) and value.strip():
        return value
    raise MistypedError("a non-empty string")


def flag(value: object) -> bool:
    """A boolean."""
    if isinstance(value, bool):
        return value
    raise MistypedError("true or false")


def count(value: object) -> int:
    """A whole number ≥ 0; JSON does not tell 1 from 1.0."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise MistypedError("a whole number, 0 or more")


def number(value: object) -> float:
    """A finite number; a whole one may be written as an integer."""
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53:
        return float(value)
    raise MistypedError("a finite number")


def mapping(value: object) -> JsonDict:
    """A JSON object."""
    if isinstance(value, dict):
        return value
    raise MistypedError("an object")
