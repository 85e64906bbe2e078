"""The options of a guest at a server: how a viewer learns which seat it has. Read by ``options`` and ``options get``.

They tell and cannot be set, so each is an enum. Where the game stands changes them, and nothing else.
"""

from protocols.uhp import options as option_lines
from protocols.uhp.game_string import COLORS
from protocols.uhp.options import Kind, Option
from protocols.uhp.remote.words import Seated

SEAT = "RemoteSeat"
RESUME = "RemoteResume"


def remote_options(seated: Seated | None) -> list[Option]:
    """The seat (White as long as there is none), and what to come back with, once there is something."""
    colour = COLORS[0 if seated is None else seated.seat]
    seat = Option(SEAT, Kind.ENUM, colour, COLORS[0], choices=COLORS)
    if seated is None:
        return [seat]
    secret = f"{seated.game_id}:{seated.secret}"
    return [seat, Option(RESUME, Kind.ENUM, secret, secret, choices=(secret,))]


def remote_lines(seated: Seated | None) -> list[str]:
    """The lines of all of them."""
    return [option_lines.write(option) for option in remote_options(seated)]


def lines_about(words: tuple[str, ...], seated: Seated | None) -> list[str] | None:
    """The answer to ``options <words>`` where it is about one of these options alone; None where it is not."""
    named = words[1].lower() if len(words) > 1 else ""
    for option in remote_options(seated):
        if option.name.lower() == named:
            if words[0].lower() == "get" and len(words) == 2:
                return [option_lines.write(option)]
            return [f"err {option.name} cannot be set."]
    return None
