"""The options of the bridge: what its viewer can set about remote games. The bridge's engine lists and sets them."""

from dataclasses import replace

from protocols.uhp.bridge.requests import ASKING_OPTIONS, request_by_option
from protocols.uhp.engine import UhpEngineSession
from protocols.uhp.engine_options import EngineOptions
from protocols.uhp.game_string import COLORS
from protocols.uhp.options import Settable, Value, choice, flag, number, write
from protocols.uhp.remote.seek_criteria import DEFAULT_TIME_CONTROL, UNTIMED
from protocols.uhp.remote.server_engine import OFFER, RESUME, remote_offer, remote_seat

ANY = "Any"
SERVER, SEAT, SECONDS, INCREMENT = "Server", "Seat", "Seconds", "Increment"
RATED = "Rated"

MAX_SECONDS, MAX_INCREMENT = 86_400, 3_600


class BridgeOptions:
    """The options in place of those of the ``engine``, which keep their values."""

    def __init__(self, engine: UhpEngineSession, server: str) -> None:
        self._engine = engine
        listed = (
            choice(SERVER, server, (server,), Settable.ANYTHING),
            choice(SEAT, COLORS[0], (ANY, *COLORS)),
            number(SECONDS, DEFAULT_TIME_CONTROL.initial_seconds, 0, MAX_SECONDS),
            number(INCREMENT, DEFAULT_TIME_CONTROL.increment_seconds, 0, MAX_INCREMENT),
            flag(RATED, default=False),
            remote_seat(0),
            *ASKING_OPTIONS,
        )
        engine.options = EngineOptions(listed, engine.options.listed)

    def sit(self, seat: int, resume: str | None) -> None:
        """Records the seat assigned by the server, and how to continue its game elsewhere."""
        options = self._engine.options.put(remote_seat(seat))
        listed = tuple(option for option in options.listed if option.name not in (RESUME, OFFER))
        shown = () if resume is None else (choice(RESUME, resume, (resume,), Settable.NOTHING),)
        self._engine.options = replace(options, listed=(*listed, *shown, remote_offer(is_offered=False)))

    def show_offer(self, *, is_offered: bool) -> None:
        """Shows whether the opponent offers a draw, once there is a seat."""
        self._engine.options = self._engine.options.put(remote_offer(is_offered=is_offered))

    def take_request(self) -> tuple[str, str] | None:
        """Returns the request that an option has just made, with the line of that option, which is reset."""
        for reset in ASKING_OPTIONS:
            option = self._engine.options.find(reset.name)
            request = request_by_option(option)
            if request is not None:
                self._engine.options = self._engine.options.put(reset)
                return request, write(option)
        return None

    @property
    def server(self) -> str:
        """The address of the server."""
        return str(self._value(SERVER))

    @property
    def color(self) -> str:
        """The seat to request, as a handshake parameter."""
        return str(self._value(SEAT)).lower()

    @property
    def time_control(self) -> str:
        """The time control to request, as a handshake parameter; untimed if both numbers are 0."""
        seconds, increment = self._value(SECONDS), self._value(INCREMENT)
        return f"{seconds}+{increment}" if seconds or increment else UNTIMED

    @property
    def is_rated(self) -> bool:
        """Whether the game is played without hints."""
        return self._value(RATED) is True

    def _value(self, name: str) -> Value:
        return self._engine.options.find(name).value
