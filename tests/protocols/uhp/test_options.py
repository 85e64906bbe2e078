"""Option lines, including those of other engines: viewers read what engines write."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.uhp.options import BadOption, Kind, Option, choice, flag, number, read, write

LINES = [
    "MaxBranchingFactor;int;256;256;1;512",
    "MaxHelperThreads;enum;Auto;Auto;Auto;None;1;2",
    "PonderDuringIdle;enum;SingleThreaded;SingleThreaded;Disabled;SingleThreaded;MultiThreaded",
    "ReportIntermediateBestMoves;bool;False;False",
    "Aggression;int;3;3;1;5",
    "Temperature;double;0.5;1;0;2",
    "Unbounded;int;3;0",
    "RemoteSeat;enum;Black;White;White;Black",
]


@pytest.mark.parametrize("line", LINES)
def test_lines_of_engines_come_back(line: str) -> None:
    assert write(read(line)) == line


@given(st.integers(-9, 9), st.integers(-(10**18), 10**18), st.integers(0, 10**18))
def test_a_number_survives_the_wire_and_stays_within_its_bounds(
    default: int, criteria: int, more: int
) -> None:
    option = number("N", default, -10, 10 + more).set(str(criteria))
    assert read(write(option)) == option
    assert option.value == max(-10, min(criteria, 10 + more))


@given(st.floats(-1e6, 1e6))
def test_a_double_is_clamped(criteria: float) -> None:
    option = Option("D", Kind.DOUBLE, 0.5, 0.5, (0.0, 1.0)).set(str(criteria))
    assert isinstance(option.value, float)
    assert 0 <= option.value <= 1


def test_option_values_are_read_in_any_case() -> None:
    assert flag("F", default=False).set("TRUE").value is True
    assert choice("C", "One", ("One", "Two")).set("two").value == "Two"


@pytest.mark.parametrize(
    ("line", "value", "reason"),
    [
        ("F;bool;False;False", "1", '"1" is neither True nor False'),
        ("C;enum;One;One;One;Two", "three", '"three" is none of One, Two'),
        ("N;int;1;1;0;9", "1.5", '"1.5" is not a number'),
        ("N;int;1;1;0;9", "9" * 5000, f'"{"9" * 60}…" is not a number'),
        ("D;double;1;1;0;9", "nan", '"nan" is not a finite number'),
    ],
)
def test_invalid_values_are_refused(line: str, value: str, reason: str) -> None:
    with pytest.raises(BadOption) as refusal:
        read(line).set(value)
    assert str(refusal.value) == reason


@pytest.mark.parametrize(
    "line", ["", "ok", "a;int;1", ";int;1;1", "a;float;1;1", "a;int;x;1", "a;bool;1;True"]
)
def test_malformed_option_lines_are_refused(line: str) -> None:
    with pytest.raises(BadOption):
        read(line)
