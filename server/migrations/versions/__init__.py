"""One module per change of the tables, in the order of their numbers."""
