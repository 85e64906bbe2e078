"""Code with an event loop that the server and the programs share."""
