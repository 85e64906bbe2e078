"""The name and the licences of the installed package, and the licences of everything built into it."""

import json
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from typing import Any

PACKAGE = "plyhouse"
BUILT_IN = "sboms/plyhouse-core.cyclonedx.json"
"""The bill of materials of the native core (CycloneDX), included in wheels."""


def name_and_licences() -> tuple[str, tuple[str, ...]]:
    """The name with the version, and the lines of the licences."""
    package = distribution(PACKAGE)
    return f"Plyhouse v{package.version}", tuple(_licences(package))


def _licences(package: Distribution) -> Iterator[str]:
    yield from (package.read_text("licenses/LICENSE") or package.metadata["License-Expression"]).splitlines()
    materials = package.read_text(BUILT_IN)
    if materials is not None:
        yield from ("", "Built into the native core:", *_crates(json.loads(materials)))


def _crates(materials: dict[str, Any]) -> Iterator[str]:
    for crate in materials["components"]:
        if crate.get("scope") == "required":
            terms = " AND ".join(
                one["expression"] for one in crate.get("licenses", ()) if "expression" in one
            )
            yield f"{crate['name']} {crate['version']}: {terms or 'see its source'}"
