"""Hive in the words of its players' programs: GameStrings, ``Base+MLP;InProgress;White[2];wS1;bS1 wS1-``.

They are written and read. PGN (``hive_pgn``) is read under the same name, as viewers write both. Type and moves count.
What the text says of the state counts where the board leaves the result open, as after a resignation; a state that the
board contradicts is passed over, and so is the turn.
"""

import re

from protocols.records import hive_pgn
from protocols.records.hive import STATES, WINNERS, Claim, Told, judge, read_type
from protocols.records.record import Reading, Record, RecordError
from protocols.records.replay import start_of
from protocols.uhp import game_string
from protocols.uhp.game_string import GAME, BadGameString

_GAME_STRING = re.compile(r"\s*Base(\+\w*)?\s*(;|\Z)", re.IGNORECASE)


# ---- writing -------------------------------------------------------------------------------------


def refusal(record: Record) -> str | None:
    """Why the record cannot be written in this format; None when it can."""
    return None if record.game == GAME else f"this format is for {GAME}, not for {record.game}"


def write(record: Record) -> str:
    """The record as a GameString, whose state is the result that the record tells."""
    position = start_of(record)
    position.play(*record.moves)
    forced = None
    if position.outcome is None and record.result is not None:
        forced = next(state for state, winners in STATES.items() if winners == record.result.winners)
    return f"{game_string.write(position, forced)}\n"


# ---- reading -------------------------------------------------------------------------------------


def looks_like(text: str) -> bool:
    """Whether the text begins as a GameString does, or is PGN of the game."""
    return _GAME_STRING.match(text) is not None or hive_pgn.looks_like(text)


def read(text: str) -> Reading:
    """The record, its moves canonical. RecordError; BadMove names the move and the rule."""
    return judge(_tell(text) if _GAME_STRING.match(text) else hive_pgn.read(text))


def _tell(text: str) -> Told:
    """A GameString, on however many lines somebody has broken it."""
    kind, *fields = " ".join(text.split("\n")).split(";")
    try:
        game = game_string.parse(";".join([read_type(kind), *fields]))
    except BadGameString as error:
        raise RecordError(str(error)) from None
    return Told(game.type, game.moves, _claim(fields[:1]))


def _claim(fields: list[str]) -> Claim | None:
    """What the second field says of the result, if it says anything."""
    for field in fields:
        word = field.strip()
        if word.lower() in WINNERS:
            return Claim(word, WINNERS[word.lower()])
    return None
