"""Writes a trained network as an ONNX file for boards of any size, as ``engines/onnx_model.py`` reads it."""

import warnings
from pathlib import Path

import onnx
import torch

from engines.model_metadata import ModelMetadata
from engines.training.network import Answers, Network

OPSET = 18
STATES, PRIORS, VALUES = "States", "Priors", "Values"


def export(network: Network, path: Path, metadata: ModelMetadata) -> None:
    """Writes the network and its metadata; the file appears only when it is complete."""
    example = torch.zeros(2, network.heads.planes, 6, 7)
    size = {0: torch.export.Dim("batch"), 2: torch.export.Dim("columns"), 3: torch.export.Dim("rows")}
    partial = path.with_suffix(".partial")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporter's own deprecations
        torch.onnx.export(
            Answers(network).eval().cpu().float(),
            (example,),
            str(partial),
            input_names=[STATES],
            output_names=[PRIORS, VALUES],
            opset_version=OPSET,
            dynamic_shapes={"planes": size},
            external_data=False,
            verbose=False,
        )
    model = onnx.load(str(partial))
    onnx.helper.set_model_props(model, metadata.properties())
    onnx.save(model, str(partial))
    partial.replace(path)
