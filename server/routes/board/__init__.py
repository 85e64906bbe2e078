"""What the analysis board asks for: positions after any moves, and trees of variations from and as text."""
