"""Converts events of tournaments to stored JSON and back, as ``domain.event_codec`` does with those of games."""

from collections.abc import Mapping
from typing import Any, get_args

from pydantic import TypeAdapter

from server.domain.tournaments.events import TournamentEvent

_CLASSES: Mapping[str, type[TournamentEvent]] = {cls.__name__: cls for cls in get_args(TournamentEvent)}
_ADAPTERS: Mapping[str, TypeAdapter[TournamentEvent]] = {
    name: TypeAdapter(cls) for name, cls in _CLASSES.items()
}


def write_tournament_event(event: TournamentEvent) -> tuple[str, dict[str, Any]]:
    """Returns the kind and the members of an event, as JSON values without members that have their default."""
    kind = type(event).__name__
    return kind, _ADAPTERS[kind].dump_python(event, mode="json", exclude_defaults=True)


def read_tournament_event(kind: str, data: Mapping[str, Any]) -> TournamentEvent:
    """Returns the event with this kind and these members. Raises KeyError or ValidationError if there is none."""
    return _ADAPTERS[kind].validate_python(data)
