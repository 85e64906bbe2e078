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


def settings_or_exit(command: str, given: Mapping[str, Any]) -> "Settings":
    """The settings from the environment, overridden by ``given``; exits if one is invalid."""
    from pydantic import ValidationError
    from pydantic_settings import SettingsError

    from server.settings import Settings

    try:
        return Settings(**given)
    except ValidationError as error:
        first = error.errors()[0]
        fail(command, f"{'.'.join(map(str, first['loc']))}: {first['msg']}")
    except SettingsError as error:
        fail(command, f'{error}: write a list as JSON, such as ["https://a.example"]')
