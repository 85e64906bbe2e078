"""Suggestions for unknown names."""

import pytest

from engines.near_names import did_you_mean, known_names, near_name

KNOWN = ("wallwars", "hive", "Carcassonne")


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("walwars", "wallwars"),
        ("HIVE", "hive"),
        ("carcasonne", "Carcassonne"),
        ("chess", None),
        ("", None),
        ("h" * 1_000_000, None),
    ],
)
def test_only_a_near_name_is_suggested(name: str, near: str | None) -> None:
    assert near_name(name, KNOWN) == near
    assert did_you_mean(name, KNOWN) == ("" if near is None else f": did you mean '{near}'?")


def test_without_a_near_name_all_are_listed() -> None:
    assert known_names("hiv", KNOWN) == ": did you mean 'hive'?"
    assert known_names("chess", KNOWN) == ": choose from wallwars, hive, Carcassonne"
    assert known_names("chess", ()) == ""
