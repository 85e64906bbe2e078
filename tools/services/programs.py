"""Finds the programs of the services that tests and benchmarks start."""

import shutil


class MissingProgram(Exception):
    """A program is not installed; the text says how to install it."""


def program(name: str, *more: str) -> str:
    """The path of a program: ``name`` in the search path, or else the first of ``more``. MissingProgram if none."""
    found = shutil.which(name) or next(iter(more), None)
    if found is None:
        raise MissingProgram(f"{name} is not installed: run tools/system.sh tests")
    return found
