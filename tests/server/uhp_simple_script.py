"""An AI of the tests that reads GameStrings and writes moves, one a line: always the first legal move."""

import sys

from protocols.uhp.game_string import parse, replay

if __name__ == "__main__":
    for line in sys.stdin:
        if line.strip() == "exit":
            break
        print(replay(parse(line)).legal_moves()[0], flush=True)
