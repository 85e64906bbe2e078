"""The implementations of the ports: databases, buses, analysts."""
