"""The address of the client for whom the running task works, which pays for what it causes.

Set where requests, sockets and lines of other protocols arrive; tasks that are started on the way inherit it.
"""

from contextvars import ContextVar

payer: ContextVar[str | None] = ContextVar("payer", default=None)
"""None: no limit applies, as to the work of the server itself."""
