"""``plyhouse arena``: matches between bots. Parses the options.

In ``programs.arena``, ``run`` plays the games, ``log`` keeps those of ``--resume``, and ``report`` prints the results.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from commands.failure import failing
from commands.networks import ModelOption, ProviderOption, announce, load_or_exit
from engines import RuleError
from engines import games as catalogue
from engines.arena import OPENING_PLIES, Contender, Match
from engines.bot_parameters import write_parameter
from engines.bots import STRATEGIES, Bot, UnknownBot, installed
from engines.cores import usable_cores
from engines.effort import usual_samples
from engines.inference import ModelError
from engines.near_names import known_names
from engines.pool import Limits
from programs.arena.attached_player import AttachedBot, ServerFailed
from programs.arena.log import BadLog
from programs.arena.program_player import ProgramBot
from programs.arena.report import print_tables, report
from programs.arena.run import play_combinations
from programs.kinds import read_program
from programs.seat_programs import ProgramFailed, UnsuitableProgram

BOT_HELP = "Bots, comma-separated. " + "; ".join(
    f"{name} ({strategy.summary}"
    + "".join(f", {key}={write_parameter(value)}" for key, value in strategy.parameters.items())
    + ")"
    for name, strategy in STRATEGIES.items()
)
PLUGIN_HELP = "".join(f"; {name} ({entry.value})" for name, entry in installed().items())
UHP_HELP = (
    '; uhp:"CMD" (a Hive engine that speaks UHP, as a child process; or tcp:host:port; its options, and time=MS or'
    " depth=N, before the command: uhp:time=2000:NumThreads=1:nokamute). Other parameters follow the name, and"
    " time=MS is a bot's own time for a move: native:time=500:puct=1.2"
)
PROGRAM_HELP = (
    '; pyrat:, pyrat-host: followed by "CMD" or, for pyrat-host, a folder (a bot of one player of PyRat, as a'
    " child process; the options of a CMD and its times in milliseconds, time=MS, preprocessing=MS and"
    " postprocessing=MS, before the command; plays by time)"
)
ATTACHED_HELP = (
    "; ID@URL (a bot of a running server, listed at URL/api/bots; plays by time, without openings)"
)


def arena(
    *,
    game: Annotated[str, typer.Option(help="Name of the game.")] = catalogue()[0].name,
    variant: Annotated[str | None, typer.Option(help="Variant; the game's first by default.")] = None,
    bots: Annotated[str, typer.Option(help=BOT_HELP + PLUGIN_HELP + ATTACHED_HELP + PROGRAM_HELP + UHP_HELP)],
    seats: Annotated[
        int | None, typer.Option(min=2, help="Seats of a game (default: the smallest number).")
    ] = None,
    games: Annotated[
        int,
        typer.Option(min=1, help="Games per combination of bots; a multiple of the seats is fair."),
    ] = 100,
    seed: Annotated[int, typer.Option(help="The same seed and samples give the same result.")] = 0,
    samples: Annotated[
        int | None, typer.Option(min=1, help="Samples per action (default: the game's own).")
    ] = None,
    time_ms: Annotated[float | None, typer.Option("--time", min=1, help="Milliseconds per move.")] = None,
    seconds: Annotated[
        float | None, typer.Option(min=0.001, help="Seconds per move: --time in another unit.")
    ] = None,
    opening_plies: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Random plies before the bots take over, the same for all rotations of the seats"
            f" (default: {OPENING_PLIES}; none where the seed determines a hidden order, or with ID@URL bots).",
        ),
    ] = None,
    record: Annotated[
        Path | None, typer.Option(help="File to write every game to, one per line; it must not exist.")
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(help="Log of the match: an interrupted match continues from it if the file exists."),
    ] = None,
    model: ModelOption = None,
    provider: ProviderOption = "auto",
    jobs: Annotated[
        int | None,
        typer.Option(min=1, help="Games at once (default: one per core; one with programs and ID@URL bots)."),
    ] = None,
    tolerate: Annotated[
        bool, typer.Option("--tolerate", help="A program that crashes loses its game, and the match goes on.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json/--table", help="Print one JSON object, or tables.")
    ] = False,
) -> None:
    """Play bots against each other and print scores, points and Elo ratings with their 95 % intervals.

    With as many bots as seats, all play together. With more, every combination of them plays (a round robin).
    Every start is played in each rotation of the seats.
    """
    seats = _check_seats(game, seats)
    players = _read_bots(bots, seats, may_crash=tolerate)
    programs = [player for player in players if isinstance(player, ProgramBot)]
    attached = [player for player in players if isinstance(player, AttachedBot)]
    if sum(limit is not None for limit in (samples, time_ms, seconds)) > 1:
        raise typer.BadParameter("give samples, time or seconds, not several", param_hint="--time")
    limits = _limits(game, samples, seconds * 1000 if seconds else time_ms, players)
    opening_plies = _opening_plies(opening_plies, attached)
    jobs = jobs or (1 if programs or attached else usable_cores())
    needs_network = any(isinstance(player, Bot) and player.uses_network for player in players)
    models = load_or_exit("arena", model or (), provider, jobs) if model or needs_network else []
    announce(models, provider)
    named = variant or _default_variant(game)
    if games % seats:
        uneven = f"{games} games are not a multiple of {seats} seats"
        _note(f"{uneven}: the last start is not played in every rotation")
    errors = (RuleError, ModelError, ProgramFailed, ServerFailed, BadLog, OSError)
    with failing("arena", *errors), _refusing_bots():
        for program in programs:
            name = program.introduce(game, named or "", limits)
            _note(f"{program.text} is {name}; its games cannot be repeated with a seed")
        for bot in attached:
            bot.check(game, named or "")
            _note(f"{bot.text} plays at a server; its games cannot be repeated with a seed")
        every = Match(
            game, players, games, limits, named, seed=seed, opening_plies=opening_plies, models=models
        )
        combinations = play_combinations(every, seats, jobs, record, resume)
    if as_json:
        typer.echo(report(combinations))
    else:
        print_tables(combinations)


_note = partial(typer.echo, err=True)


@contextmanager
def _refusing_bots() -> Iterator[None]:
    """Blames errors in ``--bots`` on the option."""
    try:
        yield
    except (UnknownBot, UnsuitableProgram) as error:
        raise typer.BadParameter(str(error), param_hint="--bots") from None


def _read_bots(text: str, seats: int, *, may_crash: bool) -> list[Contender]:
    with _refusing_bots():
        players = [_read_bot(part, may_crash=may_crash) for part in _split(text)]
    if len(players) < seats:
        raise typer.BadParameter(f"{len(players)} given, a game has {seats} seats", param_hint="--bots")
    return players


def _read_bot(text: str, *, may_crash: bool) -> Contender:
    program = read_program(text)
    if program is not None:
        return ProgramBot(text, program, _note, may_crash)
    return AttachedBot.parse(text) if "@" in text else Bot.parse(text)


def _split(text: str) -> list[str]:
    """Splits at commas outside double quotes, which are kept."""
    return re.split(r',(?=(?:[^"]*"[^"]*")*[^"]*$)', text)


def _limits(game: str, samples: int | None, time_ms: float | None, players: Sequence[Contender]) -> Limits:
    """The limits of all bots without limits of their own. Programs and attached bots do not count samples."""
    if time_ms:
        return Limits(None, time_ms)
    for bot in players:
        has_limit = isinstance(bot, ProgramBot) and bot.command.has_own_limit and not samples
        if isinstance(bot, ProgramBot | AttachedBot) and not has_limit:
            why = f"{bot.text} plays by time: give --seconds or --time, or a program's own limit before its command"
            raise typer.BadParameter(why, param_hint="--bots")
    return Limits(samples or usual_samples(game))


def _opening_plies(wanted: int | None, attached: Sequence[AttachedBot]) -> int | None:
    if not attached:
        return wanted
    if wanted:
        raise typer.BadParameter("ID@URL bots play from the start of a game", param_hint="--opening-plies")
    return 0


def _default_variant(game: str) -> str | None:
    return next((row.variants[0] for row in catalogue() if row.name == game), None)


def _check_seats(game: str, seats: int | None) -> int:
    """The number of seats, by default the smallest."""
    row = next((row for row in catalogue() if row.name == game), None)
    if row is None:
        hint = known_names(game, (row.name for row in catalogue()))
        raise typer.BadParameter(f"unknown game '{game}'{hint}", param_hint="--game")
    least, most = row.seats
    if seats is None or least <= seats <= most:
        return seats or least
    known = f"{least} to {most}" if least < most else str(least)
    raise typer.BadParameter(f"{seats} given, {game} has {known}", param_hint="--seats")
