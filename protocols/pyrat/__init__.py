"""The protocols that PyRat bots speak."""
