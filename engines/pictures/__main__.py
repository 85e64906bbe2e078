"""Draws for the process that has started this one: ``python -m engines.pictures``.

Reads one request a line, JSON ``{"order": text, "png": bool}``. Answers each with a line of JSON, ``{"bytes": number,
"seconds": number}`` or ``{"error": text, "seconds": number}``, and so many bytes of SVG or PNG. ``seconds`` is the
processor time that it took. Ends with its input.
"""

import json
import resource
import signal
import sys
import time
from typing import BinaryIO

from engines.pictures.order import Order
from engines.pictures.raster import png_of
from engines.pictures.script import DrawingScript, PictureError

MOST_MEMORY = 1 << 30
"""Bytes of address space: a picture of the largest board and width takes a quarter of it."""


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answers requests until their end."""
    script: DrawingScript | None = None
    for line in requests:
        began = time.process_time()
        try:
            request = json.loads(line)
            script = script or DrawingScript()
            svg = script.svg_of(Order(request["order"]))
            drawn = png_of(svg) if request["png"] else svg.encode()
            told: dict[str, object] = {"bytes": len(drawn)}
        except PictureError as error:
            drawn, told = b"", {"error": str(error)}
            script = None
        told["seconds"] = time.process_time() - began
        answers.write(json.dumps(told).encode() + b"\n" + drawn)
        answers.flush()


if __name__ == "__main__":
    # Ctrl-C in a terminal reaches all processes: this one ends with its input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    serve(sys.stdin.buffer, sys.stdout.buffer)
