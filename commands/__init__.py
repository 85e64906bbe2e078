"""One module per command of ``plyhouse``, each with a function of the same name, which ``commands.cli`` registers.

The functions import what they need themselves, so that quick commands start without loading the server.
"""
