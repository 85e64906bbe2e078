"""The first line of a connection, the query of an address, and the parameters of ``newgame remote``."""

import pytest

from protocols.uhp.remote.handshake import BadHandshake, Handshake, Role, read_line, read_query
from protocols.uhp.remote.newgame import NewRemote, read_new_remote
from protocols.uhp.remote.wish import BadWish, Tempo, Wish

SEAT = "plyhouse/1 role=seat"


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
            Handshake(Role.SEAT, wish=Wish("Base+MP", 1, Tempo(300, 5), "bot:easy", "Ada")),
        ),
        (f"{SEAT} tc=-", Handshake(Role.SEAT, wish=Wish(tempo=None))),
        (f"{SEAT} tc=0+30 color=any", Handshake(Role.SEAT, wish=Wish(tempo=Tempo(0, 30)))),
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


def test_a_plus_in_an_address_may_have_become_a_blank() -> None:
    pairs = [("role", "seat"), ("type", "Base MLP"), ("tc", "60 1"), ("name", "Ada Lovelace")]
    assert read_query(pairs).wish == Wish("Base+MLP", None, Tempo(60, 1), None, "Ada Lovelace")


@pytest.mark.parametrize(
    ("words", "meaning"),
    [
        ("", NewRemote(Wish("Base+M", 0))),
        ("Base color=black tc=-", NewRemote(Wish("Base", 1, None))),
        ("type=Base vs=Bo", NewRemote(Wish("Base", 0, opponent="Bo"))),
        ("resume=g7Kd", NewRemote(Wish("Base+M", 0), "g7Kd")),
        ("resume=g7Kd:s", NewRemote(Wish("Base+M", 0), "g7Kd", "s")),
    ],
)
def test_the_handshake_says_what_newgame_leaves_out(words: str, meaning: NewRemote) -> None:
    assert read_new_remote(tuple(words.split()), Wish("Base+M", 0)) == meaning


@pytest.mark.parametrize("words", ["Chess", "Base Base", "color=", "role=seat", "tc=1+1 tc=1+1"])
def test_what_newgame_cannot_take_is_refused(words: str) -> None:
    with pytest.raises(BadWish):
        read_new_remote(tuple(words.split()), Wish())


WHITE, BLACK, ANY = Wish(seat=0), Wish(seat=1), Wish()


@pytest.mark.parametrize(
    ("one", "other", "suits"),
    [
        (ANY, ANY, True),
        (WHITE, ANY, True),
        (WHITE, BLACK, True),
        (WHITE, WHITE, False),
        (ANY, Wish("Base"), False),
        (ANY, Wish(tempo=None), False),
        (Wish(opponent="Bo"), Wish(name="Bo"), True),
        (Wish(opponent="Bo"), ANY, False),
        (Wish(opponent="Bo", name="Ada"), Wish(opponent="Cy", name="Bo"), False),
    ],
)
def test_wishes_suit_each_other_or_neither(one: Wish, other: Wish, *, suits: bool) -> None:
    assert one.suits(other) is suits
    assert other.suits(one) is suits
