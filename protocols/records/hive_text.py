"""Hive as GameStrings, ``Base+MLP;InProgress;White[2];wS1;bS1 wS1-``: read and written.

PGN (``hive_pgn``) is read under the same format name, since viewers write both. Type and moves count. The state is
used if the board leaves the result open, as after a resignation; a state that contradicts the board is ignored, and so
is the turn.
"""

import re

from protocols.records import hive_pgn
from protocols.records.hive import STATES, WINNERS, Claim, ParsedGame, read_type, to_reading
from protocols.records.record import Reading, RecordError
from protocols.records.replay import start_of
from protocols.uhp import game_string
from protocols.uhp.game_string import GAME, BadGameString
from protocols.values import Record

_GAME_STRING = re.compile(r"\s*Base([+ ]\w*)?\s*(;|\Z)", re.IGNORECASE)


# ---- writing -------------------------------------------------------------------------------------


def refusal(record: Record) -> str | None:
    """Why the record cannot be written in this format; None if it can."""
    if record.game != GAME:
        return f"this format is for {GAME}, not for {record.game}"
    return "a position that was set up has no GameString" if "cells" in record.config else None


def write(record: Record) -> str:
    """The record as a GameString with the state of its result."""
    position = start_of(record)
    position.play(*record.moves)
    forced = None
    if position.outcome is None and record.result is not None:
        forced = next(state for state, winners in STATES.items() if winners == record.result.winners)
    return f"{game_string.write(position, forced)}\n"


# ---- reading -------------------------------------------------------------------------------------


def looks_like(text: str) -> bool:
    """Whether the text begins like a GameString, or is PGN of the game."""
    return _GAME_STRING.match(text) is not None or hive_pgn.looks_like(text)


def read(text: str) -> Reading:
    """Reads a record, with canonical moves.

    Raises RecordError; BadMove names the move and the violated rule.
    """
    return to_reading(_parse(text) if _GAME_STRING.match(text) else hive_pgn.read(text))


def _parse(text: str) -> ParsedGame:
    """Parses a GameString, which may be broken into several lines."""
    kind, *fields = " ".join(text.split("\n")).split(";")
    try:
        game = game_string.parse(";".join([read_type(kind), *fields]))
    except BadGameString as error:
        raise RecordError(str(error)) from None
    return ParsedGame(game.type, game.moves, _claim(fields[:1]))


def _claim(fields: list[str]) -> Claim | None:
    """The result stated by the second field, if any."""
    for field in fields:
        word = field.strip()
        if word.lower() in WINNERS:
            return Claim(word, WINNERS[word.lower()])
    return None
