"""``plyhouse uhp``: Plyhouse as an engine of the Universal Hive Protocol, on stdin and stdout.

Viewers wait for the banner, so this module imports only what an engine needs.
"""

import asyncio
import signal
from typing import TYPE_CHECKING, Annotated

import typer

from commands.failure import refuse_options

if TYPE_CHECKING:
    from protocols.uhp.engine import UhpEngineSession

ENGINE_OPTION = "--engine-option"


def uhp(
    threads: Annotated[
        int | None,
        typer.Option(min=1, help="Search threads (default: one per core). Also an option over UHP."),
    ] = None,
    hash_mb: Annotated[
        int | None,
        typer.Option(
            "--hash-mb", min=1, help="MiB for the search's tables (default: 64). Also an option over UHP."
        ),
    ] = None,
    server: Annotated[
        str | None,
        typer.Option(help="Play at this server instead: http(s)://…, ws(s)://… or tcp://HOST:PORT."),
    ] = None,
    raw: Annotated[
        bool,
        typer.Option(
            "--raw",
            help="With --server: connect stdin and stdout, or a command, to a role at the server, without the bridge.",
        ),
    ] = False,
    role: Annotated[
        str | None,
        typer.Option(help="With --raw: engine, seat, viewer (the default), main or watch."),
    ] = None,
    simple: Annotated[
        bool,
        typer.Option(
            "--simple", help="With --raw: the command reads GameStrings and writes moves, one per line."
        ),
    ] = False,
    game_type: Annotated[str | None, typer.Option("--type", help="With --raw: the game's type.")] = None,
    color: Annotated[str | None, typer.Option(help="With --raw: white, black or any.")] = None,
    tc: Annotated[
        str | None, typer.Option(help="With --raw: the clock: 300+5, 0+10 for each move, or - for none.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="With --server: the player's name.")] = None,
    vs: Annotated[str | None, typer.Option(help="With --server: the opponent's name, or bot:NAME.")] = None,
    game: Annotated[str | None, typer.Option(help="With --server: the id of a game.")] = None,
    token: Annotated[str | None, typer.Option(help="With --server: the token of a seat.")] = None,
    resume: Annotated[
        str | None, typer.Option(help="With --server: continue a game, ID:SECRET as the server printed it.")
    ] = None,
    new: Annotated[
        bool,
        typer.Option(
            "--new",
            help="With --server, without --raw: do not continue the game of an earlier bridge that was ended.",
        ),
    ] = False,
    engine_option: Annotated[
        list[str] | None,
        typer.Option(
            ENGINE_OPTION,
            metavar="NAME=VALUE",
            help="With --role engine: an option of the command's engine, set before it plays. Repeatable.",
        ),
    ] = None,
    allow_engine: Annotated[
        bool,
        typer.Option("--allow-engine", help="With --server, without --raw: let an engine play your colour."),
    ] = False,
    command: Annotated[
        list[str] | None, typer.Argument(help="With --raw: a program to start and connect, after --.")
    ] = None,
) -> None:
    """Play Hive as a UHP 1.0 engine on stdin and stdout, or at a server."""
    words = {"role": role, "type": game_type, "color": color, "tc": tc, "name": name, "vs": vs}
    words |= {"game": game, "token": token, "resume": resume}
    settings = _read_options(engine_option or [])
    others = {
        "raw": raw,
        "simple": simple,
        "engine-option": settings,
        "allow-engine": allow_engine,
        "new": new,
    }
    given = {option: value for option, value in {**others, **words}.items() if value not in (None, False, {})}
    if server is None:
        options = {f"--{option}": value for option, value in given.items()}
        refuse_options(options or {"a command": command or None}, "only with --server")
        raise typer.Exit(_run_engine(threads, hash_mb))
    refuse_options({"--threads": threads, "--hash-mb": hash_mb}, "not with --server")
    from commands.uhp_remote import remote

    remote(server, given, command or ())


def _read_options(given: list[str]) -> dict[str, str]:
    """The engine's options by name."""
    options: dict[str, str] = {}
    for text in given:
        name, _, value = text.partition("=")
        if not name or not value or len(text.split()) > 1:
            raise typer.BadParameter(f"{text!r} is not NAME=VALUE without spaces", param_hint=ENGINE_OPTION)
        if name in options:
            raise typer.BadParameter(f"{name} is given twice", param_hint=ENGINE_OPTION)
        options[name] = value
    return options


def _run_engine(threads: int | None, hash_mb: int | None) -> int:
    """Runs the engine and returns its exit status."""
    from engines.licences import name_and_licences
    from engines.processor_cores import usable_cores
    from protocols.uhp.engine import Product, UhpEngineSession
    from protocols.uhp.engine_options import HASH_MB, THREADS, engine_options

    options = engine_options(usable_cores())
    for name, value in ((THREADS, threads), (HASH_MB, hash_mb)):
        options = options if value is None else options.set(name, str(value))
    return asyncio.run(_answer(UhpEngineSession(Product(*name_and_licences()), options)))


async def _answer(session: "UhpEngineSession") -> int:
    from programs.uhp.stdio import UhpStdio

    stdio = UhpStdio(session)
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, stdio.interrupt)
    return await stdio.run()
