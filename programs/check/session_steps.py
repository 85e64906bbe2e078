"""The script of the V3 protocol: what a server may send to a bot, whether it is asked over lines or a socket."""

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from engines import BadConfig, Position
from programs.check.conversation import NoAnswer
from programs.check.findings import NotClaimed, Rule, SlowAnswer, WrongAnswer
from programs.check.positions import boards_of, illegal_move, longest_of, nearly_won, random_moves
from programs.check.sessions import USUAL_SECONDS, AskedSession, Refused, SessionProgram
from programs.check.steps import Step
from protocols.bgs import messages as bgs
from protocols.bgs.codec import encode
from protocols.values import FORFEIT, ClockReading, VariantOffer

SEED = 1

REQUESTS = "docs/bots.md#requests-and-answers"
ORDER = "docs/bots.md#the-order-of-a-game"
FAILURES = "docs/bots.md#when-the-server-resigns-for-you"

CLOCK = ClockReading(2000)
"""What the bot has left in the step about clocks."""

SURE = 0.5
"""An engine that says more for both players sees the win, and whose it is, but tells it from another view."""

LONG_SECONDS = 0.4
"""A program that takes longer for the trial game is asked about fewer positions."""

STRANGE_ID = 'house/ü "x"~s0 \\'

Script = Iterator[Step[SessionProgram]]


def session_steps(program: SessionProgram) -> Script:
    """All steps, the most telling ones first. A program that thinks long is asked less."""
    if program.slowest[0] > LONG_SECONDS:
        effort = program.effort
        program.effort = replace(effort, plies=effort.plies // 3, sizes=max(1, effort.sizes // 3))
    yield from ONE_SESSION
    for bot in program.bots:
        for variant, offer in bot.variants.items():
            said = f"{bot.bot_id}: plays {variant}" if len(program.bots) > 1 else f"plays {variant}"
            yield Step(said, CLAIMED, partial(plays_variant, bot=bot, variant=variant, offer=offer))
    yield from SEVERAL_SESSIONS
    yield from AFTER_ALL


# ---- one session ---------------------------------------------------------------------------------


async def answers_a_trial_game(program: SessionProgram) -> str:
    """The first requests of every game."""
    session = program.session(usual_start(program.bot))
    await session.start()
    response = await session.evaluate()
    await session.end()
    return f"{response.best_move}, evaluation {response.evaluation:g}"


async def plays_a_game(program: SessionProgram) -> str:
    """Asks about each position, as the server does, until a move would end the game."""
    rng, count = random.Random(SEED), 0
    for _ in range(program.effort.games):
        session = program.session(usual_start(program.bot))
        await session.start()
        moves = random_moves(session.position, program.effort.plies, rng)
        await session.evaluate()
        for move in moves:
            await session.apply(move)
            await session.evaluate()
        await session.end()
        count += len(moves)
    return f"{count} moves"


async def changes_nothing(program: SessionProgram) -> None:
    """An evaluation must not play its move."""
    session = await _begun(program, 2)
    await session.evaluate()
    await session.evaluate()
    await session.apply(random_moves(session.position, 1, random.Random(SEED))[0])
    await session.evaluate()
    await session.end()


async def takes_moves_back(program: SessionProgram) -> None:
    """A takeback: the session ends, and starts again under the same id."""
    session = await _begun(program, 4)
    await session.evaluate()
    await session.end()
    for kept in (1, 0):
        moves = session.position.history[:kept]
        await session.start()
        for move in moves:
            await session.apply(move)
        await session.evaluate()
        await session.end()


async def follows_a_long_game(program: SessionProgram) -> str:
    """Many moves without a question, as after a restart of the server."""
    session = program.session(usual_start(program.bot))
    moves = longest_of(session.position, program.effort.long, random.Random(SEED))
    await session.start()
    for move in moves:
        await session.apply(move)
    await session.evaluate()
    await session.end()
    return f"{len(moves)} moves"


async def sees_who_wins(program: SessionProgram) -> str:
    """Values are those of player 1, whoever is to move."""
    values = []
    for winner in (0, 1):
        start = usual_start(program.bot)
        won = nearly_won(start, winner, random.Random(SEED))
        if won is None:
            raise NotClaimed("There is no such position on its boards.")
        session = program.session(start)
        await session.start()
        for move in won.history:
            await session.apply(move)
        values.append((await session.evaluate()).evaluation)
        await session.end()
    first, second = values
    text = f"{first:g} where player 1 is about to win, {second:g} where player 2 is"
    if first < second:
        raise WrongAnswer(f"{text}.")
    if min(values) > SURE or max(values) < -SURE:
        raise WrongAnswer(
            f"{text}: that is not the view of player 1, but of the player to move or of the other."
        )
    if first == second:
        raise NotClaimed(f"It says {first:g} whoever is about to win.")
    return text


async def keeps_its_clock(program: SessionProgram) -> str:
    """Answers a request with a clock before the time is up."""
    if not program.bot.is_timed:
        raise NotClaimed("The bot does not offer to play with a clock.")
    session = await _begun(program, 2)
    request = session.evaluation_request(CLOCK)
    limit, program.answer_seconds = program.answer_seconds, CLOCK.remaining_ms / 1000
    try:
        await program.send(request)
        await session.evaluated(request)
    except NoAnswer:
        raise WrongAnswer(f"No answer while the clock had {CLOCK.remaining_ms} ms.") from None
    finally:
        program.answer_seconds = limit
    await session.end()
    return f"it had {CLOCK.remaining_ms} ms"


async def refuses_an_illegal_move(program: SessionProgram) -> None:
    """The rules forbid the move."""
    rng = random.Random(SEED)
    start = usual_start(program.bot)
    others = [move for _ in range(20) for move in random_moves(start, 20, rng)]
    session = await _begun(program, 2)
    move = illegal_move(session.position, others)
    if move is None:
        raise NotClaimed("The game has no illegal moves that can be written.")
    await session.refuses(bgs.ApplyMove(session.bgs_id, 2, move), f"the illegal move {move}")
    await _goes_on(session)


async def refuses_what_is_no_move(program: SessionProgram) -> None:
    """The text is not in the game's notation."""
    session = await _begun(program, 2)
    await session.refuses(bgs.ApplyMove(session.bgs_id, 2, "hello"), 'the move "hello"')
    await session.refuses(bgs.ApplyMove(session.bgs_id, 2, ""), "an empty move")
    await _goes_on(session)


async def refuses_another_ply(program: SessionProgram) -> None:
    """The server and the program do not agree on where the game is."""
    session = await _begun(program, 2)
    move = random_moves(session.position, 1, random.Random(SEED))[0]
    await session.refuses(bgs.ApplyMove(session.bgs_id, 7, move), "a move for ply 7 at ply 2")
    await session.refuses(bgs.EvaluatePosition(session.bgs_id, 7), "an evaluation of ply 7 at ply 2")
    await _goes_on(session)


async def survives_unknown_sessions(program: SessionProgram) -> None:
    """Requests for sessions that do not exist, as after a restart of the server or of the program."""
    for request in (bgs.EvaluatePosition("unknown", 0), bgs.ApplyMove("unknown", 0, "hello")):
        if (await program.ask(request)).success:
            raise WrongAnswer("It accepts a request for a session that was not started.")
    await program.ask(bgs.EndGameSession("unknown"))


async def refuses_a_bad_start(program: SessionProgram) -> None:
    """A config that describes no game."""
    session = program.session(usual_start(program.bot))
    request = bgs.StartGameSession(session.bgs_id, program.bot.bot_id, {"variant": "no such variant"})
    if (await program.ask(request)).success:
        raise WrongAnswer("It starts a session of a variant that does not exist.")
    await session.start()
    await session.end()


async def ignores_unknown_members(program: SessionProgram) -> None:
    """Later versions of the protocol may add members."""
    session = program.session(usual_start(program.bot))
    for request in (session.start_request, session.evaluation_request(), bgs.EndGameSession(session.bgs_id)):
        text = encode(request).removesuffix("}") + ',"later":{"version":[4]}}'
        await program.send(request, text)
        if not (response := await program.answer(request)).success:
            raise WrongAnswer(f"It refuses a request with a member that it does not know: {response.error}.")


async def takes_any_id(program: SessionProgram) -> None:
    """Ids are opaque."""
    session = program.session(usual_start(program.bot), bgs_id=STRANGE_ID)
    await session.start()
    await session.evaluate()
    await session.end()


# ---- what it offers, and several sessions --------------------------------------------------------


async def plays_variant(program: SessionProgram, bot: bgs.BotEntry, variant: str, offer: VariantOffer) -> str:
    """A few moves on each of some boards."""
    played = []
    for board in boards_of(offer, program.effort.sizes):
        try:
            session = program.session(Position(bot.game, variant, board), bot)
        except BadConfig:
            continue
        size = "x".join(str(side) for side in board.values())
        try:
            await session.start()
        except Refused as refusal:
            raise WrongAnswer(f"{size or variant}: {refusal}") from None
        for move in random_moves(session.position, 3, random.Random(SEED)):
            await session.apply(move)
        await session.evaluate()
        await session.end()
        played.append(size)
    return ", ".join(filter(None, played))


async def plays_two_games_at_once(program: SessionProgram) -> None:
    """Requests of different sessions overlap; the answers may come in any order."""
    start = usual_start(program.bot)
    one, other = program.session(start), program.session(start)
    await one.start()
    await other.start()
    for move in random_moves(start, 3, random.Random(SEED)):
        await one.apply(move)
    requests = one.evaluation_request(), other.evaluation_request()
    for request in requests:
        await program.send(request)
    await one.evaluated(requests[0])
    await other.evaluated(requests[1])
    await other.apply(random_moves(other.position, 1, random.Random(SEED + 1))[0])
    await one.end()
    await other.evaluate()
    await other.end()


async def plays_game_after_game(program: SessionProgram) -> str:
    """The same process is asked about one game after another."""
    for _ in range(program.effort.rounds):
        session = program.session(usual_start(program.bot))
        await session.start()
        await session.apply(random_moves(session.position, 1, random.Random(SEED))[0])
        await session.end()
    return f"{program.effort.rounds} sessions"


async def plays_on_without_a_seat(program: SessionProgram) -> None:
    """A seat has left a game of more than two."""
    variant = next(iter(program.bot.variants))
    try:
        start = Position(program.bot.game, variant, {"seats": 3})
    except BadConfig:
        raise NotClaimed("Its games have two seats.") from None
    session = program.session(start)
    await session.start()
    await session.apply(random_moves(start, 1, random.Random(SEED))[0])
    await session.apply(f"{FORFEIT}1")
    await session.evaluate()
    await session.end()


# ---- after all -----------------------------------------------------------------------------------


async def says_nothing_else(program: SessionProgram) -> None:
    """Nothing but answers was received."""
    await program.ask(bgs.EndGameSession("last"))
    if program.unexpected:
        count = len(program.unexpected)
        raise WrongAnswer(f"{count} unexpected, the first: {program.unexpected[0]}")


async def answers_in_time(program: SessionProgram) -> str:
    """The slowest of all answers."""
    seconds, request = program.slowest
    text = f"the slowest took {seconds:.2f} s, to {request}"
    if seconds > USUAL_SECONDS:
        raise SlowAnswer(f"{text}; after {program.answer_seconds:g} s the server resigns for the bot.")
    return text


async def _goes_on(session: AskedSession) -> None:
    """Plays on after a refusal, which must have changed nothing."""
    await session.apply(random_moves(session.position, 1, random.Random(SEED))[0])
    await session.end()


async def _begun(program: SessionProgram, plies: int) -> AskedSession:
    """A session after some random moves."""
    session = program.session(usual_start(program.bot))
    await session.start()
    for move in random_moves(session.position, plies, random.Random(SEED)):
        await session.apply(move)
    return session


def usual_start(bot: bgs.BotEntry) -> Position:
    """The start of a game that the bot is likely to play: its first variant on the first board that it recommends."""
    variant, offer = next(iter(bot.variants.items()))
    return Position(bot.game, variant, next(boards_of(offer, 1)))


# ---- the script ----------------------------------------------------------------------------------

CLAIMED = Rule("A bot plays every board within the ranges that it attaches with.", "docs/bots.md#attach")

TRIAL: Step[SessionProgram] = Step(
    "answers a trial game",
    Rule("There are four requests; each has one answer, with all of its members.", REQUESTS),
    answers_a_trial_game,
)

ONE_SESSION: tuple[Step[SessionProgram], ...] = (
    Step(
        "plays a game",
        Rule(
            "bestMove is a legal move for the player to move, and ply the number of moves played.", REQUESTS
        ),
        plays_a_game,
    ),
    Step(
        "evaluates without playing",
        Rule("Evaluating must not change the session.", REQUESTS),
        changes_nothing,
    ),
    Step(
        "takes moves back",
        Rule("A takeback ends the session and starts it again under the same bgsId.", ORDER),
        takes_moves_back,
    ),
    Step(
        "refuses an illegal move",
        Rule(
            "If a request fails, answer with success false, the reason in error, and the actual ply.",
            REQUESTS,
        ),
        refuses_an_illegal_move,
    ),
    Step(
        "refuses what is no move",
        Rule("If a request fails, answer with success false, and leave the session unchanged.", REQUESTS),
        refuses_what_is_no_move,
    ),
    Step(
        "refuses another ply",
        Rule(
            "expectedPly is the number of moves played; if a request fails, ply is the actual one.", REQUESTS
        ),
        refuses_another_ply,
    ),
    Step(
        "refuses unknown sessions",
        Rule(
            "If you do not know the session, answer with success false.",
            "docs/bots.md#after-a-restart-of-the-server",
        ),
        survives_unknown_sessions,
    ),
    Step(
        "refuses a config of no game",
        Rule("If a request fails, answer with success false and the reason in error.", REQUESTS),
        refuses_a_bad_start,
    ),
    Step(
        "keeps its clock",
        Rule(
            "If the time of a request with a clock runs out, the bot loses by timeout.",
            "docs/bots.md#games-with-a-clock",
        ),
        keeps_its_clock,
    ),
    Step(
        "values are player 1's",
        Rule("evaluation is always from the view of player 1.", REQUESTS),
        sees_who_wins,
    ),
)

SEVERAL_SESSIONS: tuple[Step[SessionProgram], ...] = (
    Step(
        "plays two games at once",
        Rule("Requests of different sessions can overlap; be prepared for several games at once.", REQUESTS),
        plays_two_games_at_once,
    ),
    Step(
        "follows a long game",
        Rule(
            "After a restart of the server, it sends all moves played so far.",
            "docs/bots.md#after-a-restart-of-the-server",
        ),
        follows_a_long_game,
    ),
    Step(
        "plays game after game",
        Rule("Discard all state of the session when it ends.", ORDER),
        plays_game_after_game,
    ),
    Step("takes any bgsId", Rule("Treat bgsId as an opaque string.", REQUESTS), takes_any_id),
    Step(
        "ignores unknown members",
        Rule("An engine ignores members that it does not know.", "docs/bots.md#workers"),
        ignores_unknown_members,
    ),
    Step(
        "plays on when a seat leaves",
        Rule(
            "! and the number of a seat is no ply: ply of the answer is expectedPly.",
            "docs/bots.md#more-than-two-seats",
        ),
        plays_on_without_a_seat,
    ),
)

AFTER_ALL: tuple[Step[SessionProgram], ...] = (
    Step(
        "says nothing but answers",
        Rule("Other frames are invalid; the hundredth closes the connection.", "docs/bots.md#limits"),
        says_nothing_else,
    ),
    Step(
        "answers in time",
        Rule("Any answer that takes longer than 10 seconds loses the game.", FAILURES),
        answers_in_time,
    ),
)
