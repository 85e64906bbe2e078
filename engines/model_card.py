"""The card of a network: how it was made, how strong it is, and the hash of its file.

``NAME.json`` beside ``NAME.onnx``. ``tools/card.py`` writes it, and ``plyhouse models`` checks and shows it; of the
networks that it uses, a process reads only ``card_facts.py``. docs/models.md describes the members.
"""

from pathlib import Path
from typing import Annotated

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    NonNegativeFloat,
    NonNegativeInt,
    ValidationError,
)

from engines.card_facts import card_path, check_hash
from engines.game_calibration import GameCalibration
from engines.inference import ModelError
from engines.standings import Standing

Text = Annotated[str, Field(min_length=1)]


class _Member(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class StrengthMatch(_Member):
    """A match that the network played; wins, draws and losses are the network's."""

    opponent: Text
    """As ``plyhouse arena --bots`` writes it."""
    conditions: Text
    """Game, variant, board, samples or time per move."""
    wins: NonNegativeInt
    draws: NonNegativeInt
    losses: NonNegativeInt

    @property
    def standing(self) -> Standing:
        """Score and Elo difference, with their intervals."""
        return Standing(self.opponent, self.wins, self.draws, self.losses)


Points = list[tuple[float, float]]


def _check_maps(data: Points | dict[str, Points]) -> Points | dict[str, Points]:
    GameCalibration.read(data)
    return data


class ModelCard(_Member):
    """What is known about a network."""

    made: Text
    """How the network was made: its architecture, and the training."""
    games: NonNegativeInt
    """Games that it learned from."""
    hours: NonNegativeFloat
    """Duration of the training, self-play included."""
    hardware: Text
    """What it was trained on."""
    strength: tuple[StrengthMatch, ...] = ()
    calibration: dict[Text, Annotated[Points | dict[str, Points], AfterValidator(_check_maps)]] = {}
    """What its values are worth, by variant: a ``GameCalibration``."""
    license: Text
    """SPDX identifier."""
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    """Of the ``.onnx`` file, in hexadecimal digits."""


def read_card(network: Path) -> ModelCard | None:
    """The card of a network's file, None without one. Raises ModelError if it is invalid, or of another file."""
    path = card_path(network)
    if not path.is_file():
        return None
    try:
        card = ModelCard.model_validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise ModelError(f"{path}: {where + ': ' if where else ''}{first['msg']}") from None
    check_hash(network, card.sha256)
    return card
