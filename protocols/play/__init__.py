"""The frames of browsers: typed messages, their text, and the server's side of each conversation."""
