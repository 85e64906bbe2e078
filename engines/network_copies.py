"""Networks in other processes: a network travels as its file, and each process loads it once.

Copies compute on a CPU, for one thread. GPUs are shared by all processes of a cluster instead
(``executors/ray_model.py``).
"""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import TYPE_CHECKING

from engines.game_calibration import GameCalibration
from engines.onnx_runtime import Provider

if TYPE_CHECKING:
    from engines.onnx_model import OnnxModel

MOST_COPIES = 8
"""Networks that a process keeps: those used last. A training run plays two at the same time."""


@dataclass(frozen=True)
class NetworkFile:
    """A network as it travels."""

    file_name: str
    content: bytes
    calibrations: Mapping[str, GameCalibration]

    @classmethod
    def of(cls, model: "OnnxModel") -> "NetworkFile":
        """The file of a loaded network. Raises OSError if it was removed."""
        return model.origin or cls(model.path.name, model.path.read_bytes(), dict(model.calibrations))

    @property
    def key(self) -> str:
        """Equal for equal files of the same name."""
        return f"{self.file_name} {sha256(self.content).hexdigest()}"

    def load(self, provider: Provider, threads: int) -> "OnnxModel":
        """Loads it. Raises ModelError."""
        from engines.onnx_model import OnnxModel

        with TemporaryDirectory() as folder:
            path = Path(folder, self.file_name)
            path.write_bytes(self.content)
            model = OnnxModel(path, provider, threads, self.calibrations)
        model.origin = self
        return model


class NetworkCopies:
    """The copies of one process. Thread-safe."""

    def __init__(self, provider: Provider, threads: int) -> None:
        self._provider: Provider = provider
        self._threads = threads
        self._loaded: OrderedDict[str, OnnxModel] = OrderedDict()
        self._lock = Lock()

    def get(self, key: str) -> "OnnxModel | None":
        """The network with this key, if it is loaded."""
        with self._lock:
            if key in self._loaded:
                self._loaded.move_to_end(key)
            return self._loaded.get(key)

    def __contains__(self, key: str) -> bool:
        with self._lock:
            return key in self._loaded

    def load(self, file: NetworkFile) -> "OnnxModel":
        """The network of a file, loaded on the first call. Drops the one that was not used for longest."""
        key = file.key
        with self._lock:
            if key not in self._loaded:
                self._loaded[key] = file.load(self._provider, self._threads)
            self._loaded.move_to_end(key)
            if len(self._loaded) > MOST_COPIES:
                self._loaded.popitem(last=False)
            return self._loaded[key]


_COPIES = NetworkCopies("cpu", 1)


def copied(file: NetworkFile) -> "OnnxModel":
    """How ``pickle`` makes a network in another process: the copy of that process. Raises ModelError."""
    return _COPIES.load(file)
