"""Wire protocols as pure code: codecs, and sessions that turn a frame or an event into effects.

Nothing here imports a clock, an event loop, sockets or a web framework. The owner of a socket or pipe (``server``)
drives a session. Of ``engines`` only positions are used, never searches.
"""
