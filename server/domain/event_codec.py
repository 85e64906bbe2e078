"""Converts events to stored JSON and back: a kind, which is the class name, and the members.

Called by the store adapters.
"""

from collections.abc import Mapping
from typing import Any, get_args

from pydantic import TypeAdapter

from server.domain.events import Event

_CLASSES: Mapping[str, type[Event]] = {cls.__name__: cls for cls in get_args(Event)}
_ADAPTERS: Mapping[str, TypeAdapter[Event]] = {name: TypeAdapter(cls) for name, cls in _CLASSES.items()}


def write_event(event: Event) -> tuple[str, dict[str, Any]]:
    """Returns the kind and the members of an event, as JSON values without members that have their default."""
    kind = type(event).__name__
    return kind, _ADAPTERS[kind].dump_python(event, mode="json", exclude_defaults=True)


def write_event_text(event: Event) -> tuple[str, str]:
    """The same as ``write_event``, with the members as JSON text."""
    kind = type(event).__name__
    return kind, _ADAPTERS[kind].dump_json(event, exclude_defaults=True).decode()


def read_event(kind: str, data: Mapping[str, Any]) -> Event:
    """Returns the event with this kind and these members.

    Raises KeyError or ValidationError (a ValueError) if no such event exists.
    """
    return _ADAPTERS[kind].validate_python(data)


def read_event_text(kind: str, data: str) -> Event:
    """The same as ``read_event``, from JSON text."""
    return _ADAPTERS[kind].validate_json(data)
