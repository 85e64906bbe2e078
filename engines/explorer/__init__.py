"""The opening explorer: what was played from a position, and with what results."""
