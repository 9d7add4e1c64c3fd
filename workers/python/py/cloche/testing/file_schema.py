"""The JSON Schema of a test file, which the app uses too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

# The single file cloche_test.py has the schema itself in place of this line.
FILE_SCHEMA: dict[str, Any] = json.loads((Path(__file__).parents[5] / "src/runtime/spec/schemas/tests.schema.json").read_text())
