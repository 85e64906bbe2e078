"""JSON for all protocols."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.jsontext import read_object, write

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
).filter(lambda value: "\x00" not in repr(value) and "\\x00" not in repr(value))


@given(st.dictionaries(st.text(alphabet="abé☃"), VALUES))
@pytest.mark.slow
def test_what_is_written_is_read_again(value: dict[str, object]) -> None:
    assert read_object(write(value)) == value


def test_what_is_no_number_is_written_as_null() -> None:
    assert write([float("nan"), float("inf")]) == "[null,null]"


def test_deep_nesting_of_any_characters_can_be_read() -> None:
    for text in ("a", "é"):
        deep = "[" * 500 + f'"{text}"' + "]" * 500
        assert read_object(f'{{"member":{deep}}}')
