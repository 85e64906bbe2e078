"""The options of the bridge, as listed and set by the viewer. Used by ``session``."""

from dataclasses import replace

from protocols.uhp.game_string import COLORS
from protocols.uhp.options import BadOption, Option, choice, flag, number, write
from protocols.uhp.remote.seek_criteria import DEFAULT_TIME_CONTROL, UNTIMED

ANY = "Any"
SERVER, SEAT, SECONDS, INCREMENT = "Server", "Seat", "Seconds", "Increment"
RATED, REMOTE_SEAT, RESIGN = "Rated", "RemoteSeat", "Resign"

MAX_SECONDS, MAX_INCREMENT = 86_400, 3_600


class BridgeOptions:
    """All options by name."""

    def __init__(self, server: str) -> None:
        first = (
            choice(SERVER, server, (server,)),
            choice(SEAT, ANY, (ANY, *COLORS)),
            number(SECONDS, DEFAULT_TIME_CONTROL.initial_seconds, 0, MAX_SECONDS),
            number(INCREMENT, DEFAULT_TIME_CONTROL.increment_seconds, 0, MAX_INCREMENT),
            flag(RATED, default=False),
            choice(REMOTE_SEAT, COLORS[0], COLORS),
            flag(RESIGN, default=False),
        )
        self._options = {option.name.lower(): option for option in first}

    def lines(self) -> list[str]:
        """The lines of all options."""
        return [write(option) for option in self._options.values()]

    def line(self, name: str) -> str:
        """The line of one option. Raises BadOption."""
        return write(self._find(name))

    def set(self, name: str, text: str) -> str:
        """Sets an option and returns its name. Raises BadOption."""
        option = self._find(name)
        if option.name == REMOTE_SEAT:
            raise BadOption(f"{REMOTE_SEAT} is assigned by the server and cannot be set")
        if option.name == SERVER:
            option = replace(option, choices=(*dict.fromkeys((*option.choices, text)),))
        self._options[name.lower()] = option.set(text)
        return option.name

    def sit(self, seat: int) -> None:
        """Records the seat assigned by the server."""
        option = self._find(REMOTE_SEAT)
        self._options[REMOTE_SEAT.lower()] = replace(option, value=COLORS[seat])

    def take_resignation(self) -> bool:
        """Returns whether Resign was set, and clears it."""
        option = self._find(RESIGN)
        self._options[RESIGN.lower()] = replace(option, value=False)
        return option.value is True

    @property
    def server(self) -> str:
        """The address of the server."""
        return str(self._find(SERVER).value)

    @property
    def color(self) -> str:
        """The seat to request, as a handshake parameter."""
        return str(self._find(SEAT).value).lower()

    @property
    def time_control(self) -> str:
        """The time control to request, as a handshake parameter; untimed if both numbers are 0."""
        seconds, increment = self._find(SECONDS).value, self._find(INCREMENT).value
        return f"{seconds}+{increment}" if seconds or increment else UNTIMED

    @property
    def is_rated(self) -> bool:
        """Whether the game is played without hints."""
        return self._find(RATED).value is True

    def _find(self, name: str) -> Option:
        option = self._options.get(name.lower())
        if option is None:
            raise BadOption(f"there is no option {name}")
        return option
