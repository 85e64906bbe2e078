"""The stub of the native module against what it really returns: the type of every property, in every game."""

import ast
import types
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Union, get_args, get_origin

import pytest

import engines
from engines import BadConfig, Batch, Cache, Environments, Position, Search, games, known_members

STUB = ast.parse((Path(engines.__file__).parent / "_core.pyi").read_text())
CLASSES = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}
NAMES: Mapping[str, Any] = {"Any": Any, **vars(engines)}


def properties(name: str) -> dict[str, Any]:
    """The properties of a class in the stub, and their types."""
    return {
        node.name: eval(ast.unparse(node.returns), dict(NAMES))  # noqa: S307 - our own stub
        for node in CLASSES[name].body
        if isinstance(node, ast.FunctionDef)
        and node.returns is not None
        and any(isinstance(mark, ast.Name) and mark.id == "property" for mark in node.decorator_list)
    }


def fits(value: object, annotation: Any) -> bool:
    """Whether the value, with all that it contains, has exactly this type."""
    origin, inner = get_origin(annotation), get_args(annotation)
    if annotation is Any:
        return True
    if origin in (types.UnionType, Union):
        return any(fits(value, each) for each in inner)
    if origin is None:
        return value is None if annotation in (None, type(None)) else type(value) is annotation
    if type(value) is not origin:
        return False
    if isinstance(value, tuple):
        return len(value) == len(inner) and all(map(fits, value, inner))
    if isinstance(value, dict):
        return all(fits(key, inner[0]) and fits(item, inner[1]) for key, item in value.items())
    return isinstance(value, list) and all(fits(item, inner[0]) for item in value)


def instances() -> Iterator[object]:
    """Instances of every class, from the start, the middle and the end of games of every variant."""
    yield from games()
    yield from (Cache(1), Batch(1, 1, 1, 1, 1, Cache(0)), Environments("hive"))
    for game in games():
        for variant in game.variants:
            position = Position(game.name, variant, known_members(game.name, {"seed": 3}))
            search = Search(position, options={} if game.listed else {"search": "montecarlo"})
            search.run(50)
            left = position.copy()
            left.forfeit(1)
            yield from (position, left, search.report(2), *search.report(2).lines)
            yield from (part for part in (position.layout, left.outcome) if part is not None)
    hidden = Search(Position("toy-draw", config={"seed": 3}), search="uct", use_rave=True)
    learning = Search(Position("pyrat", "tiny", {"seed": 4}), selector="rm")
    proving = Search(Position("wallwars", "standard", {"boardWidth": 3, "boardHeight": 3}), search="puct")
    for search in (hidden, learning, proving):
        search.run(400)
        root = search.root
        yield from (search, search.counters, root, *root.actions, *root.edges, *root.children)
    over = Position("wallwars")
    over.forfeit(0)
    yield Search(over, search="puct").root
    for name in ("toy-draw", "carcassonne"):
        position = Position(name, None, {"seed": 3})
        while position.to_act:
            position = position.after(position.legal_moves()[0])
        yield from (position, position.outcome)


def test_every_property_has_the_type_that_the_stub_says() -> None:
    seen: dict[tuple[str, str], set[str]] = defaultdict(set)
    for instance in instances():
        name = type(instance).__name__
        for member, annotation in properties(name).items():
            value = getattr(instance, member)
            assert fits(value, annotation), f"{name}.{member} is {value!r}, not {annotation}"
            seen[name, member].add(type(value).__name__)
    listed = {(name, member) for name in CLASSES for member in properties(name)}
    assert listed == seen.keys()
    assert not [member for member, kinds in seen.items() if kinds == {"NoneType"}], (
        "each has a value somewhere"
    )


def test_the_stub_names_every_search() -> None:
    with pytest.raises(BadConfig) as refusal:
        Search(Position("hive"), options={"search": "none"})
    searches = str(refusal.value).partition("one of ")[2].split(", ")
    opening = next(node for node in CLASSES["Search"].body if isinstance(node, ast.FunctionDef))
    described = ast.get_docstring(opening) or ""
    assert len(searches) > 1
    assert not [search for search in searches if f'"{search}"' not in described]


@pytest.mark.parametrize("selector", ["puct", "rm", "puct+rootsolve"])
def test_the_stub_explains_the_policies_of_every_selector(selector: str) -> None:
    policies = next(
        node
        for node in CLASSES["Report"].body
        if isinstance(node, ast.FunctionDef) and node.name == "policies"
    )
    assert f"``{selector}``" in (ast.get_docstring(policies) or "")
    search = Search(Position("pyrat", "tiny"), options={"selector": selector})
    search.run(200)
    report = search.report(100)
    for seat, policy in enumerate(report.policies):
        assert sum(share for _, share in policy) == pytest.approx(1)
        visits: defaultdict[str, int] = defaultdict(int)
        for line in report.lines:
            visits[line.move.split("/")[seat]] += line.visits
        shares = [share * sum(visits.values()) for _, share in policy]
        are_shares = shares == pytest.approx([visits[move] for move, _ in policy])
        assert are_shares == (selector == "puct"), "only those of PUCT are shares of the visits"
