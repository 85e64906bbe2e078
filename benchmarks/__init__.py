"""Whole-program measurements. Run one with ``python -m benchmarks.NAME``."""
