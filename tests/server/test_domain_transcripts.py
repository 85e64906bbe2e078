"""Commands of the domain at given times, and what they lead to, as tests/golden/domain has them."""

import json
import shlex
from dataclasses import fields
from enum import StrEnum
from typing import Any, get_args

import pytest

from protocols.values import Seat, SeatKind, TimeControl
from server.domain import commands as c
from server.domain.decide import decide
from server.domain.errors import ApiError
from server.domain.events import late_seats
from server.domain.fold import fold
from tests.patterns import Names
from tests.protocols.transcripts import GOLDEN, parts_of
from tests.server.test_decide import Table, comparable, draw, goofspiel, maze, public_position, stored

PARTS = {path.stem: parts_of(path) for path in sorted((GOLDEN / "domain").glob("*.txt"))}


def read(kind: Any, words: list[str]) -> Any:
    """A value of a class from the texts of its members, ``-`` for None, the last ones perhaps as ``name=text``."""
    types = {field.name: field.type for field in fields(kind)}
    members = dict(zip(types, words, strict=False))
    named = dict(word.split("=", 1) for word in words if word.partition("=")[0] in types)
    positional = {name: word for name, word in members.items() if word.partition("=")[0] not in named}
    return kind(**{name: _value(types[name], word) for name, word in (positional | named).items()})


def _value(kind: Any, word: str) -> Any:
    (kind, *_) = get_args(kind) or (kind,)
    if word == "-":
        return None
    return word == "true" if kind is bool else kind(word) if issubclass(kind, int | StrEnum) else word


def opened(line: str) -> Table:
    """A game such as ``draw human bot control 10 0``."""
    name, *words = line.split()
    at = words.index("control") if "control" in words else len(words)
    control = read(TimeControl, words[at + 1 :]) if at < len(words) else None
    if name == "draw":
        seats = [Seat(SeatKind(kind), bot_id="b" if kind == "bot" else None) for kind in words[:at]]
        return draw(*seats, control=control)
    return {"goofspiel": goofspiel, "maze": maze}[name](control)


def shown(table: Table, now: int) -> dict[str, Any]:
    """What the public sees of a game, and more of its state."""
    state = table.state
    return public_position(state, now) | {
        "log": len(table.log),
        "names": [seat.name for seat in state.seats],
        "offer": state.offer and state.offer.kind.value,
        "rematch": state.rematch,
        "quotas": state.clock and list(state.clock.quotas),
        "deadline": state.clock and state.clock.deadline,
        "late": list(late_seats(one.event for one in table.log)),
        "event": type(table.log[-1].event).__name__,
    }


@pytest.mark.parametrize(
    ("name", "title"), [(name, title) for name, parts in PARTS.items() for title, _ in parts[1:]]
)
def test_transcript(name: str, title: str) -> None:
    first, *lines = dict(PARTS[name])[title]
    table, names = opened(first), Names()
    for line in lines:
        now, what, rest = f"{line} ".split(" ", 2)
        try:
            if what == "shows":
                names.match(json.loads(rest), shown(table, int(now)))
            else:
                command, _, code = rest.partition("-> ")
                _carry_out(table, int(now), read(getattr(c, what), shlex.split(command)), code.strip())
        except Exception as error:
            error.add_note(line)
            raise
    again = fold("g", stored(table.log))
    assert again is not None
    assert comparable(again) == comparable(table.state)


def _carry_out(table: Table, now: int, command: c.Command, refusal: str) -> None:
    if refusal == "nothing":
        assert decide(table.state, command, now).events == ()
    elif refusal:
        with pytest.raises(ApiError) as refused:
            table.do(command, now)
        code, *limit = refusal.split()
        assert refused.value.code.value == code
        assert not limit or [str(refused.value.limit)] == limit
    else:
        table.do(command, now)
