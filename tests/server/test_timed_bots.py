"""Whether an attached bot plays with a clock."""

import pytest

from tests.server.bot_peers import a_bot
from tests.server.serving import Served


@pytest.mark.parametrize("said", ["yes", 1, 0, None, [], {}])
async def test_timed_is_true_or_false(served: Served, said: object) -> None:
    async with a_bot(served) as bot:
        rejected = await bot.attach("fuzzed", {"timed": said})
        assert rejected == {
            "type": "attach-rejected",
            "code": "INVALID_BOT_CONFIG",
            "message": "bot 1: timed must be true or false",
        }
