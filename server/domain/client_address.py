"""Which client a request comes from: the address that limits are counted by.

Pure: the peer of the connection, the ``X-Forwarded-For`` it sent and the proxies to be trusted go in. Routes read
them from a request; services count by the result.
"""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

IPV6_PREFIX = 64
"""An IPv6 customer gets at least a /64, so all its addresses are one client."""


def client_address(peer: str | None, forwarded_for: Sequence[str], trusted: Sequence[Network]) -> str | None:
    """The client as text (an IPv4 address or an IPv6 /64), or None for one that no limit applies to.

    ``peer`` is the address of the connection, ``forwarded_for`` the values of its ``X-Forwarded-For`` headers in
    order, ``trusted`` the networks of proxies whose headers are believed: the client is the right-most address that
    is not such a proxy. A connection from this machine has no limit, unless loopback is a trusted proxy, and neither
    has one without an IP address (a Unix socket).
    """
    address = _address(peer or "")
    if address is None:
        return None
    hops = [hop for value in forwarded_for for hop in value.split(",")]
    while hops and _is_in(address, trusted):
        forwarded = _address(hops.pop().strip())
        if forwarded is None:
            break
        address = forwarded
    if address.is_loopback and not _is_in(address, trusted):
        return None
    if isinstance(address, IPv6Address):
        return str(ip_network((address, IPV6_PREFIX), strict=False))
    return str(address)


def is_within(peer: str | None, networks: Sequence[Network]) -> bool:
    """Whether this is an IP address in one of the networks."""
    address = _address(peer or "")
    return address is not None and _is_in(address, networks)


def _address(text: str) -> Address | None:
    """The address, an IPv4 one also where it is written as IPv6; None for any other text."""
    try:
        address = ip_address(text.strip("[]"))
    except ValueError:
        return None
    return (isinstance(address, IPv6Address) and address.ipv4_mapped) or address


def _is_in(address: Address, networks: Sequence[Network]) -> bool:
    return any(address in network for network in networks)
