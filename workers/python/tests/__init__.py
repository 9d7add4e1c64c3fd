"""The Python side's tests; they run under CPython and, in the same form, under Pyodide."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "py"))
