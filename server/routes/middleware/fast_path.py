"""Moves and other frequent operations, and sockets, before all other middleware.

The other middleware wraps the response of every request, though most of it concerns few requests of programs: those of
pages of other sites, long bodies, or answers worth compressing. What it would refuse or change goes through it. The
rest gets the same answers as there: with the client as payer, with the same headers, and with the same errors.
Sockets would keep a frame of each middleware in memory as long as they are open.
"""

from collections.abc import Awaitable, Sequence

from starlette.requests import HTTPConnection, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.domain.errors import ApiError
from server.domain.security_headers import HEADERS, NO_PAGE
from server.routes.client_origin import Clients
from server.routes.direct import Operation, again, respond
from server.routes.errors import answer, answer_defect
from server.routes.middleware.address_check import has_nul
from server.routes.middleware.body_limit import is_too_long
from server.routes.middleware.compression import may_compress
from server.routes.middleware.origins import OriginCheck
from server.routes.middleware.overdrawn import refusing_later
from server.routes.services import services_in, work_of
from server.services.payer import payer

ADDED = [(b"vary", b"Origin"), *HEADERS, NO_PAGE]
"""The headers that the other middleware adds to an answer that is no page, if the request has no ``Origin``."""


class FastPath:
    """ASGI middleware that answers plain requests for ``operations``, and passes all other requests on.

    ``sockets`` gets the sockets that no other middleware refuses.
    """

    def __init__(
        self,
        app: ASGIApp,
        sockets: ASGIApp,
        operations: Sequence[Operation],
        origins: OriginCheck,
        clients: Clients,
    ) -> None:
        self._app = app
        self._sockets = sockets
        self._operations = operations
        self._origins = origins
        self._clients = clients

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Answers a request or passes it on."""
        if scope["type"] == "websocket" and self._origins.refusal(scope) is None and not has_nul(scope):
            payer.set(self._clients.address(HTTPConnection(scope)))
            return self._sockets(scope, receive, send)
        return self._answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        operation = self._operation(scope) if scope["type"] == "http" else None
        if operation is None or self._concerns_others(scope):
            await self._app(scope, receive, send)
            return
        payer.set(self._clients.address(HTTPConnection(scope)))
        read: list[Message] = []
        try:
            if operation.is_paid:
                work_of(scope).check()
            begun = await operation.begin(scope, receive, read)
            if begun is not None:
                written = operation.written(begun)
                found = await (work_of(scope).paid(written) if operation.is_paid else written)
        except ApiError as refusal:
            found, send = answer(refusal), refusing_later(send)
        except Exception as defect:
            await respond(await answer_defect(Request(scope), defect), send, ADDED)
            raise
        else:
            if begun is None:
                await self._app(scope, again(read, receive), send)
                return
        await respond(found, send, ADDED)

    def _operation(self, scope: Scope) -> Operation | None:
        """The operation of the request, whose path's parameters are added to the scope."""
        for operation in self._operations:
            parameters = operation.parameters(scope)
            if parameters is not None:
                scope["path_params"], scope["route"] = parameters, operation.route
                return operation
        return None

    def _concerns_others(self, scope: Scope) -> bool:
        """Whether other middleware would refuse the request, or do more to its answer than add headers."""
        headers = dict(scope["headers"])
        return (
            b"origin" in headers
            or b"transfer-encoding" in headers
            or self._origins.refusal(scope) is not None
            or has_nul(scope)
            or is_too_long(scope)
            or may_compress(scope)
            or services_in(scope).out_of_service.is_out
        )
