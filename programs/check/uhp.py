"""The script for Hive engines that speak UHP 1.0: answers, rules and times, compared with ours."""

import asyncio
import random
from collections.abc import Iterator, Sequence
from functools import partial

from engines import Position, RuleError
from programs.check.conversation import Launch, NoAnswer, ProcessChannel, ProgramEnded
from programs.check.findings import Finding, NotClaimed, Rule, SlowAnswer, WrongAnswer
from programs.check.positions import illegal_move, nearly_won, play_randomly, random_moves
from programs.check.steps import Effort, Step, run_steps
from programs.check.uhp_engine import UhpUnderCheck, compare, short
from protocols.uhp.game_string import GAME, TYPES, moves_of, parse, replay
from protocols.uhp.lines import OK, Line, is_error
from protocols.uhp.viewer import BARE

COMMANDS = "docs/uhp.md#commands"
SERVER = "docs/uhp.md#at-a-server"
OPTIONS = "docs/uhp.md#options"
ARENA = "docs/uhp.md#in-the-arena"
ENGINES = "docs/uhp.md#engines-the-server-is-their-viewer"

REPLY_SECONDS = 10.0
USUAL_SECONDS = 2.0
"""Answers without a search that take longer are slow."""

GRACE_SECONDS = 2.0
"""What the arena allows beyond the time of a move; an engine that needs more than a quarter of it is slow."""

EXIT_SECONDS = 3.0
SEED = 1

NO_MOVE_LEFT = (
    r"Base;InProgress;White[7];wA1;bS1 wA1-;wQ -wA1;bQ bS1/;wQ \wA1;bA1 bS1\;wQ -wA1;bA2 bQ\;wQ \wA1;bA1 \wQ;"
    r"wG1 /wQ;bA2 /wG1"
)
"""White has no move."""

LATEST_PLY = 50

MOST_NAMED = 5
"""Moves that a difference names."""


async def check_uhp(
    launch: Launch[str, Line], effort: Effort, reply_seconds: float = REPLY_SECONDS
) -> Sequence[Finding]:
    """Runs the script. Raises CannotStart."""
    return await run_steps(UhpUnderCheck(launch, effort, reply_seconds), [BANNER], _steps, effort)


def _steps(engine: UhpUnderCheck) -> Iterator[Step[UhpUnderCheck]]:
    yield from FIRST
    for kind in TYPES:
        yield Step(f"plays {kind}", TYPE, partial(plays_type, kind=kind))
    yield from LATER


# ---- positions -----------------------------------------------------------------------------------


def new_game(kind: str = "Base") -> Position:
    """A game that only the board ends, as engines see it."""
    return Position(GAME, kind, BARE)


def played(start: Position, plies: int, seed: int = SEED) -> Position:
    """The position after some random moves."""
    position = start.copy()
    position.play(*random_moves(start, plies, random.Random(seed)))
    return position


def random_positions(kind: str, count: int) -> Iterator[Position]:
    """Positions of random games that are not over, between one and some fifty plies from the start."""
    rng = random.Random(SEED)
    position = new_game(kind)
    for _ in range(count):
        if position.ply > LATEST_PLY:
            position = new_game(kind)
        for _ in range(rng.randrange(1, 6)):
            play_randomly(position, rng)
            if not position.to_act:
                position.undo()
        yield position.copy()


# ---- the steps -----------------------------------------------------------------------------------


async def prints_a_banner(engine: UhpUnderCheck) -> str:
    """The banner is that of ``info``, and comes first."""
    if not engine.banner or not engine.banner[0].startswith("id "):
        raise WrongAnswer("The banner does not begin with “id”.")
    return f"{engine.identity.name}: {', '.join(engine.types)}"


async def repeats_its_info(engine: UhpUnderCheck) -> None:
    """``info`` is answered like the banner."""
    answer = await engine.ask("info")
    if answer != engine.banner:
        raise WrongAnswer("Its answer to info differs from its banner.")


async def refuses_without_a_game(engine: UhpUnderCheck) -> None:
    """Commands about a game need one; a new process has none."""
    await engine.stop()
    await engine.start()
    for command in ("play wS1", "validmoves", "undo", "bestmove depth 1"):
        await engine.refuses(command)


async def refuses_unknown_commands(engine: UhpUnderCheck) -> None:
    """An unknown command is answered with an error."""
    await engine.refuses("hello")
    await engine.refuses("newgame Base+XYZ")
    await engine.refuses("newgame Base;InProgress;White[2];wS1;bS1 wS9-")


async def plays_by_the_rules(engine: UhpUnderCheck) -> str:
    """Plays a random game; each answer shows it."""
    rng, plies = random.Random(SEED), 0
    for game in range(engine.effort.games):
        position = new_game(engine.types[-1 - game % len(engine.types)])
        await engine.show(f"newgame {position.variant}", position)
        while position.to_act and position.ply < 2 * engine.effort.plies:
            move = play_randomly(position, rng)
            await engine.show("pass" if move == "pass" else f"play {move}", position)
        plies += position.ply
    return f"{plies} plies"


async def knows_all_moves(engine: UhpUnderCheck) -> str:
    """Compares validmoves with our rules in random positions of all types."""
    count = 0
    for kind in engine.types:
        for position in random_positions(kind, max(1, engine.effort.positions // len(engine.types))):
            await engine.set_up(position)
            await _has_all_moves(engine, position)
            count += 1
    return f"{count} positions"


async def _has_all_moves(engine: UhpUnderCheck, position: Position) -> None:
    answer = await engine.ask("validmoves")
    if not answer or is_error(answer[0]):
        raise WrongAnswer("It answers validmoves without moves.")
    theirs: list[str] = []
    wrong: list[str] = []
    for move in answer[0].split(";"):
        try:
            theirs.append(position.check(move.strip()))
        except RuleError:
            wrong.append(move)
    missing = sorted(set(position.legal_moves()) - set(theirs))
    doubled = sorted({move for move in theirs if theirs.count(move) > 1})
    for moves, what in ((wrong, "Illegal"), (missing, "Missing"), (doubled, "Listed twice")):
        if moves:
            named = "; ".join(moves[:MOST_NAMED])
            raise WrongAnswer(
                f"{what} at ply {len(moves_of(position))}: {named} ({len(moves)}).", VALID_MOVES
            )


async def refuses_illegal_moves(engine: UhpUnderCheck) -> None:
    """An illegal move is refused, and the game goes on as it was."""
    position = played(new_game(), 4)
    await engine.set_up(position)
    others = [move for seed in range(20) for move in random_moves(new_game(), 12, random.Random(seed))]
    move = illegal_move(position, others)
    for text in (move, "hello", "wQ wQ wQ", "pass"):
        await engine.refuses("pass" if text == "pass" else f"play {text}")
    move = play_randomly(position, random.Random(SEED))
    await engine.show(f"play {move}", position)


async def passes_when_it_must(engine: UhpUnderCheck) -> None:
    """The only move is a pass."""
    position = replay(parse(NO_MOVE_LEFT), BARE)
    await engine.set_up(position)
    await _has_all_moves(engine, position)
    await engine.legal_best_move(position, "depth 1", engine.reply_seconds)
    position.play("pass")
    await engine.show("pass", position)


async def takes_plies_back(engine: UhpUnderCheck) -> None:
    """``undo``, with and without a number."""
    position = played(new_game(), 6)
    await engine.set_up(position)
    position.undo()
    await engine.show("undo", position)
    for _ in range(3):
        position.undo()
    await engine.show("undo 3", position)
    await engine.refuses("undo 9")
    move = play_randomly(position, random.Random(SEED + 1))
    await engine.show(f"play {move}", position)


async def ends_games(engine: UhpUnderCheck) -> str:
    """Both colours win; the states say so, and the game can be taken back."""
    for winner in (0, 1):
        before = nearly_won(new_game(), winner, random.Random(SEED))
        if before is None:
            raise NotClaimed("No such game was found.")
        await engine.set_up(before)
        move = next(move for move in before.legal_moves() if before.after(move).outcome is not None)
        after = before.after(move)
        await engine.show(f"play {after.last_move}", after)
        await engine.refuses(f"play {before.legal_moves()[0]}")
        await engine.show("undo", before)
    return "White and Black"


async def finds_legal_moves(engine: UhpUnderCheck) -> str:
    """``bestmove depth`` in random positions; the move is not played."""
    count = 0
    for position in random_positions(engine.types[0], max(3, engine.effort.positions // 4)):
        await engine.set_up(position)
        await engine.legal_best_move(position, "depth 1", engine.reply_seconds)
        position.undo()
        await engine.show("undo", position)
        count += 1
    return f"{count} positions"


async def keeps_its_time(engine: UhpUnderCheck) -> str:
    """``bestmove time`` for one second."""
    position = played(new_game(engine.types[0]), 8)
    await engine.set_up(position)
    _, took = await engine.legal_best_move(position, "time 00:00:01", 1 + GRACE_SECONDS)
    if took > 1 + GRACE_SECONDS / 4:
        raise SlowAnswer(f"It took {took:.2f} s of 1 s.")
    return f"{took:.2f} s of 1 s"


async def minds_interrupts(engine: UhpUnderCheck) -> str:
    """An interrupt ends a search; the engine answers with its best move so far, and goes on.

    UHP has no interrupts, so that an engine need not know them.
    """
    channel = engine.conversation.channel
    if not isinstance(channel, ProcessChannel):
        raise NotClaimed("Only processes can be interrupted.")
    position = played(new_game(engine.types[0]), 8)
    await engine.set_up(position)
    asyncio.get_running_loop().call_later(INTERRUPT_SECONDS, channel.interrupt)
    try:
        _, took = await engine.legal_best_move(position, "time 00:00:30", engine.reply_seconds)
    except (ProgramEnded, NoAnswer) as error:
        await engine.stop()
        how = "An interrupt ends it" if isinstance(error, ProgramEnded) else "It ignores interrupts"
        raise NotClaimed(f"{how}: UHP has none, and only a search that takes too long gets one.") from None
    await engine.ask("info")
    return f"after {took:.2f} s"


INTERRUPT_SECONDS = 0.3


async def describes_its_options(engine: UhpUnderCheck) -> str:
    """Each option can be read, and set to the value that it has."""
    lines = await engine.ask("options")
    if not lines:
        raise NotClaimed("It has no options.")
    for line in lines:
        fields = line.split(";")
        if len(fields) < 4 or fields[1] not in ("bool", "int", "double", "enum"):
            raise WrongAnswer(f"“{short(line)}” is not Name;type;value;default.")
        name, _, value = fields[:3]
        if await engine.ask(f"options get {name}") != [line]:
            raise WrongAnswer(f"options get {name} shows something else than “{short(line)}”.")
        answer = await engine.ask(f"options set {name} {value}")
        if answer != [line]:
            raise WrongAnswer(f"options set {name} {value} shows something else than “{short(line)}”.")
    await engine.refuses("options get NoSuchOption")
    await engine.refuses("options set NoSuchOption 1")
    return f"{len(lines)}"


async def plays_type(engine: UhpUnderCheck, kind: str) -> str | None:
    """A new game of a type, and a few moves; or a refusal."""
    if kind not in engine.types:
        await engine.refuses(f"newgame {kind}")
        raise NotClaimed(f"It lacks {', '.join(engine.identity.lacks(kind))}.")
    position = new_game(kind)
    await engine.show(f"newgame {kind}", position)
    await _has_all_moves(engine, position)
    position = played(position, 12, SEED + 2)
    await engine.set_up(position)
    await engine.legal_best_move(position, "depth 1", engine.reply_seconds)
    return None


async def follows_a_long_game(engine: UhpUnderCheck) -> str:
    """A long game as one GameString."""
    position = played(new_game(engine.types[0]), 2 * engine.effort.long)
    await engine.set_up(position)
    await _has_all_moves(engine, position)
    return f"{position.ply} plies"


async def plays_game_after_game(engine: UhpUnderCheck) -> str:
    """One game after another in the same process; a refused one leaves the last one as it is."""
    for number in range(engine.effort.rounds):
        position = played(new_game(), 4, number)
        await engine.set_up(position)
    await engine.refuses("newgame Base;InProgress;White[2];wS1;bQ wS9-")
    position.undo()
    await engine.show("undo", position)
    return f"{engine.effort.rounds} games"


async def answers_at_once(engine: UhpUnderCheck) -> str:
    """The slowest answer without a search."""
    seconds, command = engine.slowest
    text = f"the slowest took {seconds:.2f} s, to {short(command)}"
    if seconds > USUAL_SECONDS:
        raise SlowAnswer(text)
    return text


async def exits(engine: UhpUnderCheck) -> None:
    """``exit`` ends the process, after the answers to the commands before it.

    Engines may answer it with ``ok``: UHP says that every command is answered so, but MzingaEngine does not.
    """
    await engine.conversation.say("newgame Base")
    await engine.conversation.say("exit")
    compare(await engine.read_answer(engine.reply_seconds), "newgame Base", new_game())
    try:
        heard = await engine.conversation.hear(EXIT_SECONDS)
        if heard == OK:
            heard = await engine.conversation.hear(EXIT_SECONDS)
    except NoAnswer:
        raise SlowAnswer(f"It still runs {EXIT_SECONDS:g} s after exit.") from None
    except ProgramEnded:
        await engine.stop()
        return
    raise WrongAnswer(f"It answers exit with “{short(str(heard))}”.")


# ---- the script ----------------------------------------------------------------------------------

TYPE = Rule("An engine plays the types that its capabilities allow, and refuses the others.", COMMANDS)

VALID_MOVES = Rule("validmoves has every legal move once, joined by semicolons.", COMMANDS)

BANNER: Step[UhpUnderCheck] = Step(
    "prints a banner",
    Rule(
        "When it starts, an engine prints what it answers to info: its id, its capabilities, and ok.",
        COMMANDS,
    ),
    prints_a_banner,
)

FIRST: tuple[Step[UhpUnderCheck], ...] = (
    Step(
        "repeats its info",
        Rule("info is answered with the name and the capabilities.", COMMANDS),
        repeats_its_info,
    ),
    Step(
        "plays by the rules",
        Rule("play is answered with the GameString after the move: type, state, turn and moves.", COMMANDS),
        plays_by_the_rules,
    ),
    Step(
        "lists all legal moves",
        VALID_MOVES,
        knows_all_moves,
    ),
    Step(
        "finds legal moves",
        Rule("bestmove is answered with one legal move, which is not played.", ARENA),
        finds_legal_moves,
    ),
    Step(
        "keeps its time",
        Rule("A move later than its time plus 2 seconds loses the game.", ARENA),
        keeps_its_time,
    ),
    Step(
        "takes plies back",
        Rule("undo takes one ply back, undo N takes N; more than there are is an err.", COMMANDS),
        takes_plies_back,
    ),
    Step(
        "refuses illegal moves",
        Rule("A refused command changes nothing; an illegal move is answered with invalidmove.", COMMANDS),
        refuses_illegal_moves,
    ),
    Step(
        "passes when it must",
        Rule("pass is the only valid move if nothing else is legal.", COMMANDS),
        passes_when_it_must,
    ),
    Step(
        "ends games",
        Rule("The state is WhiteWins or BlackWins once a Queen is surrounded; undo still works.", COMMANDS),
        ends_games,
    ),
)

LATER: tuple[Step[UhpUnderCheck], ...] = (
    Step(
        "follows a long game",
        Rule("newgame with a GameString replays all of its moves.", COMMANDS),
        follows_a_long_game,
    ),
    Step(
        "plays game after game",
        Rule("newgame replaces the game, unless it is refused.", COMMANDS),
        plays_game_after_game,
    ),
    Step(
        "describes its options",
        Rule("An option is Name;type;value;default, and what follows these.", OPTIONS),
        describes_its_options,
    ),
    Step(
        "refuses unknown commands",
        Rule("Everything that cannot be done is answered with err, and ok.", COMMANDS),
        refuses_unknown_commands,
    ),
    Step(
        "minds interrupts",
        Rule(
            "A search that takes too long is interrupted, and the engine killed if it does not answer then.",
            SERVER,
        ),
        minds_interrupts,
    ),
    Step(
        "refuses moves without a game",
        Rule("A move before a game has begun is answered with err.", COMMANDS),
        refuses_without_a_game,
    ),
    Step(
        "answers at once",
        Rule("Every answer but a move has to come within ten seconds.", ENGINES),
        answers_at_once,
    ),
    Step("exits", Rule("exit ends the engine, with or without an ok before.", COMMANDS), exits),
)
