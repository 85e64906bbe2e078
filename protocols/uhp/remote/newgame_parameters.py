"""The parameters of ``newgame remote``. Used by ``viewer_seat`` and by other code that handles the command."""

from dataclasses import replace
from typing import Final

from protocols.uhp.lines import shown
from protocols.uhp.remote.effects import Seek
from protocols.uhp.remote.seek_criteria import (
    CRITERIA_NAMES,
    BadSeekCriteria,
    SeekCriteria,
    read_game_type,
    read_seek_criteria,
)

RESUME: Final = "resume"


def read_new_remote(words: tuple[str, ...], criteria: SeekCriteria) -> Seek:
    """Parses ``[GameType] [name=value…] [resume=id[:secret]]``, by default ``criteria``. Raises BadSeekCriteria."""
    if words and "=" not in words[0]:
        criteria = replace(criteria, type=read_game_type(words[0]))
        words = words[1:]
    given: dict[str, str] = {}
    for word in words:
        name, _, value = word.partition("=")
        if name not in (*CRITERIA_NAMES, RESUME) or name in given:
            raise BadSeekCriteria(
                f'"{shown(word)}" is not one of {", ".join((*CRITERIA_NAMES, RESUME))}, each once'
            )
        given[name] = value
    game, _, secret = given.pop(RESUME, "").partition(":")
    return Seek(read_seek_criteria(given, criteria), game or None, secret or None)
