"""Packs the loader into a zip of compiled modules. The build runs it in Pyodide, whose byte code it contains."""

from __future__ import annotations

import io
import json
import marshal
import zipfile
from importlib.util import MAGIC_NUMBER

STAMP = (2026, 1, 1, 0, 0, 0)
# Modules whose docstrings no tool can show with help(): the others have names that tools import.
INTERNAL = "cloche/foreign/"


def pack(sources: str, archive_path: str) -> bytes:
    """The zip of all modules in `sources`, a JSON object of path and text, for a Python that has it at
    `archive_path`."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in json.loads(sources).items():
            without_docstrings = 2 if path.startswith(INTERNAL) else 0
            # Tracebacks recognise the loader's own frames by this path.
            code = compile(text, f"{archive_path}/{path}", "exec", dont_inherit=True, optimize=without_docstrings)
            entry = zipfile.ZipInfo(f"{path}c", STAMP)
            entry.compress_type = zipfile.ZIP_DEFLATED
            # Twelve zero bytes: no source to compare with.
            archive.writestr(entry, MAGIC_NUMBER + bytes(12) + marshal.dumps(code), compresslevel=9)
    return packed.getvalue()
