"""Conversations of clients with a running server, as tests/golden/server has them."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.protocols.transcripts import GOLDEN, parts_of
from tests.server.conversations import Conversation, served_by
from tests.server.serving import Served

PARTS = {path.stem: parts_of(path) for path in sorted((GOLDEN / "server").glob("*.txt"))}


class Servers:
    """The servers of the files, each started when it is needed."""

    def __init__(self, stack: ExitStack, folders: pytest.TempPathFactory) -> None:
        self._stack = stack
        self._folders = folders
        self._started: dict[str, Served] = {}

    def fresh(self, words: str) -> Served:
        """A server with these options and variables that has no games."""
        return self._stack.enter_context(served_by(self._folders.mktemp("server"), words))

    def of(self, name: str, words: str) -> Served:
        """The server of a file."""
        if name not in self._started:
            self._started[name] = self.fresh(words)
        return self._started[name]


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    with ExitStack() as stack:
        yield Servers(stack, tmp_path_factory)


@pytest.mark.parametrize(
    ("name", "title"), [(name, title) for name, parts in PARTS.items() for title, _ in parts[1:]]
)
async def test_conversation(servers: Servers, name: str, title: str) -> None:
    common, lines = PARTS[name][0][1], dict(PARTS[name][1:])[title]
    shared = [line.removeprefix("server ") for line in common if line.startswith("server ")]
    own = [line.removeprefix("server") for line in lines if line.startswith("server")]
    served = servers.fresh(own[0]) if own else servers.of(name, " ".join(shared))
    await Conversation(served).run([line for line in (*common, *lines) if not line.startswith("server")])
