"""What a process needs from the card of a network that it loads: that it belongs to the file, and the calibrations.

``networks.py`` reads this of every network. All members are checked by ``model_card.py``, which needs pydantic: that
takes 0.2 s to import, a third of the start of ``plyhouse engine``.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engines.calibration import BadCalibration
from engines.game_calibration import GameCalibration
from engines.inference import ModelError


def card_path(network: Path) -> Path:
    """The card's file: beside the network's."""
    return network.with_suffix(".json")


def sha256(file: Path) -> str:
    """The SHA-256 hash of a file, in hexadecimal digits."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def check_hash(network: Path, expected: str) -> None:
    """Raises ModelError unless this is the hash of the network's file."""
    found = sha256(network)
    if found != expected:
        raise ModelError(
            f"{network}: it is not the network of its card {card_path(network).name}: "
            f"its sha256 is {found}, not {expected}"
        )


def read_calibrations(network: Path) -> Mapping[str, GameCalibration]:
    """What the network's values are worth, by variant; empty without a card.

    Raises ModelError if the card is that of another file or cannot be read.
    """
    path = card_path(network)
    if not path.is_file():
        return {}
    try:
        card: Any = json.loads(path.read_bytes())
        expected, calibrations = card["sha256"], card.get("calibration", {}).items()
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(
            f"{path}: it is not the card of a network ({type(error).__name__}: {error})"
        ) from None
    check_hash(network, expected)
    try:
        return {variant: GameCalibration.read(data) for variant, data in calibrations}
    except BadCalibration as error:
        raise ModelError(f"{path}: calibration: {error}") from None
