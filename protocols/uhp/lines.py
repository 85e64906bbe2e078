"""Lines of the protocol: a stream of bytes cut into lines, and a line read as a command.

Both ends of every UHP conversation use it, over pipes, TCP and WebSockets. Input is taken liberally (LF or CRLF,
runs of blanks, any case of the keyword); what Plyhouse writes is strict: LF, and one blank between words.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from protocols.session import RemoteError

MAX_LINE_BYTES = 16_384
"""The longest line taken from a peer, without its end. The GameString of 500 plies has about 6 KB."""

PIECE_BYTES = 1024
"""How much of a long message is cut into lines at once."""

OK = "ok"
"""The line that ends every answer."""

ERROR = "err"
INVALID_MOVE = "invalidmove"
SHOWN_LETTERS = 60


class LineTooLong(RemoteError):
    """A line had more than ``most`` bytes; they are gone, the next line is as good as any."""

    def __init__(self, most: int) -> None:
        super().__init__(f"a line has at most {most} bytes")


Line = str | LineTooLong


class LineSplitter:
    """Cuts what arrives into lines, without their ends. No more than ``most`` bytes of a line are ever kept."""

    def __init__(self, most: int = MAX_LINE_BYTES) -> None:
        self._most = most
        self._held = bytearray()
        self._is_dropping = False

    def feed(self, chunk: bytes) -> list[Line]:
        """The lines that ``chunk`` ends; what follows the last end is held."""
        *ended, rest = chunk.split(b"\n")
        lines = []
        for part in ended:
            self._hold(part)
            lines.append(self._take())
        self._hold(rest)
        return lines

    def end(self) -> list[Line]:
        """The last line of a stream, or of a message of a WebSocket, which needs no end of its own."""
        return [self._take()] if self._held or self._is_dropping else []

    def _hold(self, part: bytes) -> None:
        self._held += part
        # One byte more is kept: it may be the CR of a line that just fits.
        if len(self._held) > self._most + 1:
            self._held, self._is_dropping = bytearray(), True

    def _take(self) -> Line:
        line = bytes(self._held.removesuffix(b"\r"))
        is_whole = not self._is_dropping and len(line) <= self._most
        self._held, self._is_dropping = bytearray(), False
        return line.decode(errors="replace") if is_whole else LineTooLong(self._most)


def iterate_lines(message: str) -> Iterator[Line]:
    """The lines of one whole message, as a WebSocket brings it. No line is read before it is asked for."""
    splitter, data = LineSplitter(), message.encode(errors="replace")
    for start in range(0, len(data), PIECE_BYTES):
        yield from splitter.feed(data[start : start + PIECE_BYTES])
    yield from splitter.end()


def split_message(message: str) -> list[Line]:
    """All lines of one whole message."""
    return list(iterate_lines(message))


@dataclass(frozen=True, slots=True)
class Command:
    """A line as keyword (lower case) and the words behind it."""

    keyword: str
    words: tuple[str, ...] = ()

    @property
    def rest(self) -> str:
        """All words behind the keyword, one blank between them."""
        return " ".join(self.words)


def read_command(line: str) -> Command | None:
    """The command in ``line``; None when it is blank."""
    keyword, *words = line.split() or [""]
    return Command(keyword.lower(), tuple(words)) if keyword else None


def is_error(line: str) -> bool:
    """Whether a line of an answer says that the command was refused."""
    return line.startswith((ERROR, INVALID_MOVE))


def shown(text: str) -> str:
    """``text`` of a peer, short and harmless enough to stand in a line of ours."""
    letters = "".join(letter if letter.isprintable() else "?" for letter in text[: SHOWN_LETTERS + 1])
    return letters if len(letters) <= SHOWN_LETTERS else f"{letters[:SHOWN_LETTERS]}…"
