"""The other ends of measurements, each a process of its own."""
