"""Lines of the protocol: splits a byte stream into lines and parses lines as commands.

Used by both sides of every UHP conversation, over pipes, TCP and WebSockets. Reading is liberal (LF or CRLF, runs of
spaces, keywords in any case); writing is strict: LF, and one space between words.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from protocols.session import Effect, FrameLost, RemoteError, Send

MAX_LINE_BYTES = 16_384
"""The longest accepted line, without its end. The GameString of a game of 500 plies has about 6 KB."""

PIECE_BYTES = 1024
"""Chunk size for splitting long messages."""

OK = "ok"
"""The last line of every answer."""

ERROR = "err"
INVALID_MOVE = "invalidmove"
SHOWN_LETTERS = 60


class LineTooLong(RemoteError):
    """A line exceeded ``most`` bytes. It was dropped; later lines are read normally."""

    def __init__(self, most: int) -> None:
        super().__init__(f"a line has at most {most} bytes")


Line = str | LineTooLong


def frame_of(line: Line) -> str | FrameLost:
    """The line as a server's session receives it."""
    return FrameLost("line too long") if isinstance(line, LineTooLong) else line


class LineSplitter:
    """Splits a stream into lines without their ends. Buffers at most ``most`` bytes of a line.

    ``errors``: what becomes of bytes that are not UTF-8, as in ``bytes.decode``.
    """

    def __init__(self, most: int = MAX_LINE_BYTES, errors: str = "replace") -> None:
        self._most = most
        self._errors = errors
        self._partial = bytearray()
        self._is_dropping = False
        self.dropped = 0
        """The number of bytes of lines that were too long."""

    def feed(self, chunk: bytes) -> list[Line]:
        """Returns the lines completed by ``chunk`` and buffers the rest."""
        *ended, rest = chunk.split(b"\n")
        lines = []
        for part in ended:
            self._hold(part)
            lines.append(self._take())
        self._hold(rest)
        return lines

    def end(self) -> list[Line]:
        """Returns the last line of a stream or WebSocket message if it has no line end."""
        return [self._take()] if self._partial or self._is_dropping else []

    def _hold(self, part: bytes) -> None:
        if self._is_dropping:
            self.dropped += len(part)
            return
        self._partial += part
        # One more byte is kept, which may be the CR of a line of maximum length.
        if len(self._partial) > self._most + 1:
            self.dropped += len(self._partial)
            self._partial, self._is_dropping = bytearray(), True

    def _take(self) -> Line:
        line = bytes(self._partial.removesuffix(b"\r"))
        is_whole = not self._is_dropping and len(line) <= self._most
        self._partial, self._is_dropping = bytearray(), False
        return line.decode(errors=self._errors) if is_whole else LineTooLong(self._most)


def iterate_lines(message: str) -> Iterator[Line]:
    """The lines of one whole message, for example from a WebSocket; split lazily."""
    splitter, data = LineSplitter(), message.encode(errors="replace")
    for start in range(0, len(data), PIECE_BYTES):
        yield from splitter.feed(data[start : start + PIECE_BYTES])
    yield from splitter.end()


def answered(*lines: str) -> list[Effect]:
    """An answer with its final ``ok`` as one text, which a WebSocket carries as one message."""
    return [Send("\n".join((*lines, OK)))]


@dataclass(frozen=True, slots=True)
class Command:
    """A line split into a keyword (lower case) and the words after it."""

    keyword: str
    words: tuple[str, ...] = ()

    @property
    def rest(self) -> str:
        """All words after the keyword, separated by single spaces."""
        return " ".join(self.words)


def read_command(line: str) -> Command | None:
    """Parses a line; returns None if it is blank. ``pass`` is read as ``play pass``."""
    keyword, *words = line.split() or [""]
    if keyword.lower() == "pass":
        return Command("play", ("pass",))
    return Command(keyword.lower(), tuple(words)) if keyword else None


def is_error(line: str) -> bool:
    """Whether a line of an answer reports that the command was refused."""
    return line.startswith((ERROR, INVALID_MOVE))


def shown(text: str) -> str:
    """Text from a peer, shortened and with unprintable characters replaced, for use in our own lines."""
    letters = "".join(letter if letter.isprintable() else "?" for letter in text[: SHOWN_LETTERS + 1])
    return letters if len(letters) <= SHOWN_LETTERS else f"{letters[:SHOWN_LETTERS]}…"
