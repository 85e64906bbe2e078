"""What the routes reach: the services of one running server, hung on the application by ``server.app``."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from server.ports import Bus
from server.routes.origins import Origins
from server.routes.sockets import OpenSockets
from server.services.games import Games
from server.services.presence import Presence


@dataclass(frozen=True, slots=True)
class House:
    """The parts of one running server."""

    games: Games
    bus: Bus
    presence: Presence
    sockets: OpenSockets
    origins: Origins


def _house(connection: HTTPConnection) -> House:
    house: House = connection.app.state.house
    return house


TheHouse = Annotated[House, Depends(_house)]
