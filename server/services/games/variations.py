"""Reads records as trees of variations, and writes trees as text. Stores nothing. May take long: call on a thread."""

from collections.abc import Mapping, Sequence
from typing import Any

from protocols.records.formats import UnknownFormat
from protocols.records.record import RecordError
from protocols.variations import tree_formats
from protocols.variations.tree import Branch, Tree
from protocols.variations.tree_formats import TreeReading
from protocols.variations.tree_list import from_list
from server.services.games.records import refused, unsupported
from server.services.games.replay import replay


def read_tree(text: str, name: str) -> TreeReading:
    """Returns the tree in a record of this format, or of the one it looks like (``auto``). Raises ApiError."""
    try:
        return tree_formats.read(text, name)
    except UnknownFormat as refusal:
        raise unsupported(refusal) from None
    except RecordError as refusal:
        raise refused(refusal) from None


def written_tree(
    name: str,
    start: tuple[str, str | None, Mapping[str, Any]],
    comment: str,
    moves: Sequence[Mapping[str, Any]],
) -> str:
    """Returns the tree of these moves (see ``tree_list``) from a start in the format ``name``. Raises ApiError."""
    position = replay(*start, ())
    empty = Tree(position.game, position.variant, position.config, Branch(comment=comment))
    try:
        return tree_formats.write(from_list(empty, moves), name)
    except UnknownFormat as refusal:
        raise unsupported(refusal) from None
    except RecordError as refusal:
        raise refused(refusal, "moves") from None
