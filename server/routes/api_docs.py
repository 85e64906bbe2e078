"""``/docs``: the operations and models of ``/openapi.json`` as a page to read, without scripts or files of others."""

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, Final

from fastapi import FastAPI
from fastapi.responses import HTMLResponse

STYLE: Final = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
:root { color-scheme: light dark; }
h3 { margin-bottom: 0.2rem; }
h3, pre, td:first-child { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
td { padding-right: 1rem; vertical-align: top; }
pre { overflow-x: auto; font-size: 0.85rem; }
"""

_HASH: Final = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()

POLICY: Final = "; ".join(
    [
        "default-src 'none'",
        f"style-src 'sha256-{_HASH}'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)

REFERENCE: Final = "#/components/schemas/"

Json = Mapping[str, Any]


def install(app: FastAPI) -> None:
    """Adds the route of the page."""

    async def page() -> HTMLResponse:
        """The page."""
        return HTMLResponse("\n".join(_page(app.openapi())), headers={"Content-Security-Policy": POLICY})

    app.add_api_route("/docs", page, include_in_schema=False)


def _page(document: Json) -> Iterator[str]:
    title = f"{document['info']['title']} API {document['info']['version']}"
    yield '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escape(title)}</title><style>{STYLE}</style></head><body><h1>{escape(title)}</h1>"
    yield '<p>For programs: <a href="/openapi.json">openapi.json</a>. With examples: <a href="/docs/api">the guide</a>.'
    yield "</p><h2>Operations</h2>"
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            yield from _operation(method.upper(), path, operation)
    yield "<h2>Models</h2>"
    for name, schema in document["components"]["schemas"].items():
        yield f'<h3 id="{escape(name)}">{escape(name)}</h3>{_paragraphs(schema.get("description"))}'
        yield f"<pre>{_linked(schema)}</pre>"
    yield "</body></html>"


def _operation(method: str, path: str, operation: Json) -> Iterator[str]:
    yield f"<h3>{method} {escape(path)}</h3>{_paragraphs(operation.get('description'))}<table>"
    for one in operation.get("parameters", ()):
        needed = "" if one.get("required") else ", optional"
        about = one.get("description", "")
        yield _row(one["name"], f"{one['in']}{needed}", f"{_linked(one['schema'])} {escape(about)}")
    for content in operation.get("requestBody", {}).get("content", {}).values():
        yield _row("body", "", _linked(content["schema"]))
    for status, answer in operation["responses"].items():
        for kind, content in answer.get("content", {"": {}}).items():
            yield _row(str(status), kind, _linked(content.get("schema", {})))
    yield "</table>"


def _row(name: str, kind: str, shown: str) -> str:
    return f"<tr><td>{escape(name)}</td><td>{escape(kind)}</td><td>{shown}</td></tr>"


def _paragraphs(text: str | None) -> str:
    return "".join(f"<p>{escape(part)}</p>" for part in (text or "").split("\n\n") if part)


def _linked(schema: Json) -> str:
    """A schema as JSON text in HTML, or only the name of the model that it refers to; names are links."""
    reference = str(schema.get("$ref", ""))
    if reference.startswith(REFERENCE):
        name = escape(reference.removeprefix(REFERENCE))
        return f'<a href="#{name}">{name}</a>'
    shown = {name: value for name, value in schema.items() if name not in ("title", "description")}
    return escape(json.dumps(shown, indent=1, ensure_ascii=False)) if shown else ""
