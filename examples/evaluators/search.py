"""Searches the start position of a game with an evaluator beside this file, and prints what its moves got.

python examples/evaluators/search.py wallwars
python examples/evaluators/search.py pyrat torch_evaluator:TorchEvaluator
"""

import importlib
import sys

import plyhouse


def main(game: str = "wallwars", evaluator: str = "numpy_evaluator:NumpyEvaluator") -> None:
    """``evaluator``: the module and the class."""
    module, name = evaluator.split(":")
    position = plyhouse.Position(game)
    made = getattr(importlib.import_module(module), name)(position)
    search = plyhouse.Search(position, made, batch=32)
    search.run(200)
    for edge in search.root.edges[:5]:
        print(f"{edge.move:12} {edge.visits:4} visits, Q", [round(q, 3) for q in edge.q])
    print(search.counters)


if __name__ == "__main__":
    main(*sys.argv[1:])
