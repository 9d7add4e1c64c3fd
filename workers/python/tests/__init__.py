"""The Python side's tests; they run under CPython and, in the same form, under Pyodide."""

import sys
from pathlib import Path

_PYTHON = Path(__file__).parent.parent
sys.path[:0] = [str(_PYTHON / path) for path in ("py", "resolver", "resolver/vendor.zip")]
