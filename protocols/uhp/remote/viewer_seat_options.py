"""The options of a viewer at a server, from which it learns its seat. Listed by ``options`` and ``options get``.

They cannot be set, so each one is an enum. Only the state of the game changes them.
"""

from protocols.uhp import options as option_lines
from protocols.uhp.game_string import COLORS
from protocols.uhp.options import Kind, Option
from protocols.uhp.remote.effects import Seated

SEAT = "RemoteSeat"
RESUME = "RemoteResume"


def remote_options(seated: Seated | None) -> list[Option]:
    """The seat (White if there is none yet) and, once the viewer is seated, the value for ``resume``."""
    colour = COLORS[0 if seated is None else seated.seat]
    seat = Option(SEAT, Kind.ENUM, colour, COLORS[0], choices=COLORS)
    if seated is None:
        return [seat]
    secret = f"{seated.game_id}:{seated.secret}"
    return [seat, Option(RESUME, Kind.ENUM, secret, secret, choices=(secret,))]


def remote_lines(seated: Seated | None) -> list[str]:
    """The lines of these options."""
    return [option_lines.write(option) for option in remote_options(seated)]


def lines_about(words: tuple[str, ...], seated: Seated | None) -> list[str] | None:
    """The answer to ``options <words>`` if it concerns one of these options; otherwise None."""
    named = words[1].lower() if len(words) > 1 else ""
    for option in remote_options(seated):
        if option.name.lower() == named:
            if words[0].lower() == "get" and len(words) == 2:
                return [option_lines.write(option)]
            return [f"err {option.name} cannot be set."]
    return None
