"""Analysts: the engine pool of this process, and the workers."""
