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


def analysis_only(game: str, config: Mapping[str, Any]) -> list[str]:
    """The members of a configuration with which a position can be analysed, but no game begins.

    Protocols of the game cannot tell a player how such a game starts.
    """
    about = next((each.about for each in games() if each.name == game), {})
    return [name for name in about.get("analysisOnly", ()) if config.get(name) is not None]
