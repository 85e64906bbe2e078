"""The outside behind the ports: databases, buses, analysts."""
