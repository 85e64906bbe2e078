"""The lines of options, and what they can be set to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.uhp.options import BadOption, Option, Settable, choice, flag, number, write

NUMBER = number("MaxBranchingFactor", 256, 1, 512)
CHOICE = choice("MaxHelperThreads", "Auto", ("Auto", "None", "1"))


@pytest.mark.parametrize(
    ("option", "line"),
    [
        (NUMBER, "MaxBranchingFactor;int;256;256;1;512"),
        (NUMBER.set("7"), "MaxBranchingFactor;int;7;256;1;512"),
        (CHOICE.set("none"), "MaxHelperThreads;enum;None;Auto;Auto;None;1"),
        (flag("Verbose", default=False).set("true"), "Verbose;bool;True;False"),
        (choice("Server", "a", ("a",), Settable.ANYTHING).set("b"), "Server;enum;b;a;a;b"),
    ],
)
def test_lines(option: Option, line: str) -> None:
    assert write(option) == line


@given(st.integers(-9, 9), st.integers(-(10**18), 10**18), st.integers(0, 10**18))
def test_a_number_stays_within_its_bounds(default: int, criteria: int, more: int) -> None:
    option = number("N", default, -10, 10 + more).set(str(criteria))
    assert option.value == max(-10, min(criteria, 10 + more))


def test_option_values_are_read_in_any_case() -> None:
    assert flag("F", default=False).set("TRUE").value is True
    assert choice("C", "One", ("One", "Two")).set("two").value == "Two"


@pytest.mark.parametrize(
    ("option", "value", "reason"),
    [
        (flag("F", default=False), "1", '"1" is neither True nor False'),
        (CHOICE, "three", '"three" is none of Auto, None, 1'),
        (NUMBER, "1.5", '"1.5" is not a number'),
        (NUMBER, "9" * 5000, f'"{"9" * 60}…" is not a number'),
        (choice("C", "One", ("One",), Settable.NOTHING), "One", "C cannot be set."),
    ],
)
def test_invalid_values_are_refused(option: Option, value: str, reason: str) -> None:
    with pytest.raises(BadOption) as refusal:
        option.set(value)
    assert str(refusal.value) == reason
