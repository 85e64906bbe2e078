"""Trees of variations: writing and reading is the identity in every format, and nothing exceeds the limits."""

import random
import tracemalloc
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import Position
from protocols.records import formats
from protocols.records.record import Reading, RecordError
from protocols.records.replay import replay
from protocols.records.written_move import LONGEST_COMMENT
from protocols.values import Record
from protocols.variations import tree_formats
from protocols.variations.tree import MOST_NESTED, Branch, Tree, main_line, walk
from protocols.variations.tree_list import from_list, to_list
from tests.protocols.records.games import records

GLYPHS = ["", "!", "?", "!!", "??", "!?", "?!"]
PGN = '[GameType "Base"]\n\n'
WORDS = st.text(
    st.characters(codec="utf-8", exclude_characters="{}", exclude_categories=["C", "Z"]), min_size=1
)
COMMENTS = st.lists(WORDS, max_size=4).map(" ".join)
"""One line each, as PGN keeps no line breaks, and without braces."""


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """A tree of legal moves of Hive, grown at random places."""
    chance = random.Random(draw(st.integers(0, 2**32)))
    start = Position("hive", draw(st.sampled_from(["Base", "Base+MLP", "Base+P"])))
    for _ in range(draw(st.integers(0, 12))):
        start.play(chance.choice(start.legal_moves()))
    if start.outcome is not None:
        start.undo()
    opening = ";".join([start.variant, "InProgress", "White[1]", *start.history])
    begin = Position("hive", start.variant, {"gameString": opening})
    root = Branch(comment=draw(COMMENTS))
    grown = [(root, begin)]
    for _ in range(draw(st.integers(0, 30))):
        branch, position = chance.choice(grown)
        moves = [] if position.outcome else position.legal_moves()
        unplayed = [move for move in moves if move not in [known.move for known in branch.next]]
        if not unplayed:
            continue
        move = chance.choice(unplayed)
        added = Branch(move, draw(COMMENTS), draw(st.sampled_from(GLYPHS)))
        branch.next.append(added)
        after = position.copy()
        after.play(move)
        grown.append((added, after))
    return Tree("hive", begin.variant, begin.config, root)


def from_start(tree: Tree) -> Tree:
    """The tree from the start of the game, with the moves before its own start as a line without variations."""
    _, _, _, *opening = tree.config["gameString"].split(";")
    root = tree.root
    for move in reversed(opening):
        root = Branch(next=[Branch(move, root.comment, root.glyph, root.next)])
    return Tree("hive", tree.variant, {}, root)


@given(trees(), st.sampled_from(tree_formats.names_for("hive")))
def test_a_format_keeps_the_tree(tree: Tree, name: str) -> None:
    text = tree_formats.write(tree, name)
    reading = tree_formats.read(text)
    assert reading == tree_formats.read(text, name)
    assert (reading.tree, reading.notes) == (from_start(tree), ())
    assert tree_formats.write(reading.tree, name) == text


@given(trees(), st.sampled_from(tree_formats.names_for("hive")))
def test_a_record_is_the_main_line(tree: Tree, name: str) -> None:
    record = formats.read(tree_formats.write(tree, name)).record
    assert list(record.moves) == [branch.move for branch in main_line(from_start(tree).root)]


@given(trees())
def test_a_list_keeps_the_tree(tree: Tree) -> None:
    listed = to_list(tree)
    empty = replace(tree, root=Branch(comment=tree.root.comment))
    assert from_list(empty, listed["moves"]) == tree


@given(records())
def test_records_of_all_games_are_lines(record: Record) -> None:
    end = replay(Reading(record))
    tree = tree_formats.read(formats.write(record, "json")).tree
    assert [branch.move for branch in main_line(tree.root)] == end.history[:1000]
    again = Position(tree.game, tree.variant, tree.config)
    again.play(*end.history[:1000])
    assert (again.config, again.secret) == (end.config, end.secret)


def lines_of(text: str) -> tuple[list[str], tuple[str, ...]]:
    reading = tree_formats.read(PGN + text)
    return [step.branch.move for step in walk(reading.tree.root)], reading.notes


def test_an_illegal_variation_is_left_out_with_a_note() -> None:
    moves, notes = lines_of("1. wS1 2. bG1 -wS1 (2. bQ wS1- 3. wQ -wS1) (2. bS1 wS1-) 3. wQ wS1- *")
    assert moves == ["wS1", "bG1 -wS1", "wQ wS1-", "bS1 wS1-"]
    assert notes == ("line 3: bQ wS1- was left out: bQ wS1-: the Queen may not be a player's first piece.",)


def test_one_move_is_one_branch() -> None:
    """However often, and however differently, it is written."""
    moves, _ = lines_of(
        "1. wS1 2. bG1 -wS1 (2. bG1 \\wS1 {one}) (2. bG1 -wS1 {the same}) (2. bG2 -wS1 3. wQ wS1-)"
    )
    assert moves == ["wS1", "bG1 -wS1", "wQ wS1-", "bG1 \\wS1"]


def test_a_variation_may_number_pieces_anew() -> None:
    moves, _ = lines_of("1. wS2 2. bG1 -wS2 3. wQ wS2- (3. wS1 wS2- 4. bQ -bG1 5. wQ wS1-)")
    assert moves == ["wS1", "bG1 -wS1", "wQ wS1-", "wS2 wS1-", "bQ -bG1", "wQ wS2-"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("(1. wS1)", "line 3: ( begins a variation, but there is no move that it replaces"),
        ("1. wS1)", "line 3: ) ends a variation, but none is open"),
        ("1. wS1\n(1. wS2", "a variation is not closed by ): the end of the text is missing"),
        ("1. wS1 {", "line 3: the comment that begins with { is not closed by }"),
    ],
)
def test_malformed_variations_are_refused(text: str, why: str) -> None:
    with pytest.raises(RecordError) as refusal:
        lines_of(text)
    assert str(refusal.value) == why


def test_too_deep_variations_and_long_comments_are_cut() -> None:
    chance, position, parts = random.Random(1), Position("hive", "Base"), [PGN]
    while position.ply < MOST_NESTED + 2:
        main, tried = chance.sample(position.legal_moves(), 2)
        after = position.copy()
        after.play(tried)
        if after.outcome is None and len(after.legal_moves()) > 1:
            parts.append(f"{after.ply}. {main} ({after.ply}. {tried}")
            position = after
    reading = tree_formats.read(" ".join(parts) + ")" * (MOST_NESTED + 2))
    assert max(step.nesting for step in walk(reading.tree.root)) == MOST_NESTED
    assert len(reading.notes) == 1
    assert f"at most {MOST_NESTED} variations are within each other" in reading.notes[0]
    reading = tree_formats.read(PGN + "1. wS1 {" + "x" * (LONGEST_COMMENT + 1) + "}")
    assert len(reading.tree.root.next[0].comment) == LONGEST_COMMENT
    assert reading.notes == (f"line 3: a comment was cut after {LONGEST_COMMENT} characters.",)


@pytest.mark.parametrize("after", [-1, 1, 7])
def test_a_list_names_earlier_moves(after: int) -> None:
    with pytest.raises(RecordError, match=f"move 1 is after move {after}"):
        from_list(Tree("hive", "Base", {}, Branch()), [{"after": after, "move": "wS1"}])


def test_a_variation_that_cannot_be_read_leaves_the_others() -> None:
    moves, notes = lines_of("1. wS1 (7. wA1 fly) (1. wG1) 2. bG1 -wS1")
    assert (moves, len(notes)) == (["wS1", "bG1 -wS1", "wG1"], 1)
    head = "(;GM[27]SU[hive]; P0[dropb wS1 N 13 .]; P0[Done]"
    main, good = "(; P1[dropb bS1 O 13 .]; P1[Done])", "(; P1[dropb bG1 O 13 .]; P1[Done])"
    for bad in ("(; P1[fly bS1 O 13 .]; P1[Done])", "(; P1[dropb bG1 Z 13 .]; P1[Done])"):
        reading = tree_formats.read(f"{head}{main}{bad}{good})")
        assert [step.branch.move for step in walk(reading.tree.root)] == ["wS1", "bS1 wS1-", "bG1 wS1-"]
        assert len(reading.notes) == 1


def test_comments_may_look_like_anything() -> None:
    """Other formats are recognised by their lines."""
    comment = '1. wS1\n2. bS1 wS1-\n[GameType "Base"]\n[Board "3x3"]'
    tree = Tree("hive", "Base", {}, Branch(next=[Branch("wS1", comment)]))
    assert tree_formats.read(tree_formats.write(tree, "sgf")).tree == tree
    long = Tree("hive", "Base", {}, Branch(comment="word " * 100 + "end", next=[Branch("wS1")]))
    for name in tree_formats.names_for("hive"):
        assert tree_formats.read(tree_formats.write(long, name)).tree == long


@pytest.mark.parametrize("move", ["!0", "WS1", "x) } $9", "wQ"])
@pytest.mark.parametrize("name", tree_formats.names_for("hive"))
def test_only_canonical_legal_moves_are_written(name: str, move: str) -> None:
    tree = Tree("hive", "Base", {}, Branch(next=[Branch("wA1"), Branch(move)]))
    with pytest.raises(RecordError, match="ply 1"):
        tree_formats.write(tree, name)


@pytest.mark.parametrize(
    "text",
    [
        PGN + "x\n" * 10_000 + "(" * 20_000,
        PGN + "x\n" * 10_000 + "(x)" * 10_000,
        PGN + "1. wS1 " + "{a}" * 50_000,
        PGN + "1. wS1 " + "(1. wA4)" * 9_000,
        "(;SU[hive]; P0[dropb wS1 N 13 .]; P0[Done](;)("
        + "; P1[Done]P0[Done]" * 4_000
        + "(;)" * 4_000
        + "))",
        "(;SU[hive]; P0[dropb wS1 N 13 .]; P0[Done]" + "(;" * 9_000 + "(;)" * 9_000 + ")" * 9_001,
        "(;SU[hive]; P0[dropb wS1 N 13 .]; P0[Done]" + "C[a]" * 20_000 + ")",
    ],
    ids=range(7),
)
@pytest.mark.slow
def test_memory_stays_small_for_any_text(text: str) -> None:
    """Each of these took hundreds of megabytes or minutes when variations copied what came before them."""
    tracemalloc.start()
    try:
        with suppress(RecordError):
            tree_formats.read(text)
        assert tracemalloc.get_traced_memory()[1] < 400 * len(text)
    finally:
        tracemalloc.stop()
