"""How commands end when they fail."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NoReturn

import typer

if TYPE_CHECKING:
    from server.settings import Settings


def fail(command: str, text: object) -> NoReturn:
    """Prints the error in ``text`` to stderr, and exits with status 1."""
    typer.echo(f"plyhouse {command}: {text}", err=True)
    raise typer.Exit(1) from None


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
    """The settings from the environment, overridden by what was ``given``; exits if one is invalid.

    ``given``: the command's parameters by name. Those that are None or empty, or no settings, have no effect.
    """
    from pydantic import ValidationError
    from pydantic_settings import SettingsError

    from server.settings import Settings

    try:
        return Settings(**{name: value for name, value in given.items() if value not in (None, [])})
    except ValidationError as error:
        first = error.errors()[0]
        fail(command, f"{'.'.join(map(str, first['loc']))}: {first['msg']}")
    except SettingsError as error:
        fail(command, f'{error}: write a list as JSON, such as ["https://a.example"]')
