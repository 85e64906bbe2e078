"""The listening socket of ``plyhouse serve``, and the options that connections inherit from it."""

import socket
import sys

import pytest

from commands.serve import UNREAD_SECONDS, listen


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such limit")
def test_a_connection_whose_peer_does_not_read_is_closed_by_the_system() -> None:
    with listen("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname()):
        accepted, _ = listener.accept()
        with accepted:
            limit = accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
    assert limit == UNREAD_SECONDS * 1000
