"""The trees of searches as Python sees them: laws that hold in every game and search that has one."""

import json
import math
import re
import sys
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import BadConfig, Position, RuleError, Search, SearchAction, SearchNode


@dataclass(frozen=True)
class Case:
    """A search of a game, and a recorded move that it can follow."""

    game: str
    search: str
    variant: str | None = None
    config: str = "{}"
    parameters: str = "{}"

    def position(self) -> Position:
        return Position(self.game, self.variant, json.loads(self.config))

    def open(self, seed: int = 3) -> Search:
        return Search(self.position(), seed=seed, search=self.search, **json.loads(self.parameters))

    def __str__(self) -> str:
        return f"{self.game}-{self.search}{self.parameters if self.parameters != '{}' else ''}"


SMALL = '{"boardWidth": 5, "boardHeight": 5}'
CASES = [
    Case("wallwars", "puct", config=SMALL),
    Case("wallwars", "puct", config=SMALL, parameters='{"preset": "reference"}'),
    Case("wallwars", "uct", config=SMALL),
    Case("hive", "puct"),
    Case("hive", "uct", parameters='{"use_rave": true}'),
    Case("carcassonne", "uct", config='{"seed": 5, "tileCount": 12}'),
    Case("carcassonne", "uct", config='{"seed": 5, "seats": 3}', parameters='{"num_determinizations": 2}'),
    Case("carcassonne", "uct", config='{"seed": 5}', parameters='{"num_determinizations": 0}'),
    Case("toy-draw", "uct", config='{"seed": 5, "seats": 3}'),
    Case("pyrat", "mcgs", "tiny", '{"seed": 4}'),
    Case("pyrat", "mcgs", "tiny", '{"seed": 4}', '{"selector": "rm"}'),
    Case("pyrat", "mcgs", "tiny", '{"seed": 4}', '{"selector": "puct+rootsolve", "utility": "win"}'),
    Case("pyrat", "mcgs", "tiny", '{"seed": 4}', '{"utility": "own", "table": false}'),
]
TREES = pytest.mark.parametrize("case", CASES, ids=str)


def nodes(root: SearchNode, most: int = 60) -> Iterator[SearchNode]:
    """Nodes of a tree, each once, breadth first."""
    seen: set[int] = set()
    waiting = [root]
    while waiting and len(seen) < most:
        node = waiting.pop(0)
        if node.id not in seen:
            seen.add(node.id)
            yield node
            waiting += node.children


def trees(search: Search) -> list[SearchNode]:
    return [search.root, *search.deals]


@TREES
def test_every_simulation_ends_with_an_evaluation_or_where_a_value_is_known(case: Case) -> None:
    search = case.open()
    done = search.run(150)
    counters = search.counters
    assert counters.evaluations + counters.known == search.visits == search.root.visits
    assert done <= search.visits <= done + 1, "PUCT evaluates its root when it is opened"
    assert counters.nodes == search.report().nodes
    assert 0 < counters.depth <= counters.nodes


@TREES
def test_visits_go_to_children_but_for_the_own_evaluation(case: Case) -> None:
    search = case.open()
    search.run(200)
    for tree in trees(search):
        for node in nodes(tree):
            below = sum(edge.visits for edge in node.edges)
            if node.kind in {"expanded", "partial"} and (case.search != "uct" or node.edges):
                has_own = case.search != "uct" or node.depth > 0
                assert node.visits >= below + has_own
                if len(search.deals) == 0 or tree.depth:
                    assert node.visits == below + has_own, node
            for edge in node.edges:
                assert edge.node.moves == [*node.moves, edge.move]
                assert edge.node.visits >= edge.visits or case.search == "mcgs"
    assert sum(deal.visits for deal in search.deals) in {0, search.visits}


@TREES
def test_numbers_are_in_their_ranges_and_units(case: Case) -> None:
    search = case.open()
    search.run(200)
    position = case.position()
    assert search.root.to_act == position.to_act
    assert search.root.unit == (
        "points" if case.search == "mcgs" and '"win"' not in case.parameters else "value"
    )
    for node in nodes(search.root):
        for numbers in (node.q, node.evaluation, node.points):
            assert numbers is None or len(numbers) == position.seats
        if node.unit == "value" and node.kind != "dead end":
            assert all(-2 <= q <= 1 for q in node.q or [])
        priors: dict[int, float] = defaultdict(float)
        for action in node.actions:
            assert action.seat in node.to_act
            assert (action.q is None) == (action.visits == 0)
            priors[action.seat] += action.prior or 0.0
        if node.kind == "expanded" and case.search != "uct":
            assert list(priors.values()) == pytest.approx([1.0] * len(node.to_act))
        rewards = [edge.reward is not None for edge in node.edges]
        has_points = position.scores is not None and '"win"' not in case.parameters
        assert all(reward == has_points for reward in rewards)


@TREES
def test_a_node_stays_valid_while_the_search_runs_and_ends_with_a_move(case: Case) -> None:
    search, position = case.open(), case.position()
    search.run(60)
    root, visits = search.root, search.root.visits
    child = root.children[0]
    before = child.visits
    search.run(60)
    assert root.visits > visits
    assert child.visits >= before
    with pytest.raises(RuleError):
        search.advance("no move")
    assert root.visits == search.visits
    move = search.report().best_move
    assert move is not None
    search.advance(move if len(position.to_act) > 1 else position.after(move).last_move or "")
    reads: list[Callable[[], object]] = [
        lambda: root.visits,
        lambda: child.q,
        lambda: root.edges,
        lambda: root.actions,
        lambda: child.to_json(),
        lambda: root.child("x"),
    ]
    for read in reads:
        with pytest.raises(LookupError, match="take its root again"):
            read()
    assert repr(child).endswith("gone>")
    assert child.depth == 1
    assert search.root.visits == search.visits


@TREES
def test_a_copy_goes_on_like_the_original_and_leaves_it_alone(case: Case) -> None:
    search = case.open()
    search.run(100)
    copy = search.copy()
    told = search.root.to_json(3)
    assert copy.root.to_json(3) == told
    copy.run(100)
    assert search.root.to_json(3) == told
    search.run(100)
    assert copy.root.to_json(3) == search.root.to_json(3)
    assert copy.report(50).lines[0].pv == search.report(50).lines[0].pv


@TREES
def test_an_export_has_each_node_once_and_no_more_than_was_asked_for(case: Case) -> None:
    search = case.open()
    search.run(150)
    for depth, least in ((0, 1), (1, 1), (3, 1), (3, 5)):
        tree = json.loads(search.root.to_json(depth, min_visits=least))
        assert (tree["search"], tree["unit"]) == (case.search, search.root.unit)
        numbers = [node["node"] for node in tree["nodes"]]
        assert numbers == list(range(len(numbers)))
        assert max(node["depth"] for node in tree["nodes"]) <= depth
        edges = [edge for node in tree["nodes"] for edge in node["edges"]]
        assert {edge["node"] for edge in edges} | {0} == set(numbers)
        assert all(edge["visits"] >= least for edge in edges)
        dot = search.root.to_dot(depth, min_visits=least)
        assert len(re.findall(r"^  n\d+ \[", dot, re.MULTILINE)) == len(numbers)
        assert dot.count(" -> ") == len(edges)
    root = tree["nodes"][0]
    assert root["visits"] == search.visits
    assert [edge["move"] for edge in root["edges"]] == [
        edge.move for edge in search.root.edges if edge.visits >= least
    ]
    for node in tree["nodes"]:
        view = search.root
        for move in node["moves"]:
            view = view.child(move)
        assert (view.visits, view.q, view.kind, len(view.actions)) == (
            node["visits"],
            node["q"],
            node["kind"],
            len(node["actions"]),
        )


@pytest.mark.parametrize("case", [case for case in CASES if case.game in {"hive", "pyrat"}], ids=str)
def test_the_root_is_what_the_report_says(case: Case) -> None:
    search = case.open()
    search.run(300)
    report = search.report(200)
    assert {line.move: line.visits for line in report.lines} == {
        edge.move: edge.visits for edge in search.root.edges
    }
    (best, *_) = search.root.edges
    line = next(line for line in report.lines if line.move == best.move)
    variation = [edge.move for edge in search.root.principal_variation(6)]
    assert variation[: len(line.pv)] == line.pv[: len(variation)]
    assert [edge.visits for edge in search.root.principal_variation()] == sorted(
        (edge.visits for edge in search.root.principal_variation()), reverse=True
    )
    if search.root.unit == "value" and case.search == "uct":
        assert search.root.q == pytest.approx(report.values, abs=1e-6)
    if report.points is not None:
        assert search.root.points == pytest.approx(report.points, abs=1e-4)


@pytest.mark.parametrize("case", [case for case in CASES if case.search == "mcgs"], ids=str)
def test_pairs_add_up_to_the_actions_of_each_seat(case: Case) -> None:
    search = case.open()
    search.run(300)
    utility = json.loads(case.parameters).get("utility", "diff")
    for node in nodes(search.root):
        visits: Counter[tuple[int, str]] = Counter()
        sums: dict[tuple[int, str], float] = defaultdict(float)
        for edge in node.edges:
            assert edge.reward is None or all(reward * 2 == int(reward * 2) for reward in edge.reward)
            for seat, text in enumerate(edge.move.split("/")):
                visits[seat, text] += edge.visits
                worth = edge.q[seat] - (edge.q[1 - seat] if utility == "diff" else 0)
                sums[seat, text] += edge.visits * worth
            if node.id != search.root.id and edge.node.q is not None and edge.reward is not None:
                together = [reward + q for reward, q in zip(edge.reward, edge.node.q, strict=True)]
                assert edge.q == pytest.approx(together)
        for action in node.actions:
            key = (action.seat, action.action)
            assert action.visits == visits[key]
            if action.q is not None:
                assert action.q == pytest.approx(sums[key] / visits[key])
        assert sum(visits.values()) == 2 * sum(edge.visits for edge in node.edges)


def best(actions: list[SearchAction], seat: int) -> list[str]:
    """The actions of a seat that share the best score, but for rounding."""
    scores = {action.action: action.score for action in actions if action.seat == seat}
    most = max(score for score in scores.values() if score is not None)
    return [name for name, score in scores.items() if score is not None and score > most - 1e-5]


@pytest.mark.parametrize(
    "case",
    [
        Case("wallwars", "puct", config=SMALL),
        Case("wallwars", "puct", config=SMALL, parameters='{"preset": "reference", "puct": 0.7}'),
        Case("hive", "puct", parameters='{"fpuReduction": 0.3}'),
        Case("hive", "uct"),
        Case("hive", "uct", parameters='{"use_rave": true, "rave_fpu": false}'),
        Case("pyrat", "mcgs", "tiny", '{"seed": 4}'),
        Case("pyrat", "mcgs", "tiny", '{"seed": 4}', '{"profile": "seed"}'),
        Case("pyrat", "mcgs", "tiny", '{"seed": 4}', '{"unit": "points", "weighting": "blend"}'),
    ],
    ids=str,
)
def test_the_next_simulation_chooses_the_best_score(case: Case) -> None:
    search = case.open()
    search.run(20)
    for _ in range(60):
        actions = search.root.actions
        before = {(action.seat, action.action): action.visits for action in actions}
        search.run(1)
        chosen = [
            action
            for action in search.root.actions
            if action.visits > before.get((action.seat, action.action), 0)
        ]
        assert len(chosen) == len(search.root.to_act)
        for action in chosen:
            key = (action.seat, action.action)
            if key not in before:
                assert all(before.values()), "PUCT lists more actions once all that are listed have visits"
                continue
            widened = case.search == "uct" and before[key] == 0
            assert widened or action.action in best(actions, action.seat)
    for action in search.root.actions:
        if (
            action.score is not None
            and action.q is not None
            and action.u is not None
            and not action.amaf_visits
        ):
            assert action.score == pytest.approx(action.q + action.u, abs=1e-5)


def test_regret_matching_shows_what_it_has_learnt() -> None:
    search = Search(Position("pyrat", "tiny", {"seed": 4}), selector="rm")
    search.run(400)
    policies = search.report().policies
    for seat in (0, 1):
        actions = [action for action in search.root.actions if action.seat == seat]
        assert sum(action.strategy or 0.0 for action in actions) == pytest.approx(1)
        assert all(
            action.regret is not None and action.regret >= 0 and action.u is None for action in actions
        )
        assert dict(policies[seat]) == pytest.approx(
            {action.action: action.strategy for action in actions}, abs=1e-6
        )


def test_all_moves_as_first_are_shown_where_they_are_kept() -> None:
    position = Position("wallwars", "standard", json.loads(SMALL))
    (with_rave, without) = (Search(position, search="uct", use_rave=rave) for rave in (True, False))
    for search in (with_rave, without):
        search.run(300)
    visited = [action for action in with_rave.root.actions if action.visits]
    assert all((action.amaf_visits or 0) >= action.visits for action in visited)
    assert any((action.amaf_visits or 0) > action.visits for action in visited)
    assert all(-1 <= (action.amaf_q or 0) <= 1 for action in with_rave.root.actions)
    assert all(action.amaf_visits is action.amaf_q is None for action in without.root.actions)


def test_a_shared_node_is_one_node() -> None:
    search = Search(Position("pyrat", "tiny", {"seed": 4}))
    search.run(500)
    ways: Counter[int] = Counter(
        grandchild.id for node in search.root.children for grandchild in node.children
    )
    assert search.counters.hits > 0
    assert max(ways.values()) > 1


def test_all_deals_together_end_where_a_move_reveals_something() -> None:
    search = Search(Position("toy-draw", config={"seed": 5}), search="uct", num_determinizations=4)
    search.run(2000)
    assert len(search.deals) == 4
    (first, *_) = search.root.children
    assert first.to_act == [0], "the second action of the same move"
    (second, *_) = first.children
    assert (second.to_act, second.edges, second.actions) == ([], [], [])
    assert second.visits == sum(
        edge.visits
        for deal in search.deals
        for above in deal.edges
        for edge in above.node.edges
        if edge.node.moves == second.moves
    )
    for deal in search.deals:
        behind = deal.children[0].children[0]
        assert behind.to_act == [1]
        assert behind.edges
        assert all(action.score is not None for action in deal.actions if action.visits)
    assert all(action.score is None for action in search.root.actions), "each deal chooses on its own"
    assert Search(Position("toy-draw", config={"seed": 5}), search="uct", num_determinizations=0).deals == []


def test_a_proven_value_shows_its_distance() -> None:
    position = Position("wallwars", "standard", {"boardWidth": 3, "boardHeight": 3})
    position.play(">a1.>b3", "Cc2.^b1", "Cb3.>a2", "Cb3", "Cc2")
    search = Search(position, search="puct")
    search.run(1500)
    tree = json.loads(search.root.to_json(6))
    proven = [node for node in tree["nodes"] if node["kind"] == "proven"]
    assert proven
    for node in proven:
        assert node["distance"] > 0
        assert abs(node["q"][0]) <= 1
        assert node["q"][0] == -node["q"][1]
    assert all(node["distance"] is None for node in tree["nodes"] if node["kind"] in {"leaf", "expanded"})


@pytest.mark.parametrize("search", ["alphabeta", "greedy", "montecarlo"])
def test_searches_without_a_tree_say_so(search: str) -> None:
    opened = Search(Position("hive"), search=search)
    for read in (lambda: opened.root, lambda: opened.deals, lambda: opened.counters, opened.copy):
        with pytest.raises(BadConfig, match="keeps no tree"):
            read()


def test_refusals_name_what_was_meant() -> None:
    search = Search(Position("pyrat", "tiny", {"seed": 4}))
    search.run(50)
    move = search.root.edges[0].move
    with pytest.raises(LookupError, match=re.escape(f"did you mean '{move}'?")):
        search.root.child(move.lower())
    with pytest.raises(BadConfig, match="one of actions, edges"):
        search.root.to_dataframe(rows="nodes")
    with pytest.raises(BadConfig, match="evaluation_noise"):
        Search(Position("hive"), search="puct", evaluation_noise=0.1).copy()


def test_an_export_has_a_limit() -> None:
    search = Search(Position("wallwars", "standard", {"boardWidth": 8, "boardHeight": 8}), search="uct")
    search.run(8000)
    with pytest.raises(ValueError, match="200000 nodes, actions and edges"):
        search.root.to_json(100)
    assert len(json.loads(search.root.to_json(100, min_visits=200))["nodes"]) > 1


def test_an_export_of_a_node_begins_there() -> None:
    search = Search(Position("hive"), search="puct")
    search.run(300)
    child = search.root.children[0]
    below = json.loads(child.to_json(1))["nodes"]
    assert (below[0]["moves"], below[0]["depth"], below[0]["visits"]) == ([], 0, child.visits)
    assert [node["moves"] for node in below[1:]] == [[edge.move] for edge in child.edges]


def test_a_table_needs_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        Search(Position("pyrat", "tiny", {"seed": 4})).root.to_dataframe()


def test_parameters_are_given_by_name() -> None:
    position = Position("hive")
    by_name = Search(position, seed=2, search="uct", pw_c=0.9, use_rave=True, tie="first")
    as_options = Search(
        position, options={"search": "uct", "pw_c": 0.9, "use_rave": True, "tie": "first"}, seed=2
    )
    mixed = Search(position, options={"search": "uct", "pw_c": 0.9}, seed=2, use_rave=True, tie="first")
    for search in (by_name, as_options, mixed):
        search.run(200)
    assert by_name.root.to_json(3) == as_options.root.to_json(3) == mixed.root.to_json(3)
    for name, hint in (("pw_cc", "pw_c"), ("Use_Rave", "use_rave"), ("keeptrees", "keep_trees")):
        with pytest.raises(BadConfig, match=f"no search option '{name}': did you mean '{hint}'"):
            Search(position, options={"search": "uct", name: 1})
    with pytest.raises(BadConfig, match="pw_c is given twice"):
        Search(position, options={"pw_c": 0.9}, search="uct", pw_c=0.8)
    with pytest.raises(BadConfig, match="NaN"):
        Search(position, search="uct", pw_c=math.nan)


@given(runs=st.lists(st.integers(1, 40), min_size=1, max_size=4), seed=st.integers(0, 99))
def test_looking_changes_nothing(runs: list[int], seed: int) -> None:
    case = Case("pyrat", "mcgs", "tiny", '{"seed": 4}')
    watched, alone = case.open(seed), case.open(seed)
    for simulations in runs:
        watched.run(simulations)
        for node in nodes(watched.root, 5):
            node.to_json(2)
            node.principal_variation()
    alone.run(sum(runs))
    assert watched.root.to_json(4) == alone.root.to_json(4)


def test_nodes_can_be_read_while_another_thread_searches() -> None:
    search = Search(Position("hive"), search="puct")
    search.run(50)
    root = search.root
    ended = threading.Event()

    def run() -> None:
        for _ in range(100):
            search.run(20)
        ended.set()

    thread = threading.Thread(target=run)
    thread.start()
    last = 0
    while not ended.is_set():
        visits = root.visits
        assert visits >= last
        last = visits
    thread.join()
    assert root.visits == search.visits
