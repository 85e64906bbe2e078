"""The page in a real browser. A package, so that its fixtures of that scope end with it."""
