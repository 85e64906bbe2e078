"""The ``config`` of ``start_game_session``: what the host writes into it and what an engine reads out of it.

On this wire ``game`` (left out for the default game) and ``variant`` stand among the members of the
game's own configuration, and ``limits``, which our engine alone understands, beside them. The
configuration itself is checked by the game's rules. Called by ``engine`` and by the host's analysis
service.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from protocols.bgs.messages import DEFAULT_GAME, JsonObject
from protocols.jsontext import JsonDict, MistypedError, count, mapping

MISSING_FIELDS = "BgsConfig missing required fields"
"""The protocol's text for a config that is not complete."""


class ConfigError(ValueError):
    """A config that no session starts from; the text is the engine's answer."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one evaluation may cost; None: the engine's own setting."""

    samples: int | None = None
    time_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Setup:
    """A config taken apart: the arguments of a position, and the session's own limits."""

    game: str
    variant: str
    config: JsonObject
    limits: Limits


def write_config(setup: Setup) -> JsonDict:
    """The config that ``read_config`` takes apart; ``limits`` are for our own engine only."""
    out: JsonDict = {} if setup.game == DEFAULT_GAME else {"game": setup.game}
    out["variant"] = setup.variant
    out.update(setup.config)
    limits = {"samples": setup.limits.samples, "timeMs": setup.limits.time_ms}
    given = {name: limit for name, limit in limits.items() if limit is not None}
    return {**out, "limits": given} if given else out


def read_config(config: JsonObject) -> Setup:
    """Take a config apart; raises ``ConfigError``."""
    game = config.get("game", DEFAULT_GAME)
    variant = config.get("variant")
    if not isinstance(game, str) or not isinstance(variant, str):
        raise ConfigError(MISSING_FIELDS)
    rest: dict[str, Any] = {
        name: value for name, value in config.items() if name not in ("game", "variant", "limits")
    }
    return Setup(game, variant, rest, _read_limits(config.get("limits")))


def check_complete(config: JsonObject, complete: JsonObject) -> None:
    """Raise ``ConfigError`` unless ``config`` has every member of ``complete``, which a position made of it.

    On this wire nothing is left to defaults: two engines may have different ones.
    """
    for name, member in complete.items():
        given = config.get(name)
        if given is None:
            raise ConfigError(MISSING_FIELDS)
        if isinstance(member, Mapping) and isinstance(given, Mapping):
            check_complete(given, member)


def _read_limits(value: object) -> Limits:
    if value is None:
        return Limits()
    try:
        limits = mapping(value)
        return Limits(_limit(limits.get("samples")), _limit(limits.get("timeMs")))
    except MistypedError:
        raise ConfigError("limits must be an object with samples and timeMs, whole numbers over 0") from None


def _limit(value: object) -> int | None:
    if value is None:
        return None
    limit = count(value)
    if limit == 0:
        raise MistypedError("a whole number over 0")
    return limit
