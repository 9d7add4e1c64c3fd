"""Tests of the Python code; they run in the same form under CPython and Pyodide."""

import sys
from pathlib import Path

_PYTHON = Path(__file__).parent.parent
sys.path[:0] = [str(_PYTHON / path) for path in ("py", "resolver", "resolver/vendor.zip")]
