"""One module per command of ``plyhouse``, each with one function that ``server.cli`` registers by name.

A command module imports what it drives inside its function, so that a quick command does not load the whole
server.
"""
