"""Wire protocols as pure code: codecs, and sessions that turn a frame or an event into effects.

No clock, loop, socket or web framework is imported here. Whoever owns a socket or a pipe (``server``)
drives a session. Of ``engines`` only positions are used, never searches.
"""
