"""The stream between host and bot: packets, each after its length in four bytes, the most significant first."""

from protocols.session import RemoteError

LENGTH_BYTES = 4

MAX_PACKET_BYTES = 1 << 24


def framed(packet: bytes) -> bytes:
    """A packet with its length."""
    return len(packet).to_bytes(LENGTH_BYTES, "big") + packet


class PacketSplitter:
    """Cuts a stream into packets."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        """The packets that are complete with ``data``. Raises RemoteError."""
        self._buffer += data
        packets = []
        while (packet := self._next()) is not None:
            packets.append(packet)
        return packets

    def _next(self) -> bytes | None:
        if len(self._buffer) < LENGTH_BYTES:
            return None
        length = int.from_bytes(self._buffer[:LENGTH_BYTES], "big")
        if not 0 < length <= MAX_PACKET_BYTES:
            raise RemoteError(f"a packet of {length} bytes; allowed are 1 to {MAX_PACKET_BYTES}")
        end = LENGTH_BYTES + length
        if len(self._buffer) < end:
            return None
        packet = bytes(self._buffer[LENGTH_BYTES:end])
        del self._buffer[:end]
        return packet
