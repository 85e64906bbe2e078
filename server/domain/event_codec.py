"""Events to stored JSON and back: a kind, which names the class, and its members.

Called by the store adapters.
"""

from collections.abc import Mapping
from typing import Any, get_args

from pydantic import TypeAdapter

from server.domain.events import Event

_CLASSES: Mapping[str, type[Event]] = {cls.__name__: cls for cls in get_args(Event)}
_ADAPTERS: Mapping[str, TypeAdapter[Event]] = {name: TypeAdapter(cls) for name, cls in _CLASSES.items()}


def write_event(event: Event) -> tuple[str, dict[str, Any]]:
    """The kind and the members of an event, as JSON values; members at their default are left out."""
    kind = type(event).__name__
    return kind, _ADAPTERS[kind].dump_python(event, mode="json", exclude_defaults=True)


def write_event_text(event: Event) -> tuple[str, str]:
    """The kind and the members of an event, as JSON text; members at their default are left out."""
    kind = type(event).__name__
    return kind, _ADAPTERS[kind].dump_json(event, exclude_defaults=True).decode()


def read_event(kind: str, data: Mapping[str, Any]) -> Event:
    """The event of this kind.

    KeyError or ValidationError (a ValueError) when the log holds what nobody wrote.
    """
    return _ADAPTERS[kind].validate_python(data)


def read_event_text(kind: str, data: str) -> Event:
    """The same, of JSON text."""
    return _ADAPTERS[kind].validate_json(data)
