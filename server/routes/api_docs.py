"""``/docs``: Swagger UI for ``/openapi.json``.

Swagger UI comes from a CDN and could read the tokens that this server's page stores. Its version is therefore pinned,
browsers check it against the hashes here, and the page's policy allows no other script.
"""

import base64
import hashlib

from fastapi import FastAPI
from fastapi.responses import HTMLResponse

CDN = "https://cdn.jsdelivr.net/npm/swagger-ui-dist@5.35.0"

SCRIPT_HASH = "sha384-gjRm0bEPMeTmMh5jT2cHccIwCUZSTd8YC+j0d0sXw0MdGEfScduGpSyF3ZSSLkX9"
STYLE_HASH = "sha384-WlYgdmXYOOBWL5apwjDEZwN+U3HmXSSu5R6V5aGxEcf7z+KuRNwBhoxKVN1i3D5I"

START = """
      SwaggerUIBundle({
        url: "/openapi.json",
        dom_id: "#swagger-ui",
        deepLinking: true,
        validatorUrl: null,
      });
    """

PAGE = f"""<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Plyhouse API</title>
    <link rel="stylesheet" href="{CDN}/swagger-ui.css" integrity="{STYLE_HASH}" crossorigin="anonymous" />
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="{CDN}/swagger-ui-bundle.js" integrity="{SCRIPT_HASH}" crossorigin="anonymous"></script>
    <script>{START}</script>
  </body>
</html>
"""


def _source(script: str) -> str:
    """An inline script as a source expression of a Content-Security-Policy."""
    digest = hashlib.sha256(script.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


POLICY = "; ".join(
    [
        "default-src 'none'",
        f"script-src {CDN}/swagger-ui-bundle.js {_source(START)}",
        f"style-src {CDN}/swagger-ui.css 'unsafe-inline'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)


def install(app: FastAPI) -> None:
    """Adds the route of the page."""

    async def page() -> HTMLResponse:
        """The page."""
        return HTMLResponse(PAGE, headers={"Content-Security-Policy": POLICY})

    app.add_api_route("/docs", page, include_in_schema=False)
