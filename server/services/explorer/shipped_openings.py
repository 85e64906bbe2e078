"""The openings of self-play that come with Plyhouse, read when they are first asked for."""

import asyncio
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from engines import Position
from engines.explorer.opening_tree import FOLDER, OpeningTree, read_tree
from engines.explorer.places import Places
from engines.explorer.tally import Crossroads, OpeningTally


class ShippedOpenings:
    """The trees of a folder, whose files are named after a game and a variant. They stay in memory."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._files = {file.stem: file for file in folder.glob("*.txt")}
        self._trees: dict[str, asyncio.Task[OpeningTree]] = {}

    async def at(self, position: Position) -> tuple[Crossroads, Mapping[str, Any] | None]:
        """What was played from a position, and how the games were played; None if there are none of its variant."""
        nothing = Crossroads(OpeningTally.none(position), {})
        name = f"{position.game}-{position.variant}"
        if name not in self._files:
            return nothing, None
        tree = await asyncio.shield(self._tree(name))
        return tree.crossroads.get(Places(position).of(position), nothing), tree.made

    def _tree(self, name: str) -> "asyncio.Task[OpeningTree]":
        """One task reads a file for all who wait for it. Whoever asks first does not pay for it."""
        if name not in self._trees:
            reading = asyncio.to_thread(partial(read_tree, self._files[name]))
            self._trees[name] = asyncio.ensure_future(reading)
        return self._trees[name]
