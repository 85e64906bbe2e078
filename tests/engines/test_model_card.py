"""Cards of networks: read, checked against the file, and refused by member."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engines.card_facts import read_calibrations, sha256
from engines.inference import ModelError
from engines.model_card import read_card
from engines.networks import load
from tools import card
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
    (model,) = load([network])
    assert model.name == "net"
    assert model.calibrations["classic"].write() == written["calibration"]["classic"]


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
        read_card(network)
    assert str(caught.value).startswith(f"{network.with_suffix('.json')}: {says}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("read", [read_card, read_calibrations])
@pytest.mark.parametrize("content", ["{", "[]", "{}", '{"sha256": 1, "calibration": []}', "\xff"])
def test_a_file_that_is_no_card_is_refused(
    network: Path, read: Callable[[Path], object], content: str
) -> None:
    network.with_suffix(".json").write_text(content, encoding="latin-1")
    with pytest.raises(ModelError) as caught:
        read(network)
    assert str(caught.value).startswith(f"{network.with_suffix('.json')}: ")
    assert "\n" not in str(caught.value)


def test_a_bad_calibration_keeps_a_network_from_being_used(network: Path) -> None:
    write_card(network, calibration={"classic": [[0.0, 0.5], [0.5, 0.4], [1.0, 1.0]]})
    with pytest.raises(
        ModelError, match=r"net\.json: calibration: after \[0, 0\.5\], a point of a calibration"
    ):
        load([network])


def test_the_card_of_a_training_run(
    network: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command behind docs/models.md: members of a card are kept as long as the network is."""
    rows = [
        {"games": 300, "seconds": {"selfPlay": 1200.0, "fit": 500.0}},
        {"games": 41, "seconds": {"match": 100.0}},
    ]
    (tmp_path / "log.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "maps.json").write_text(json.dumps({"standard": [[0, 0.5], [1, 1]]}))
    shipped = tmp_path / "models" / "small.onnx"
    options = ("--folder", str(shipped.parent))
    made = ("--run", str(tmp_path), "--made", "by hand", "--hardware", "two cores")
    card.main(["small", str(network), *made, *options, "--match", "random; 5x5; 6-2-2"])
    card.main(["small", *options, "--calibration", str(tmp_path / "maps.json")])
    written = read_card(shipped)
    assert written is not None
    assert (written.made, written.games, written.hours, written.license) == ("by hand", 341, 0.5, "MIT")
    assert (written.strength[0].wins, written.strength[0].draws) == (6, 2)
    assert written.calibration == {"standard": [(0.0, 0.5), (1.0, 1.0)]}
    residual(network, Shape(5, 5), seed=1)
    with pytest.raises(SystemExit):
        card.main(["small", str(network), *options])
    assert "made: Field required; games: Field required" in capsys.readouterr().err
    assert read_card(shipped) == written, "nothing is replaced without its card"
