"""Whether a game hides an order that its moves reveal, such as that of a stack of tiles."""

from engines._core import Position, RuleError


def hides_order(position: Position) -> bool:
    """Whether moves reveal what no seat knows. The game must not be over."""
    try:
        position.copy().redeal(position.to_act[0], 0)
    except RuleError:
        return False
    return True
