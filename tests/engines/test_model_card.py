"""Cards of networks: read, checked against the file, and refused by member."""

import json
from pathlib import Path
from typing import Any

import pytest

from engines.inference import ModelError
from engines.model_card import read_card, sha256
from engines.networks import load
from tools.networks import Shape, residual


@pytest.fixture
def network(tmp_path: Path) -> Path:
    return residual(tmp_path / "net.onnx", Shape(5, 5))


def write_card(network: Path, **changed: Any) -> dict[str, Any]:
    card = {
        "made": "2 blocks of 16 channels with random weights",
        "games": 1200,
        "hours": 2,
        "hardware": "two cores",
        "strength": [{"opponent": "random", "conditions": "5x5", "wins": 6, "draws": 2, "losses": 2}],
        "calibration": {"classic": [[0.0, 0.5], [0.5, 0.8], [1.0, 1.0]]},
        "license": "MIT",
        "sha256": sha256(network),
        **changed,
    }
    network.with_suffix(".json").write_text(json.dumps(card))
    return card


def test_a_card_is_read(network: Path) -> None:
    assert read_card(network) is None
    written = write_card(network)
    card = read_card(network)
    assert card is not None
    assert card.model_dump(mode="json") == written
    assert card.strength[0].standing.score == 0.7
    assert load([network])[0].name == "net"


def test_a_card_of_another_file_is_refused(network: Path) -> None:
    write_card(network)
    residual(network, Shape(5, 5), seed=1)
    with pytest.raises(
        ModelError, match=r"net\.onnx: it is not the network of its card net\.json: its sha256 is"
    ):
        load([network])


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"hours": -1}, "hours: Input should be greater than or equal to 0"),
        ({"sha256": "abc"}, "sha256: String should match pattern"),
        ({"strength": [{"opponent": "random"}]}, "strength.0.conditions: Field required"),
        ({"elo": 100}, "elo: Extra inputs are not permitted"),
        (
            {"calibration": {"classic": [[0.0, 0.5]]}},
            "calibration.classic: Value error, a calibration has 2 to 100",
        ),
        ({"games": "many"}, "games: Input should be a valid integer"),
    ],
)
def test_a_bad_member_is_named(network: Path, changed: dict[str, Any], says: str) -> None:
    write_card(network, **changed)
    with pytest.raises(ModelError) as caught:
        load([network])
    assert str(caught.value).startswith(f"{network.with_suffix('.json')}: {says}")
    assert "\n" not in str(caught.value)


def test_a_card_that_is_not_json_is_refused(network: Path) -> None:
    network.with_suffix(".json").write_text("{")
    with pytest.raises(ModelError, match=r"net\.json: Invalid JSON"):
        load([network])
