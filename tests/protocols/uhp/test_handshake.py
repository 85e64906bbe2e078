"""The first line of a connection, the query of an address, and the parameters of ``newgame remote``."""

from functools import partial

import pytest

from protocols.uhp.remote.effects import Seek
from protocols.uhp.remote.handshake import BadHandshake, Handshake, Role, read_line, read_query
from protocols.uhp.remote.ladder_entry import LadderEntry
from protocols.uhp.remote.newgame_parameters import read_new_remote
from protocols.uhp.remote.seek_criteria import BadSeekCriteria, SeekCriteria
from protocols.values import TimeControl

SEAT = "plyhouse/1 role=seat"
LADDER = "plyhouse/1 role=engine ladder=1"
SECRET = "x" * 16

clock = partial(TimeControl, starts_at_once=True)


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        (SEAT, Handshake(Role.SEAT)),
        ("  plyhouse/1   role=watch\tgame=g7Kd ", Handshake(Role.WATCH, game="g7Kd")),
        (f"{SEAT} token=T game=g", Handshake(Role.SEAT, "T", "g")),
        (f"{SEAT} resume=g:a=b:c", Handshake(Role.SEAT, "a=b:c", "g")),
        (f"{SEAT} clock=1 secret=0", Handshake(Role.SEAT, has_clock=True)),
        (
            f"{SEAT} type=Base+PM color=Black tc=300+5 vs=bot:easy name=Ada",
            Handshake(Role.SEAT, criteria=SeekCriteria("Base+MP", 1, clock(300, 5), "bot:easy", "Ada")),
        ),
        (f"{SEAT} tc=-", Handshake(Role.SEAT, criteria=SeekCriteria(time_control=None))),
        (
            f"{LADDER} client=lab-1:{SECRET}",
            Handshake(Role.ENGINE, ladder=LadderEntry("lab-1", SECRET)),
        ),
        (
            f"{LADDER} client=lab-1:{SECRET}:y version=2.0 type=Base+PM name=Ada",
            Handshake(
                Role.ENGINE,
                criteria=SeekCriteria("Base+MP", name="Ada"),
                ladder=LadderEntry("lab-1", f"{SECRET}:y", "Base+MP", "Ada", "2.0"),
            ),
        ),
        ("plyhouse/1 role=engine ladder=0", Handshake(Role.ENGINE)),
        (f"{SEAT} tc=0+30 color=any", Handshake(Role.SEAT, criteria=SeekCriteria(time_control=clock(0, 30)))),
    ],
)
def test_a_handshake_is_read(line: str, meaning: Handshake) -> None:
    assert read_line(line) == meaning


@pytest.mark.parametrize(
    "line",
    [
        "",
        "plyhouse/1",
        "PLYHOUSE/1 role=seat",
        "plyhouse/1 role=Seat",
        "plyhouse/1 seat",
        f"{SEAT} role=seat",
        f"{SEAT} clock=yes",
        f"{SEAT} resume=g",
        f"{SEAT} resume=:x",
        f"{SEAT} resume=g:x token=x",
        f"{SEAT} type=base",
        f"{SEAT} type=Base+MM",
        f"{SEAT} tc=5",
        f"{SEAT} tc=-1+0",
        f"{SEAT} tc=1.5+0",
        f"{SEAT} tc=٣+0",
        f"{SEAT} color=red",
        f"{SEAT} name=",
        f"{SEAT} name={'x' * 65}",
        f"{SEAT} anything",
    ],
)
def test_a_bad_handshake_is_one_sentence(line: str) -> None:
    with pytest.raises(BadHandshake) as refusal:
        read_line(line)
    assert str(refusal.value).isprintable()


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (LADDER, "ladder=1 needs client=<id>:<secret>"),
        (
            f"{LADDER} client={SECRET}",
            "client must be <id>:<secret>, with a secret of 16 to 64 characters",
        ),
        (
            f"{LADDER} client=lab-1:{'x' * 15}",
            "client must be <id>:<secret>, with a secret of 16 to 64 characters",
        ),
        (
            f"{LADDER} client=lab-1:{'x' * 65}",
            "client must be <id>:<secret>, with a secret of 16 to 64 characters",
        ),
        (f"{LADDER} client=:{SECRET}", "client must be <id>:<secret>, with a secret of 16 to 64 characters"),
        (f"{LADDER} client=lab-1:{SECRET} version=a@b", "version must not contain '@'"),
        (f"{LADDER} client=lab-1:{SECRET} version={'1' * 33}", "version must have at most 32 characters"),
        (
            f"{LADDER} client=lab-1:{SECRET} tc=60+1 color=white",
            "with ladder=1, the server chooses the games: leave out color, tc",
        ),
        (
            f"{LADDER} client=lab-1:{SECRET} resume=g:x",
            "with ladder=1, the server chooses the games: leave out resume",
        ),
        (f"{LADDER.replace('=1', '=yes')} client=lab-1:{SECRET}", "ladder must be 0 or 1"),
        (f"{SEAT} ladder=1 client=lab-1:{SECRET}", "ladder=1 is for role=engine"),
        (
            f"plyhouse/1 role=engine client=lab-1:{SECRET} version=1",
            "only an engine with ladder=1 has client and version",
        ),
    ],
)
def test_a_bad_entry_to_the_ladder_is_explained(line: str, why: str) -> None:
    with pytest.raises(BadHandshake) as refusal:
        read_line(line)
    assert str(refusal.value) == why


def test_the_secret_of_a_client_is_not_shown() -> None:
    assert SECRET not in repr(read_line(f"{LADDER} client=lab-1:{SECRET}"))


def test_a_plus_in_an_address_may_be_decoded_as_a_blank() -> None:
    pairs = [("role", "seat"), ("type", "Base MLP"), ("tc", "60 1"), ("name", "Ada Lovelace")]
    assert read_query(pairs).criteria == SeekCriteria("Base+MLP", None, clock(60, 1), None, "Ada Lovelace")
    ladder = read_query([("role", "engine"), ("ladder", "1"), ("client", f"lab:{SECRET} {SECRET}")]).ladder
    assert ladder is not None
    assert ladder.secret == f"{SECRET}+{SECRET}", "as over TCP"


@pytest.mark.parametrize(
    ("words", "meaning"),
    [
        ("", Seek(SeekCriteria("Base+M", 0))),
        ("Base color=black tc=-", Seek(SeekCriteria("Base", 1, None))),
        ("type=Base vs=Bo", Seek(SeekCriteria("Base", 0, opponent="Bo"))),
        ("resume=g7Kd", Seek(SeekCriteria("Base+M", 0), "g7Kd")),
        ("resume=g7Kd:s", Seek(SeekCriteria("Base+M", 0), "g7Kd", "s")),
    ],
)
def test_newgame_defaults_to_the_handshake(words: str, meaning: Seek) -> None:
    assert read_new_remote(tuple(words.split()), SeekCriteria("Base+M", 0)) == meaning


@pytest.mark.parametrize("words", ["Chess", "Base Base", "color=", "role=seat", "tc=1+1 tc=1+1"])
def test_invalid_newgame_parameters_are_refused(words: str) -> None:
    with pytest.raises(BadSeekCriteria):
        read_new_remote(tuple(words.split()), SeekCriteria())


WHITE, BLACK, ANY = SeekCriteria(seat=0), SeekCriteria(seat=1), SeekCriteria()


@pytest.mark.parametrize(
    ("one", "other", "suits"),
    [
        (ANY, ANY, True),
        (WHITE, ANY, True),
        (WHITE, BLACK, True),
        (WHITE, WHITE, False),
        (ANY, SeekCriteria("Base"), False),
        (ANY, SeekCriteria(time_control=None), False),
        (SeekCriteria(opponent="Bo"), SeekCriteria(name="Bo"), True),
        (SeekCriteria(opponent="Bo"), ANY, False),
        (SeekCriteria(opponent="Bo", name="Ada"), SeekCriteria(opponent="Cy", name="Bo"), False),
    ],
)
def test_suiting_is_symmetric(one: SeekCriteria, other: SeekCriteria, *, suits: bool) -> None:
    assert one.suits(other) is suits
    assert other.suits(one) is suits
