"""The first line of a connection, the query of an address, and the parameters of ``newgame remote``."""

from functools import partial

import pytest

from protocols.uhp.remote.effects import Seek
from protocols.uhp.remote.handshake import BadHandshake, Handshake, Role, read_line, read_query
from protocols.uhp.remote.newgame import read_new_remote
from protocols.uhp.remote.seek_criteria import BadSeekCriteria, SeekCriteria
from protocols.values import TimeControl

SEAT = "plyhouse/1 role=seat"

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


def test_a_plus_in_an_address_may_be_decoded_as_a_blank() -> None:
    pairs = [("role", "seat"), ("type", "Base MLP"), ("tc", "60 1"), ("name", "Ada Lovelace")]
    assert read_query(pairs).criteria == SeekCriteria("Base+MLP", None, clock(60, 1), None, "Ada Lovelace")


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
