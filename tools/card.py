"""Puts a trained network among those that come with Plyhouse, and writes its card (docs/models.md).

The games and hours of a run of ``plyhouse train`` are read from its folder. A network that is there already keeps the
members of its card that are not given, so that a match or a calibration can be added later; those of another network
are not kept.

    python -m tools.card wallwars-small run/network-int8.onnx --run run --made "4 blocks of 32 channels"
        --hardware "two cores" --match "native; wallwars standard 8x8, 400 samples; 281-3-116"
    python -m tools.card wallwars-small --calibration maps.json
"""

import argparse
import json
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from engines.card_facts import card_path, sha256
from engines.inference import ModelError
from engines.model_card import ModelCard, read_card
from engines.networks import SHIPPED, load

LICENSE = "MIT"


def of_run(folder: Path) -> dict[str, Any]:
    """The games and the hours of a training run, from its ``log.jsonl``."""
    rows = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    seconds = sum(sum(row["seconds"].values()) for row in rows)
    return {"games": sum(row["games"] for row in rows), "hours": round(seconds / 3600, 1)}


def match(text: str) -> dict[str, Any]:
    """Reads ``opponent; conditions; wins-draws-losses``. Raises ArgumentTypeError."""
    found = re.fullmatch(r"([^;]+); *([^;]+); *(\d+)-(\d+)-(\d+)", text)
    if found is None:
        raise argparse.ArgumentTypeError(f"'{text}' is not OPPONENT; CONDITIONS; WINS-DRAWS-LOSSES")
    opponent, conditions, *counts = found.groups()
    wins, draws, losses = map(int, counts)
    return {
        "opponent": opponent,
        "conditions": conditions,
        "wins": wins,
        "draws": draws,
        "losses": losses,
    }


def card_of(network: Path, known: Mapping[str, Any], given: Mapping[str, Any]) -> ModelCard:
    """The card of a network. ``given`` replaces members of ``known``, its earlier card. Raises ValueError."""
    card = {"license": LICENSE, **known, **given, "sha256": sha256(network)}
    return ModelCard.model_validate_json(json.dumps(card))


def known_of(network: Path, target: Path) -> dict[str, Any]:
    """The members of the card of ``target`` if it is the same network, otherwise nothing."""
    if not target.is_file() or sha256(target) != sha256(network):
        return {}
    card = read_card(target)
    return {} if card is None else card.model_dump(mode="json")


def ship(network: Path, target: Path, given: Mapping[str, Any]) -> ModelCard:
    """Copies a network and writes its card. Raises ModelError or ValueError before anything is written."""
    load([network])
    card = card_of(network, known_of(network, target), given)
    target.parent.mkdir(exist_ok=True)
    if network.resolve() != target.resolve():
        shutil.copyfile(network, target)
    card_path(target).write_text(card.model_dump_json(indent=1) + "\n")
    return card


def _given(options: argparse.Namespace) -> dict[str, Any]:
    """The members that the options give. Raises OSError or ValueError for files that cannot be read."""
    given = {} if options.run is None else of_run(options.run)
    given |= {
        member: value
        for member in ("made", "games", "hours", "hardware")
        if (value := getattr(options, member)) is not None
    }
    if options.match:
        given["strength"] = options.match
    if options.calibration is not None:
        given["calibration"] = json.loads(options.calibration.read_text())
    return given


def main(arguments: Sequence[str] | None = None) -> None:
    """Reads the options, writes the files and prints the card's path."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("name", help="of the network, which becomes the source of its evaluations")
    parser.add_argument("network", nargs="?", type=Path, help="default: the one of this name")
    parser.add_argument("--run", type=Path, help="folder of the training run")
    parser.add_argument("--made")
    parser.add_argument("--games", type=int)
    parser.add_argument("--hours", type=float)
    parser.add_argument("--hardware")
    parser.add_argument("--match", type=match, action="append", metavar="OPPONENT; CONDITIONS; W-D-L")
    parser.add_argument(
        "--calibration", type=Path, help="file of benchmarks/calibration.py: points by variant"
    )
    parser.add_argument("--folder", type=Path, default=SHIPPED, help="default: the one that is shipped")
    options = parser.parse_args(arguments)
    target: Path = options.folder / f"{options.name}.onnx"
    try:
        ship(options.network or target, target, _given(options))
    except ValidationError as error:
        parser.error("; ".join(f"{each['loc'][0]}: {each['msg']}" for each in error.errors()))
    except (ModelError, ValueError, OSError) as error:
        parser.error(str(error))
    print(card_path(target))


if __name__ == "__main__":
    main()
