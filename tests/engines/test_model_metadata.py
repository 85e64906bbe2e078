"""The metadata of networks: what is written can be read, and what cannot be read is refused by key."""

import pytest

from engines.model_metadata import BadMetadata, BoardRange, ModelMetadata

WALLWARS = BoardRange((5, 5), (12, 10))


@pytest.mark.parametrize(
    ("metadata", "properties"),
    [
        (ModelMetadata("wallwars", WALLWARS), {"game": "wallwars", "boards": "5x5-12x10"}),
        (ModelMetadata("pyrat"), {"game": "pyrat"}),
        (ModelMetadata(), {}),
    ],
)
def test_what_is_written_is_read(metadata: ModelMetadata, properties: dict[str, str]) -> None:
    assert metadata.properties() == properties
    assert ModelMetadata.read({**properties, "producer": "somebody"}) == metadata


def test_one_size_is_a_range() -> None:
    assert BoardRange.parse("8x6") == BoardRange((8, 6), (8, 6))


def test_both_dimensions_limit_a_board() -> None:
    assert all(size in WALLWARS for size in ((5, 5), (12, 10), (5, 10), (12, 5)))
    assert not any(size in WALLWARS for size in ((4, 5), (5, 4), (13, 10), (12, 11), (10, 12)))


@pytest.mark.parametrize(
    ("properties", "says"),
    [
        ({"game": "chess"}, "its metadata game: 'chess' is not one of wallwars, "),
        ({"boards": "any"}, "its metadata boards: 'any' is not a range of boards such as 5x5-12x10"),
        ({"boards": "5x5-"}, "its metadata boards: '5x5-' is not"),
        ({"boards": "8x8-5x9"}, "its metadata boards: 8x8-5x9 is not a range"),
        ({"boards": "0x5-5x5"}, "its metadata boards: 0x5-5x5 is not a range"),
    ],
)
def test_bad_metadata_is_refused(properties: dict[str, str], says: str) -> None:
    with pytest.raises(BadMetadata) as caught:
        ModelMetadata.read(properties)
    assert str(caught.value).startswith(says)
