"""The ``config`` of ``start_game_session``: written by the host, read by an engine.

On the wire, ``game`` (left out for the default game) and ``variant`` are members next to those of the game's own
configuration, and so are ``limits`` and ``variation``, which only our engine understands. The game's rules check the
configuration itself. Called by ``engine`` and by the host's analysis service.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engines import Variation
from protocols.bgs.messages import EvaluationLimits, JsonObject
from protocols.dialects import game_member, game_named
from protocols.jsontext import JsonDict, MistypedError, count, mapping, number, positive

MOST_SEED = 2**63 - 1

MISSING_FIELDS = "BgsConfig missing required fields"
"""The protocol's text for an incomplete config."""


class ConfigError(ValueError):
    """No session can start from the config; the text is the engine's answer."""


@dataclass(frozen=True, slots=True)
class Setup:
    """The parts of a config: the arguments of a position, and the limits of the session."""

    game: str
    variant: str
    config: JsonObject
    limits: EvaluationLimits
    variation: Variation | None = None
    """Of the bot that plays; None: it does not matter."""
    lines: int | None = None
    """The most candidate moves that an attached bot is asked for; None: as for its own moves. Not in the config."""


def write_config(setup: Setup) -> JsonDict:
    """The inverse of ``read_config``. Only our own engine understands ``limits`` and ``variation``."""
    out: JsonDict = {**game_member(setup.game), "variant": setup.variant, **setup.config}
    if limits := write_limits(setup.limits):
        out["limits"] = limits
    if setup.variation is not None:
        out["variation"] = _write_variation(setup.variation)
    return out


def _write_variation(variation: Variation) -> JsonDict:
    """The inverse of ``_read_variation``."""
    members = {"noise": variation.noise, "seed": variation.seed, "networkNoise": variation.network_noise}
    return {name: member for name, member in members.items() if member is not None}


def write_limits(limits: EvaluationLimits) -> JsonDict:
    """The inverse of ``read_limits``."""
    members = {"samples": limits.samples, "timeMs": limits.time_ms}
    return {name: limit for name, limit in members.items() if limit is not None}


def read_limits(value: object) -> EvaluationLimits:
    """Limits on the wire. Raises MistypedError."""
    try:
        limits = mapping(value)
        return EvaluationLimits(_limit(limits.get("samples")), _limit(limits.get("timeMs")))
    except MistypedError:
        raise MistypedError("an object with samples and timeMs, whole numbers over 0") from None


def read_config(config: JsonObject) -> Setup:
    """Split a config into its parts. Raises ConfigError."""
    game = config.get("game", game_named(None))
    variant = config.get("variant")
    if not isinstance(game, str) or not isinstance(variant, str):
        raise ConfigError(MISSING_FIELDS)
    rest: dict[str, Any] = {
        name: value
        for name, value in config.items()
        if name not in ("game", "variant", "limits", "variation")
    }
    limits, variation = _read_limits(config.get("limits")), _read_variation(config.get("variation"))
    return Setup(game, variant, rest, limits, variation)


def check_complete(config: JsonObject, complete: JsonObject) -> None:
    """Raise ConfigError unless ``config`` has all members of ``complete``, the configuration of the position it makes.

    The host must not rely on defaults: those of another engine may differ.
    """
    for name, member in complete.items():
        given = config.get(name)
        if given is None:
            raise ConfigError(MISSING_FIELDS)
        if isinstance(member, Mapping) and isinstance(given, Mapping):
            check_complete(given, member)


def _read_limits(value: object) -> EvaluationLimits:
    if value is None:
        return EvaluationLimits()
    try:
        return read_limits(value)
    except MistypedError as error:
        raise ConfigError(f"limits must be {error}") from None


def _read_variation(value: object) -> Variation | None:
    if value is None:
        return None
    try:
        members = mapping(value)
        noise, seed = number(members.get("noise")), count(members.get("seed"))
        network_noise = number(members["networkNoise"]) if "networkNoise" in members else None
    except MistypedError:
        noise, seed, network_noise = -1.0, 0, None
    if not (0 <= noise <= 1 and 0 <= (network_noise or 0) <= 1 and seed <= MOST_SEED):
        raise ConfigError(
            f"variation must be an object with noise and networkNoise from 0 to 1 and seed from 0 to {MOST_SEED}"
        )
    return Variation(noise, seed, network_noise)


def _limit(value: object) -> int | None:
    return None if value is None else positive(value)
