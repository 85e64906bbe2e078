"""What starts a game besides the requested configuration, as far as the game has it. Called wherever games begin."""

from collections.abc import Mapping
from typing import Any

from engines._core import games


def known_members(game: str, members: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the members, such as ``seed`` and ``seats``, that configurations of the game can have.

    Configurations with unknown members are refused.
    """
    known = next((each.members for each in games() if each.name == game), [])
    return {name: value for name, value in members.items() if name in known}
