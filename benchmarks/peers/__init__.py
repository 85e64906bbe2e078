"""Servers and clients that the benchmarks compare with or use, each in its own process."""
