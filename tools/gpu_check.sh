#!/bin/sh
# Trains a large network on this machine's GPU for some minutes, measures the engine pool with it, and exports it.
# Needs a Python with torch (with CUDA), numpy and the built core, but no ONNX Runtime:
#   PYTHON=python3.12 tools/gpu_check.sh --minutes 5 --out gpu-check
cd "$(dirname "$0")/.." || exit 1
python=${PYTHON:-python3}
"$python" -c "import numpy, torch" || { echo "gpu_check: $python needs numpy and torch" >&2; exit 1; }
exec "$python" -m benchmarks.gpu_check "$@"
