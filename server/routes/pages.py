"""The built page: one document for every address that the page renders itself, the guides, and the page's files."""

import mimetypes
import os
from asyncio import to_thread
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import NotModifiedResponse
from starlette.types import Scope

from server.domain.security_headers import GUIDE_POLICY, page_policy
from server.routes.middleware.compression import takes_encoding
from server.routes.services import TheServices
from server.routes.sharing import frames
from server.routes.sharing.document import PageDocument
from server.routes.sharing.previews import preview_of

DRAWN = (
    "/",
    "/new",
    "/new/{game}",
    "/learn/{game}",
    "/learn/{game}/rules",
    "/bots",
    "/bots/{bot}",
    "/ladder/{game}",
    "/tournaments",
    "/tournaments/{tournament_id}",
    "/game/{game_id}",
    "/board/{game}",
    "/puzzles/{game}",
    "/analysis",
    "/analysis/{game_id}",
)
"""Addresses that the page renders itself."""

PROGRAMS = ("/api/", "/ws/")
"""Prefixes of addresses for programs: unknown ones are answered with an error in JSON, for browsers too."""

HASHED = "assets"
"""The folder of the files whose names contain a hash of their content."""

GUIDES = "docs"
"""The folder of the guides, whose addresses leave out the suffix of their files."""

FOREVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"

ENCODINGS = {"br": ".br", "gzip": ".gz"}
"""The suffixes of the compressed copies that the build creates, in order of preference."""


def install(app: FastAPI, folder: Path, embedders: Sequence[str]) -> None:
    """Serves the page if it has been built. Pages of the origins ``embedders`` may show it in a frame."""
    document = folder / "index.html"
    if not document.is_file():
        return
    files = PageFiles(folder, document, page_policy(embedders))
    shown = PageDocument(document, files.headers)

    async def page(request: Request, services: TheServices) -> Response:
        """The page, with a preview of its address for programs that show links."""
        preview = await preview_of(services, request.scope["route"].path, request.path_params)
        address = request.url.path.removeprefix("/")
        matches = request.headers.get("if-none-match", "")
        return await to_thread(
            shown.answer, preview, services.clients.base_url(request), quote(address), matches
        )

    for path in DRAWN:
        app.add_api_route(path, page, include_in_schema=False)
    frames.install(app)
    app.mount("/", files, name="page")


class PageFiles(StaticFiles):
    """The page's files. For an unknown address, browsers get the document, which reports that there is no such page."""

    def __init__(self, folder: Path, document: Path, policy: str) -> None:
        super().__init__(directory=folder)
        self._document = document
        self._policy = policy
        self.headers = {"Cache-Control": ASK_AGAIN, "Content-Security-Policy": policy}

    def page(self, status: int = 200) -> FileResponse:
        """The document."""
        return FileResponse(self._document, status, headers=self.headers)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file at this path; without one, the document with status 404 for browsers, else HTTPException."""
        try:
            return await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code == 405 and await self._is_unknown(path):
                raise HTTPException(404) from None
            if error.status_code != 404 or not _shows_pages(scope):
                raise
            return self.page(404)

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """The file at this path, where there is one."""
        found = super().lookup_path(path)
        is_guide = found[1] is None and path.startswith(f"{GUIDES}/")
        return super().lookup_path(f"{path}.html") if is_guide else found

    async def _is_unknown(self, path: str) -> bool:
        return (await to_thread(self.lookup_path, path))[1] is None

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """The file, or a compressed copy that the client accepts."""
        request, path = Headers(scope=scope), Path(full_path)
        headers = {"Vary": "Accept-Encoding"}
        headers["Cache-Control"] = FOREVER if path.parent.name == HASHED else ASK_AGAIN
        if path.suffix == ".html":
            is_guide = path.parent.name == GUIDES
            headers["Content-Security-Policy"] = GUIDE_POLICY if is_guide else self._policy
        sent, stat = path, stat_result
        for encoding, suffix in ENCODINGS.items():
            copy = path.with_name(path.name + suffix)
            if takes_encoding(request, encoding) and copy.is_file():
                headers["Content-Encoding"] = encoding
                sent, stat = copy, copy.stat()
                break
        kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
        response = FileResponse(sent, status_code, headers, kind, stat_result=stat)
        if self.is_not_modified(response.headers, request):
            return NotModifiedResponse(response.headers)
        return response


def _shows_pages(scope: Scope) -> bool:
    """Whether a browser requests a page to show."""
    accepted = Headers(scope=scope).get("accept", "")
    return not scope["path"].startswith(PROGRAMS) and "text/html" in accepted
