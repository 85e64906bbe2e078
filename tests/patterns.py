"""Values of JSON with names in them, and patterns that they are compared with.

``tests/golden/server/README.md`` describes both.
"""

import json
import re
from typing import Any

NAME = re.compile(r"\$(\w+)")
ONLY, NONE = "(only)", "(none)"
"""A member of an object without other members, and the value of a member that is missing."""


class Names:
    """Named values, which texts and patterns refer to."""

    def __init__(self, **values: Any) -> None:
        self.values: dict[str, Any] = values

    def text(self, words: str) -> str:
        """The text to be sent: a string as it is, anything else as JSON."""
        content = self.filled(json.loads(words))
        return content if isinstance(content, str) else json.dumps(content, separators=(",", ":"))

    def filled(self, value: Any) -> Any:
        """The same with the values of names: of a text that is only a name, the value itself."""
        if isinstance(value, dict):
            filled = {name: self.filled(member) for name, member in value.items()}
            if set(filled) == {"(times)", "(of)"}:
                return filled["(of)"] * filled["(times)"]
            return json.dumps(filled["(json)"]) if set(filled) == {"(json)"} else filled
        if isinstance(value, list):
            return [item for one in value for item in self._items(one)]
        if not isinstance(value, str):
            return value
        if (only := NAME.fullmatch(value)) and only[1] in self.values:
            return self.values[only[1]]
        return NAME.sub(lambda found: str(self.values.get(found[1], found[0])), value)

    def _items(self, item: Any) -> list[Any]:
        """The items of a list that one item stands for: of ``*$name`` all those of a list."""
        is_list = isinstance(item, str) and item.startswith("*$")
        filled = self.filled(item[1:] if is_list else item)
        return filled if is_list else [filled]

    def is_match(self, pattern: Any, found: Any) -> bool:
        before = dict(self.values)
        try:
            self.match(pattern, found)
        except AssertionError:
            self.values = before
            return False
        return True

    def match(self, pattern: Any, found: Any) -> None:
        """Compares with what was found; a name without a value gets it."""
        if isinstance(pattern, str) and (name := NAME.fullmatch(pattern)):
            assert self.values.setdefault(name[1], found) == found, (found, self.values[name[1]])
        elif isinstance(pattern, str) and "…" in pattern:
            words = map(re.escape, self.filled(pattern).split("…"))
            assert re.fullmatch(".*".join(words), found, re.DOTALL), found
        elif isinstance(pattern, dict) and "(up to)" in pattern:
            assert 0 < found <= self.filled(pattern["(up to)"]), found
        elif isinstance(pattern, dict) and isinstance(found, dict):
            assert ONLY not in pattern or pattern.keys() == {*found, ONLY}, [*found]
            for name, value in pattern.items():
                assert (value == NONE) == (name not in {ONLY, *found}), (name, found)
                if name in found:
                    self.match(value, found[name])
        elif isinstance(pattern, list) and isinstance(found, list):
            self._match_items(pattern, found)
        else:
            assert found == self.filled(pattern), (found, pattern)

    def _match_items(self, pattern: list[Any], found: list[Any]) -> None:
        if pattern[:1] == ["…"]:
            for value in pattern[1:]:
                assert any(self.is_match(value, item) for item in found), (found, value)
            return
        assert len(pattern) == len(found), found
        for value, item in zip(pattern, found, strict=True):
            self.match(value, item)
