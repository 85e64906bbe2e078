"""Each error in an attach message with its code, and the order of the checks."""

import copy
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import games
from protocols.bgs.attach import AttachError, AttachPolicy, RejectionCode, is_official, read_attach
from protocols.bgs.boards import attachable
from protocols.values import BoardSize

SECRET = "open sesame"  # noqa: S105  of the tests only
POLICY = AttachPolicy(SECRET, {**attachable(games()), "hive": {"Base": None, "Base+MLP": None}}, "plyhouse")

Json = dict[str, Any]
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=4,
)
Change = Callable[[Json], object]


def sizes(count: int) -> list[Json]:
    return [{"boardWidth": 8, "boardHeight": 8}] * count


def offer(recommended: int) -> Json:
    side = {"min": 4, "max": 8}
    return {"boardWidth": dict(side), "boardHeight": dict(side), "recommended": sizes(recommended)}


def good() -> Json:
    return {
        "type": "attach",
        "protocolVersion": 3,
        "clientId": "lab-1",
        "client": {"name": "client", "version": "3.0.0"},
        "bots": [
            {
                "botId": "walker",
                "name": "Walker",
                "username": None,
                "officialToken": SECRET,
                "appearance": {"color": "gray", "hat": "ignored"},
                "variants": {"standard": offer(1), "freestyle": offer(0)},
            },
            {"botId": "bee", "name": "Bee", "username": "Ann", "game": "hive", "variants": {"Base": {}}},
        ],
    }


def bot(message: Json) -> Json:
    entry: Json = message["bots"][0]
    return entry


def standard(message: Json) -> Json:
    entry: Json = bot(message)["variants"]["standard"]
    return entry


def test_a_valid_attach_message() -> None:
    attach = read_attach(good(), POLICY)
    walker, bee = attach.bots
    assert attach.client_id == "lab-1"
    assert walker.appearance == {"color": "gray"}
    assert walker.variants["standard"].recommended == (BoardSize(8, 8),)
    assert (is_official(walker), is_official(bee)) == (True, False)
    assert (bee.game, bee.username) == ("hive", "Ann")


@pytest.mark.parametrize("said", [True, False])
def test_a_bot_may_say_that_it_plays_with_a_clock(*, said: bool) -> None:
    fields = good()
    bot(fields)["timed"] = said
    walker, bee = read_attach(fields, POLICY).bots
    assert (walker.is_timed, bee.is_timed) == (said, False)


@given(value=JSON_VALUES.filter(lambda value: not isinstance(value, bool)))
def test_any_other_value_of_timed_is_named_in_the_error(value: object) -> None:
    fields = good()
    fields["bots"][1]["timed"] = value
    with pytest.raises(AttachError, match=r"^bot 2: timed must be true or false$"):
        read_attach(fields, POLICY)


# In the order of the checks: a message with several errors is rejected for the first.
FAULTS: list[tuple[str, Change, RejectionCode]] = [
    ("version 2", lambda a: a.update(protocolVersion=2), RejectionCode.PROTOCOL_UNSUPPORTED),
    ("blank client name", lambda a: a["client"].update(name=" "), RejectionCode.INVALID_MESSAGE),
    ("colon in clientId", lambda a: a.update(clientId="a:b"), RejectionCode.INVALID_MESSAGE),
    ("unknown variant", lambda a: bot(a)["variants"].update(survival={}), RejectionCode.INVALID_BOT_CONFIG),
    ("same id twice", lambda a: a["bots"][1].update(botId="walker"), RejectionCode.DUPLICATE_BOT_ID),
    ("wrong token", lambda a: bot(a).update(officialToken="open"), RejectionCode.INVALID_OFFICIAL_TOKEN),
]
OTHER_FAULTS: list[tuple[str, Change, RejectionCode]] = [
    ("version as text", lambda a: a.update(protocolVersion="3"), RejectionCode.PROTOCOL_UNSUPPORTED),
    ("no version", lambda a: a.pop("protocolVersion"), RejectionCode.PROTOCOL_UNSUPPORTED),
    ("no client", lambda a: a.pop("client"), RejectionCode.INVALID_MESSAGE),
    ("version of the client", lambda a: a["client"].pop("version"), RejectionCode.INVALID_MESSAGE),
    ("blank clientId", lambda a: a.update(clientId="  "), RejectionCode.INVALID_MESSAGE),
    ("clientId no text", lambda a: a.update(clientId=1), RejectionCode.INVALID_MESSAGE),
    ("no bots", lambda a: a.update(bots=[]), RejectionCode.NO_BOTS),
    ("bots absent", lambda a: a.pop("bots"), RejectionCode.NO_BOTS),
    ("bots no array", lambda a: a.update(bots={}), RejectionCode.NO_BOTS),
    ("bot no object", lambda a: a["bots"].append("x"), RejectionCode.INVALID_BOT_CONFIG),
    ("blank botId", lambda a: bot(a).update(botId=" "), RejectionCode.INVALID_BOT_CONFIG),
    ("no name", lambda a: bot(a).pop("name"), RejectionCode.INVALID_BOT_CONFIG),
    ("no username", lambda a: bot(a).pop("username"), RejectionCode.INVALID_BOT_CONFIG),
    ("empty username", lambda a: bot(a).update(username=""), RejectionCode.INVALID_BOT_CONFIG),
    ("token no text", lambda a: bot(a).update(officialToken=None), RejectionCode.INVALID_BOT_CONFIG),
    ("looks no text", lambda a: bot(a).update(appearance={"color": 1}), RejectionCode.INVALID_BOT_CONFIG),
    ("timed as text", lambda a: bot(a).update(timed="yes"), RejectionCode.INVALID_BOT_CONFIG),
    ("timed as a number", lambda a: bot(a).update(timed=1), RejectionCode.INVALID_BOT_CONFIG),
    ("timed null", lambda a: bot(a).update(timed=None), RejectionCode.INVALID_BOT_CONFIG),
    ("unknown game", lambda a: bot(a).update(game="chess"), RejectionCode.INVALID_BOT_CONFIG),
    ("no variants", lambda a: bot(a).update(variants={}), RejectionCode.INVALID_BOT_CONFIG),
    ("variants no object", lambda a: bot(a).update(variants=[]), RejectionCode.INVALID_BOT_CONFIG),
    (
        "offer no object",
        lambda a: a["bots"][1].update(variants={"Base": 1}),
        RejectionCode.INVALID_BOT_CONFIG,
    ),
    ("board too small", lambda a: standard(a)["boardWidth"].update(min=2), RejectionCode.INVALID_BOT_CONFIG),
    (
        "board too large",
        lambda a: standard(a)["boardHeight"].update(max=21),
        RejectionCode.INVALID_BOT_CONFIG,
    ),
    ("range reversed", lambda a: standard(a)["boardWidth"].update(min=9), RejectionCode.INVALID_BOT_CONFIG),
    ("no range", lambda a: standard(a).pop("boardWidth"), RejectionCode.INVALID_BOT_CONFIG),
    ("half a board", lambda a: standard(a)["boardWidth"].update(min=4.5), RejectionCode.INVALID_BOT_CONFIG),
    ("none recommended", lambda a: standard(a).update(recommended=[]), RejectionCode.INVALID_BOT_CONFIG),
    (
        "four recommended",
        lambda a: standard(a).update(recommended=sizes(4)),
        RejectionCode.INVALID_BOT_CONFIG,
    ),
    (
        "recommended outside",
        lambda a: standard(a)["recommended"][0].update(boardWidth=9),
        RejectionCode.INVALID_BOT_CONFIG,
    ),
    (
        "freestyle recommends",
        lambda a: bot(a)["variants"].update(freestyle=offer(1)),
        RejectionCode.INVALID_BOT_CONFIG,
    ),
]


@pytest.mark.parametrize(
    ("change", "code"),
    [pytest.param(change, code, id=name) for name, change, code in FAULTS + OTHER_FAULTS],
)
def test_each_error_has_its_code(change: Change, code: RejectionCode) -> None:
    fields = good()
    change(fields)
    with pytest.raises(AttachError) as caught:
        read_attach(fields, POLICY)
    assert caught.value.code is code
    assert str(caught.value)


def test_the_first_error_determines_the_code() -> None:
    fields = good()
    for _, change, code in reversed(FAULTS):
        change(fields)
        with pytest.raises(AttachError) as caught:
            read_attach(copy.deepcopy(fields), POLICY)
        assert caught.value.code is code


@pytest.mark.parametrize("secret", [None, ""])
@pytest.mark.parametrize("token", [SECRET, ""])
def test_without_a_secret_no_token_is_valid(secret: str | None, token: str) -> None:
    fields = good()
    bot(fields)["officialToken"] = token
    with pytest.raises(AttachError) as caught:
        read_attach(fields, AttachPolicy(secret, POLICY.games))
    assert caught.value.code is RejectionCode.INVALID_OFFICIAL_TOKEN


NAMED: dict[str, tuple[Callable[[Json, str], object], RejectionCode]] = {
    "clientId": (lambda a, text: a.update(clientId=text), RejectionCode.INVALID_MESSAGE),
    "botId": (lambda a, text: bot(a).update(botId=text), RejectionCode.INVALID_BOT_CONFIG),
    "name": (lambda a, text: bot(a).update(name=text), RejectionCode.INVALID_BOT_CONFIG),
    "username": (lambda a, text: bot(a).update(username=text), RejectionCode.INVALID_BOT_CONFIG),
    "appearance.color": (
        lambda a, text: bot(a)["appearance"].update(color=text),
        RejectionCode.INVALID_BOT_CONFIG,
    ),
}


@pytest.mark.parametrize(
    "text", ["x" * 65, "a\nb", "a\x00", "a\x85", "a\u061cb", "a\u200fb", "a\u202eb", "a\u2066b"]
)
@pytest.mark.parametrize("member", NAMED)
def test_long_names_and_control_characters_are_rejected(member: str, text: str) -> None:
    change, code = NAMED[member]
    message = good()
    change(message, text)
    with pytest.raises(AttachError, match=rf"{member} must have") as refusal:
        read_attach(message, POLICY)
    assert refusal.value.code is code


@pytest.mark.parametrize("member", NAMED)
def test_non_ascii_names_are_accepted_up_to_the_limit(member: str) -> None:
    message = good()
    NAMED[member][0](message, "Zoë & 猫 👩‍🚀".ljust(64, "x"))
    read_attach(message, POLICY)


@pytest.mark.parametrize(
    "text", ["plyhouse", "PlyHouse strong", " Plyhouse", "\uff30lyhouse", "Ply\u200bhouse easy"]
)
@pytest.mark.parametrize("member", ["clientId", "botId", "name"])
def test_names_of_built_in_bots_are_reserved(member: str, text: str) -> None:
    change, code = NAMED[member]
    message = good()
    change(message, text)
    with pytest.raises(AttachError, match="reserved for built-in bots") as refusal:
        read_attach(message, POLICY)
    assert refusal.value.code is code
