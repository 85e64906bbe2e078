"""Programs of PyRat: bots of the text and of the host protocol, and our engine as a bot."""
