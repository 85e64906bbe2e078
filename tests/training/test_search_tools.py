"""What searches do with packages that are not installed for development: tables with pandas, evaluators in torch."""

import runpy

import pandas as pd
import pytest

from engines import Position, Search
from tests.server.program import ROOT

EXAMPLE = runpy.run_path(str(ROOT / "examples" / "evaluators" / "torch_evaluator.py"))


def test_a_table_has_a_row_for_each_action_or_edge() -> None:
    search = Search(Position("pyrat", "tiny", {"seed": 4}))
    search.run(300)
    actions, edges = (search.root.to_dataframe(2, rows=rows) for rows in ("actions", "edges"))
    assert isinstance(actions, pd.DataFrame)
    assert set(actions.columns) >= {"node", "depth", "moves", "seat", "action", "prior", "visits", "q", "u"}
    root = actions[actions.node == 0]
    assert list(root.visits) == [action.visits for action in search.root.actions]
    assert list(root.q.dropna()) == [action.q for action in search.root.actions if action.q is not None]
    assert set(edges.columns) >= {"move", "child", "visits", "q0", "q1", "reward0", "reward1"}
    assert edges[edges.node == 0].visits.sum() == search.visits - 1
    assert edges.depth.max() == 1
    assert actions.depth.max() == 2


@pytest.mark.parametrize(
    ("game", "variant", "search"),
    [
        ("wallwars", None, "puct"),
        ("hive", None, "puct"),
        ("carcassonne", None, "uct"),
        ("pyrat", "tiny", "mcgs"),
    ],
)
def test_torch_evaluates_for_every_search_with_a_tree(game: str, variant: str | None, search: str) -> None:
    position = Position(game, variant)
    opened = Search(position, EXAMPLE["TorchEvaluator"](position), search=search, batch=16)
    assert opened.run(100) == 100
    counters = opened.counters
    assert counters.evaluations + counters.known == opened.visits == 100
