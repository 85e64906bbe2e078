"""The latency of TCP connections as measured by the system. Read for every connection whose moves are timed."""

import socket
import struct
import sys
from contextlib import suppress
from typing import Any, Final

RTT: Final = struct.Struct("=I")
RTT_AT: Final = 68
"""Linux's ``struct tcp_info``: ``tcpi_rtt``, the smoothed round-trip time in microseconds."""

INFO_BYTES: Final = RTT_AT + RTT.size


def lag_ms(connection: Any) -> int:  # noqa: ANN401 - the socket of whatever event loop
    """Half the round-trip time in milliseconds; 0 if the system does not report it or the connection is closed."""
    if connection is None or sys.platform != "linux":
        return 0
    with suppress(OSError, ValueError):
        info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, INFO_BYTES)
        if len(info) == INFO_BYTES:
            return int(RTT.unpack_from(info, RTT_AT)[0]) // 2000
    return 0
