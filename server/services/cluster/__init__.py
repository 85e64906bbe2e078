"""What the servers of one installation share: the bus, leases, announcements and presence."""
