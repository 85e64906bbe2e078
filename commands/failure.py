"""How commands end when they fail."""

import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from engines.near_names import near_name

if TYPE_CHECKING:
    from server.settings import Settings

PREFIX = "PLYHOUSE_"
"""Of our environment variables."""

_OF_OTHERS = ("PLYHOUSE_SITE", "PLYHOUSE_SERVERS", "PLYHOUSE_URL")
"""Variables of the Caddyfile and of the page's build."""


def fail(command: str, text: object) -> NoReturn:
    """Prints the error in ``text`` to stderr, and exits with status 1."""
    if isinstance(text, OSError) and text.filename is not None:
        name = text.filename  # A number if the file was named by its descriptor.
        text = f"{name if isinstance(name, int) else os.fsdecode(name)}: {text.strerror}"
    typer.echo(f"plyhouse {command}: {text}", err=True)
    raise typer.Exit(1) from None


def misused(command: str, text: object) -> NoReturn:
    """Prints what is wrong with an option or a variable to stderr, and exits with status 2."""
    typer.echo(f"plyhouse {command}: {text}", err=True)
    raise typer.Exit(2) from None


def refuse_options(options: Mapping[str, object], why: str) -> None:
    """Raises an error if any of these options was given, so that none is silently ignored."""
    given = [name for name, value in options.items() if value is not None]
    if given:
        raise typer.BadParameter(f"{why}: {', '.join(given)}")


class failing:  # noqa: N801 - reads as a verb, as contextlib.suppress does
    """A context in which these errors end the command with ``fail``."""

    def __init__(self, command: str, *errors: type[Exception]) -> None:
        self._command = command
        self._errors = errors

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, self._errors):
            fail(self._command, error)


def settings_or_exit(command: str, given: Mapping[str, Any]) -> "Settings":
    """The settings from the environment, overridden by what was ``given``; exits with status 2 if one is invalid.

    An unknown variable that looks like one of ours is reported on stderr, with the one that was probably meant.

    ``given``: the command's parameters by name. Those that are None or empty, or no settings, have no effect.
    """
    from pydantic import ValidationError
    from pydantic_settings import SettingsError

    from server.settings import Settings

    variables = {_variable(name) for name in Settings.model_fields}
    ours = {variable.removeprefix(PREFIX): variable for variable in variables}
    for name in sorted(os.environ):
        if name.upper().startswith(PREFIX) and name.upper() not in (*variables, *_OF_OTHERS):
            near = near_name(name.upper().removeprefix(PREFIX), sorted(ours))
            hint = "" if near is None else f": did you mean '{ours[near]}'?"
            typer.echo(f"plyhouse {command}: there is no setting {name}{hint}", err=True)
    chosen = {name: value for name, value in given.items() if value not in (None, [])}
    try:
        return Settings(**chosen)
    except ValidationError as error:
        first = error.errors()[0]
        misused(command, f"{_source(first['loc'], chosen)}{first['msg'].removeprefix('Value error, ')}")
    except SettingsError as error:
        field = re.search('field "(.+?)"', str(error))
        named = _source((field[1],), chosen) if field else ""
        misused(command, f'{named}write a list as JSON, such as ["one", "two"]')


def _source(where: tuple[int | str, ...], chosen: Mapping[str, Any]) -> str:
    """The beginning of a message: the option or variable of a setting; empty if it is about several."""
    if not where:
        return ""
    name = str(where[0])
    return f"--{name.replace('_', '-')}: " if name in chosen else f"{_variable(name)}: "


def _variable(name: str) -> str:
    """The environment variable of a setting."""
    return name.upper() if name.lower() == "official_bot_token" else f"{PREFIX}{name.upper()}"
