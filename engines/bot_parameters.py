"""Parameters of bots, as written after the name (``mcts:dets=3:use_rave=true``): their types and default values.

The type of a default value is the type of the parameter: a number, true or false, or a name.
"""

from collections.abc import Mapping

Parameter = float | bool | str

SHORT_NAMES = {"c": "exploration_constant", "dets": "num_determinizations", "noise": "evaluation_noise"}
"""Other names of parameters, for bots that have them."""

SIMULATIONS = "num_simulations"
"""A bot's own number of simulations per action, over all deals; 0 for that of the match."""

TIME_LIMIT = "time_limit_ms"
"""A bot's own time per move in milliseconds; 0 for that of the match."""

EVALUATOR = "eval"
"""Name of the evaluator."""

ORDER = "order"
"""Name of the evaluator whose priors order the actions; ``rules`` for the order of the rules."""

OWN_ORDER = "eval"
"""The value of ``order`` that stands for the bot's own evaluator."""

NOISE_PARAMETERS: Mapping[str, Parameter] = {"evaluation_noise": 0}
"""Of every search: the errors that are added to evaluations (``variation.py``)."""

UCT_PARAMETERS: Mapping[str, Parameter] = {
    SIMULATIONS: 0,
    TIME_LIMIT: 0,
    "exploration_constant": 0.15,
    "num_determinizations": 5,
    "pw_c": 0.5,
    "pw_alpha": 0.5,
    "use_rave": False,
    "rave_k": 100,
    "max_amaf_depth": 4,
    "rave_fpu": True,
    "tile_aware_amaf": False,
    **NOISE_PARAMETERS,
    EVALUATOR: "native",
    ORDER: OWN_ORDER,
}
"""Default values of UCT, which docs/games.md explains."""

RAVE_PARAMETERS = {**UCT_PARAMETERS, "use_rave": True}

SEED_PARAMETERS = {
    **UCT_PARAMETERS,
    "exploration_constant": 1.41,
    "pw_c": 2.0,
    "rave_fpu": False,
    EVALUATOR: "score",
    ORDER: "seed",
}
"""The search as first published, with evaluators of Carcassonne. Its first-play urgency had no effect, so it is off."""

MCGS_PARAMETERS: Mapping[str, Parameter] = {
    SIMULATIONS: 0,
    TIME_LIMIT: 0,
    "profile": "rec",
    "c_puct": 0.5,
    "fpu_offset": 0.2,
    "unit": "shares",
    "fpu": "visited",
    "weighting": "conditional",
    "selector": "puct",
    "utility": "diff",
    "table": True,
    "short_circuit": False,
    "sweep": False,
    "ties": "seats",
    "sooner": True,
    "temperature": 0,
    **NOISE_PARAMETERS,
    EVALUATOR: "native",
}
"""Default values of the graph search, which docs/games.md explains, for its default profile and selector."""

BOOLEANS = {"true": True, "1": True, "false": False, "0": False}


def full_name(name: str, defaults: Mapping[str, Parameter]) -> str:
    """The name of a parameter, given its name or its short name."""
    full = SHORT_NAMES.get(name, name)
    return full if full in defaults else name


def names(defaults: Mapping[str, Parameter]) -> list[str]:
    """The names and short names of these parameters."""
    return [*defaults, *(short for short, name in SHORT_NAMES.items() if name in defaults)]


def read_parameter(text: str, default: Parameter) -> Parameter:
    """Reads a value of the type of ``default``. Raises ValueError, whose text says why it cannot be read."""
    if isinstance(default, str):
        if not text:
            raise ValueError("not a name")
        return text
    if isinstance(default, bool):
        if text not in BOOLEANS:
            raise ValueError("neither true nor false")
        return BOOLEANS[text]
    try:
        return float(text)
    except ValueError:
        raise ValueError("not a number") from None


def write_parameter(value: Parameter) -> str:
    """The text of a value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else f"{value:g}"
