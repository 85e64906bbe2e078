"""The built page: one document for every address that it draws itself, and its files."""

from pathlib import Path

from fastapi import FastAPI
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.responses import FileResponse
from fastapi.staticfiles import StaticFiles

DRAWN = ("/", "/game/{game_id}", "/analysis", "/analysis/{game_id}")
"""Addresses that the page draws itself."""

HEADERS = {"Cache-Control": "no-cache", "Referrer-Policy": "no-referrer"}
"""A page's address may hold a seat's token: nobody else is told it."""


def install(app: FastAPI, folder: Path) -> None:
    """Serves the built page, where it was built. Its files have the hash of their content in their names."""
    document = folder / "index.html"
    if not document.is_file():
        return

    async def page() -> FileResponse:
        """The page."""
        return FileResponse(document, headers=HEADERS)

    for path in DRAWN:
        app.add_api_route(path, page, include_in_schema=False)
    app.mount("/", GZipMiddleware(StaticFiles(directory=folder), compresslevel=6), name="page")
