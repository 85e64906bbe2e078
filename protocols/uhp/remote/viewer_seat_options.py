"""The options of a viewer at a server, from which it learns its seat. Only the state of the game changes them."""

from dataclasses import replace

from protocols.uhp.game_string import COLORS
from protocols.uhp.options import Option, Settable, choice
from protocols.uhp.remote.effects import Seated

SEAT = "RemoteSeat"
RESUME = "RemoteResume"


def remote_seat(seat: int) -> Option:
    """The option that shows the viewer's seat."""
    shown = choice(SEAT, COLORS[0], COLORS, Settable.NOTHING)
    return replace(shown, value=COLORS[seat])


def remote_options(seated: Seated | None) -> list[Option]:
    """The seat (White if there is none yet) and, once the viewer is seated, the value for ``resume``."""
    if seated is None:
        return [remote_seat(0)]
    secret = f"{seated.game_id}:{seated.secret}"
    return [remote_seat(seated.seat), choice(RESUME, secret, (secret,), Settable.NOTHING)]
