"""Reads Hive from the SGF files of boardspace.net. ``hive`` plays the parsed game; records are its main line.

The first node has the game's properties: ``SU`` the type, ``P0[id "…"]`` and ``P1`` the players, ``RE`` the result in
words of some language. Each further node is a player's action, ``; P0[6 Dropb wS1 N 13 .]``; ``hive_sgf_turns``
converts actions into moves.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from protocols.records import hive, sgf
from protocols.records import tags as head
from protocols.records.hive import Claim, ParsedGame
from protocols.records.hive_sgf_turns import Action, Ending, Turns
from protocols.records.record import UNKNOWN, Reading, RecordError
from protocols.records.replay import DRAW_AGREEMENT
from protocols.records.sgf import Property, SgfGame
from protocols.records.tags import Tag
from protocols.uhp.game_string import COLORS, GAME
from protocols.values import Seat, SeatKind

GAMES: Final = ("27", GAME)
"""Values of ``GM`` for this game, in lower case."""

PLAYERS: Final = ("P0", "P1")
RESIGNATION: Final = "resignation"
TIMEOUT: Final = "timeout"

DRAWS: Final = ("draw", "remis", "unentschieden", "nulle", "tablas", "empate", "patta", "ничья")
"""Words for a draw in ``RE``, in lower case."""

_ACTION = re.compile(r"\s*(?:\d+\s+)?([A-Za-z]\w*)\b(.*)", re.DOTALL | re.ASCII)
_PERSON = re.compile(r"\s*(id|time|ranking)\b(.*)", re.DOTALL)
_TYPE = re.compile(r"\s*hive(?:-([mlp]{1,3}))?(?:\s.*)?", re.IGNORECASE | re.ASCII | re.DOTALL)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}(?=-\d{4}\Z)", re.ASCII)
"""The day in a file name such as ``HV-Ada-Bo-2024-03-18-2138``."""

looks_like = sgf.looks_like


def read(text: str) -> Reading:
    """Reads a record, with canonical moves.

    Raises RecordError, naming the line; BadMove names the move and the violated rule.
    """
    return hive.to_reading(main_line(sgf.read_game(text)))


def main_line(game: SgfGame) -> ParsedGame:
    """The game without its variations. Raises RecordError."""
    tags: dict[str, Tag] = {}
    turns = Turns()
    for one in game.main_line():
        if action := action_of(one):
            turns.take(action)
        elif one.name in PLAYERS and (person := _PERSON.fullmatch(one.value)):
            tags.setdefault(f"{one.name} {person[1]}", Tag(person[2].strip().strip('"'), one.line))
        else:
            tags.setdefault(one.name.upper(), Tag(one.value.strip(), one.line))
    names = [head.name_of(tags.get(f"{player} id")) for player in PLAYERS]
    claim, doubts = _claim(tags.get("RE"), names, turns)
    created_at, notes = head.day_of(_day(tags.get("GN")))
    return ParsedGame(
        type=_type(tags),
        moves=tuple(turns.moves),
        claim=claim,
        places=tuple(turns.places),
        seats=tuple(Seat(SeatKind.HUMAN, name) for name in turns.by_seat(names)),
        created_at=created_at,
        notes=(*_others(game.next_line), *notes, *doubts),
    )


def _others(line: int | None) -> tuple[str, ...]:
    return () if line is None else (f"Another game begins at line {line}: only the first one was read.",)


def action_of(given: Property) -> Action | None:
    """The action of a player; None for other properties. Raises RecordError."""
    if given.name not in PLAYERS or _PERSON.fullmatch(given.value):
        return None
    found = _ACTION.fullmatch(given.value)
    if found is None:
        raise RecordError(f"line {given.line}: {given.name}[{given.value[:40]}] is not an action")
    return Action(PLAYERS.index(given.name), found[1].lower(), tuple(found[2].split()), given.line)


def _type(tags: Mapping[str, Tag]) -> str:
    """The GameType. Raises RecordError for other games, and for types that UHP does not have."""
    game, setup = tags.get("GM"), tags.get("SU")
    if game is not None and game.value.lower() not in GAMES:
        raise RecordError(f"line {game.line}: GM[{game.value[:40]}] is not Hive, which has the number 27")
    if setup is None:
        raise RecordError("the property SU[…] is missing, such as SU[hive-plm]: the game's type")
    found = _TYPE.fullmatch(setup.value)
    if found is None:
        wanted = "hive, or hive- and some of the letters p, l and m"
        raise RecordError(f"line {setup.line}: SU[{setup.value[:40]}] is not {wanted}")
    return f"Base+{found[1]}" if found[1] else "Base"


def _day(name: Tag | None) -> Tag | None:
    found = _DAY.search(name.value) if name is not None else None
    return Tag(found[0], name.line) if found and name else None


# ---- result --------------------------------------------------------------------------------------


def _claim(
    parsed: Tag | None, names: Sequence[str | None], turns: Turns
) -> tuple[Claim | None, tuple[str, ...]]:
    """The result from the last action or else from the words of ``RE``; a note if these are unreadable."""
    if turns.ending is Ending.RESIGNED:
        loser = turns.seat_of(turns.ended_by)
        return Claim(f"{COLORS[loser]} resigns", (1 - loser,), RESIGNATION), ()
    if turns.ending is Ending.AGREED:
        return Claim("a draw by agreement", (), DRAW_AGREEMENT), ()
    if parsed is None or not parsed.value:
        return None, ()
    reason = TIMEOUT if turns.ending is Ending.TIME else UNKNOWN
    winner = _named(parsed.value, names)
    if winner is not None:
        return Claim(parsed.value[:40], (turns.seat_of(winner),), reason), ()
    if any(word in parsed.value.lower() for word in DRAWS):
        return Claim(parsed.value[:40], ()), ()
    return None, (f"line {parsed.line}: RE[{parsed.value[:40]}] names no player: it was ignored.",)


def _named(text: str, names: Sequence[str | None]) -> int | None:
    """Which of the two names is in the text; the longer one if one contains the other."""
    found = [(len(name), player) for player, name in enumerate(names) if name and _is_in(name, text)]
    if len(found) == len(names) and found[0][0] == found[1][0]:
        return None
    return max(found)[1] if found else None


def _is_in(name: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None
