"""The parameters of ``newgame remote``. Used by ``guest`` and by other handlers of that command."""

from dataclasses import dataclass, replace
from typing import Final

from protocols.uhp.lines import shown
from protocols.uhp.remote.wish import WISH_NAMES, BadWish, Wish, read_game_type, read_wish

RESUME: Final = "resume"


@dataclass(frozen=True, slots=True)
class NewRemote:
    """A game of this ``wish``; or ``game``, to come back to, with ``secret`` where it is given as ``id:secret``."""

    wish: Wish
    game: str | None = None
    secret: str | None = None


def read_new_remote(words: tuple[str, ...], wish: Wish) -> NewRemote:
    """``[GameType] [name=value…]``; what is not given is as in ``wish``. BadWish."""
    if words and "=" not in words[0]:
        wish = replace(wish, type=read_game_type(words[0]))
        words = words[1:]
    given: dict[str, str] = {}
    for word in words:
        name, _, value = word.partition("=")
        if name not in (*WISH_NAMES, RESUME) or name in given:
            raise BadWish(f'"{shown(word)}" is not one of {", ".join((*WISH_NAMES, RESUME))}, each once')
        given[name] = value
    game, _, secret = given.pop(RESUME, "").partition(":")
    return NewRemote(read_wish(given, wish), game or None, secret or None)
