"""An AI of the tests that reads GameStrings and writes moves, one a line: always the first legal move.

What it reads is also kept in the file that its argument names.
"""

import sys
from pathlib import Path

from protocols.uhp.game_string import parse, replay

if __name__ == "__main__":
    with Path(sys.argv[1]).open("a") as read:
        for line in sys.stdin:
            read.write(line)
            read.flush()
            print(replay(parse(line)).legal_moves()[0], flush=True)
        read.write("the end\n")
