"""The address of the client that sent a request. Limits apply per address.

Pure: computed from the peer of the connection, its ``X-Forwarded-For`` headers and the trusted proxies. Routes read
these from the request.
"""

from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

IPV6_PREFIX = 64
"""An IPv6 customer gets at least a /64, so all addresses in one count as one client."""


def client_address(peer: str | None, forwarded_for: Sequence[str], trusted: Sequence[Network]) -> str | None:
    """Returns the client as text (an IPv4 address or an IPv6 /64), or None if no limit applies to it.

    ``peer`` is the address of the connection, ``forwarded_for`` the values of its ``X-Forwarded-For`` headers in
    order, ``trusted`` the networks of proxies whose headers are trusted. The client is the right-most address that is
    not a trusted proxy. No limit applies to connections from this machine, unless loopback is a trusted proxy, or to
    connections without an IP address (Unix sockets).
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


SITE_PREFIX = 48
"""The IPv6 network that one customer can get at most, with many /64 in it."""

SITE_FACTOR = 4
"""How many times the limit of one address holds for its whole site."""


def site_of(address: str) -> str | None:
    """Returns the /48 of an address as ``client_address`` returns it; None for IPv4."""
    if ":" not in address:
        return None
    network = IPv6Network(address)
    return str(network.supernet(new_prefix=SITE_PREFIX)) if network.prefixlen > SITE_PREFIX else None


def names_of(address: str | None) -> tuple[str, ...]:
    """Returns what is counted for an address: itself and its site, if it has one; nothing for None."""
    if address is None:
        return ()
    site = site_of(address)
    return (address,) if site is None else (address, site)


def is_within(peer: str | None, networks: Sequence[Network]) -> bool:
    """Whether ``peer`` is an IP address in one of the networks."""
    address = _address(peer or "")
    return address is not None and _is_in(address, networks)


def _address(text: str) -> Address | None:
    """Parses an address, mapping IPv4-mapped IPv6 addresses to IPv4; None for any other text."""
    try:
        address = ip_address(text.strip("[]"))
    except ValueError:
        return None
    return (isinstance(address, IPv6Address) and address.ipv4_mapped) or address


def _is_in(address: Address, networks: Sequence[Network]) -> bool:
    return any(address in network for network in networks)
