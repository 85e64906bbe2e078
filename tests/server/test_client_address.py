"""The address that limits are counted by."""

from ipaddress import ip_network

import pytest

from server.domain.client_address import client_address

PROXIES = ("10.0.0.0/8", "127.0.0.0/8", "fd00::/8")


@pytest.mark.parametrize(
    ("peer", "forwarded_for", "trusted", "client"),
    [
        # Without a trusted proxy the header is the client's own claim.
        ("203.0.113.7", [], (), "203.0.113.7"),
        ("203.0.113.7", ["198.51.100.1"], (), "203.0.113.7"),
        ("203.0.113.7", ["198.51.100.1"], PROXIES, "203.0.113.7"),
        # The right-most address that is not a proxy: clients can forge those left of it.
        ("10.0.0.1", ["198.51.100.1"], PROXIES, "198.51.100.1"),
        ("10.0.0.1", ["1.1.1.1, 198.51.100.1"], PROXIES, "198.51.100.1"),
        ("10.0.0.1", ["1.1.1.1", "198.51.100.1, 10.0.0.2"], PROXIES, "198.51.100.1"),
        ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], PROXIES, "10.0.0.3"),
        ("10.0.0.1", [], PROXIES, "10.0.0.1"),
        ("10.0.0.1", ["198.51.100.1, nonsense"], PROXIES, "10.0.0.1"),
        # This machine has no limit, unless it is a proxy.
        ("127.0.0.1", [], (), None),
        ("::1", ["198.51.100.1"], (), None),
        ("127.0.0.1", [], PROXIES, "127.0.0.1"),
        ("127.0.0.1", ["198.51.100.1"], PROXIES, "198.51.100.1"),
        # IPv6 counts by /64; an IPv4-mapped address counts as IPv4.
        ("2001:db8:1:2:3:4:5:6", [], (), "2001:db8:1:2::/64"),
        ("fd00::1", ["2001:db8:1:2::9"], PROXIES, "2001:db8:1:2::/64"),
        ("fd00::1", ["[2001:db8:1:2::9]"], PROXIES, "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.7", [], (), "203.0.113.7"),
        ("::ffff:127.0.0.1", [], (), None),
        # No address at all.
        (None, ["198.51.100.1"], PROXIES, None),
        ("testclient", [], (), None),
    ],
)
def test_a_client_is_the_first_address_that_is_not_a_proxy(
    peer: str | None, forwarded_for: list[str], trusted: tuple[str, ...], client: str | None
) -> None:
    networks = [ip_network(text) for text in trusted]
    assert client_address(peer, forwarded_for, networks) == client
