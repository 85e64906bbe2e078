"""The result of a sequential test as a table and as JSON."""

import math
from typing import Any

from rich.table import Table

from engines.sprt import PairCounts, SequentialTest, elo_of_pairs

NONE = "none"
"""The verdict of a test that has not ended."""


def sprt_json(test: SequentialTest, counts: PairCounts) -> dict[str, Any]:
    """The test, its state and the difference that was measured; ``elo`` is null if it is infinite or unknown."""
    lower, upper = test.bounds
    elo, interval = elo_of_pairs(counts)
    return {
        "model": "logistic",
        "elo0": test.elo0,
        "elo1": test.elo1,
        "alpha": test.alpha,
        "beta": test.beta,
        "llr": round(test.llr(counts), 4),
        "lower": round(lower, 4),
        "upper": round(upper, 4),
        "verdict": test.verdict(counts) or NONE,
        "pentanomial": list(counts),
        "elo": _finite(elo) if sum(counts) else None,
        "elo95": None if interval is None else [_finite(bound) for bound in interval],
    }


def sprt_table(test: SequentialTest, counts: PairCounts) -> Table:
    """The same for people."""
    lower, upper = test.bounds
    elo, interval = elo_of_pairs(counts)
    bounds = "" if interval is None else " .. ".join(f"{bound:+.1f}" for bound in interval)
    table = Table("SPRT", f"elo0={test.elo0:g}, elo1={test.elo1:g}, alpha={test.alpha:g}, beta={test.beta:g}")
    table.add_row("LLR", f"{test.llr(counts):.2f} ({lower:.2f} .. {upper:.2f})")
    table.add_row("accepted", _accepted(test, counts))
    table.add_row("pairs 0, ½, 1, 1½, 2", ", ".join(map(str, counts)))
    table.add_row("Elo of pairs", f"{elo:+.1f}" if sum(counts) else "")
    table.add_row("95 %", bounds)
    return table


def _accepted(test: SequentialTest, counts: PairCounts) -> str:
    verdict = test.verdict(counts)
    if verdict is None:
        return "neither hypothesis: more games are needed"
    return f"H1 (elo1={test.elo1:g})" if verdict == "H1" else f"H0 (elo0={test.elo0:g})"


def _finite(elo: float) -> float | None:
    return round(elo, 1) if math.isfinite(elo) else None
