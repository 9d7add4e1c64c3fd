"""Reads the JSON files of the folder in which a file keeps the descriptions of its tools.

The names of such files stand in the source: json.load(open("tools.json")). The file may only open them when it answers, and find
the function of a tool by its name, with globals()[name] or getattr(module, name). Used by `loading` and `collection`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from typing import Any

from .tool_dicts import describes_any

_ENTRIES = 2_000  # of the folder that are compared with the names
_FILES = 50
_BYTES = 1_000_000


def read_described_files(names: Iterable[str], root: str) -> list[tuple[str, Any]]:
    """The paths and contents of the JSON files that have these names in the folder, and describe tools. A name may be a pattern, or a
    part of a path."""
    patterns = [name.replace("\\", "/").removeprefix("./").lstrip("/") for name in names]
    paths = [path for path in _list_files(root) if any(_fits(path, pattern) for pattern in patterns)] if patterns else []
    contents = ((path, _read(os.path.join(root, path))) for path in paths[:_FILES])
    return [(path, content) for path, content in contents if describes_any(content)]


def _list_files(root: str) -> Iterator[str]:
    """Yields the paths of JSON files, relative to the folder."""
    left = _ENTRIES
    for folder, inner, files in os.walk(root):
        inner[:] = sorted(name for name in inner if not name.startswith((".", "__")))
        for name in sorted(files):
            left -= 1
            if left < 0:
                return
            if name.endswith(".json"):
                yield os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")


def _fits(path: str, pattern: str) -> bool:
    """Whether a path is or ends with a name; the name .json, as in f"{tool}.json", is the end of all of them."""
    return fnmatchcase(path, pattern) or fnmatchcase(path, f"*{pattern}" if pattern.startswith(".") else f"*/{pattern}")


def _read(path: str) -> Any:
    try:
        if os.path.getsize(path) > _BYTES:
            return None
        with open(path, encoding="utf-8-sig") as opened:
            return json.load(opened)
    except (OSError, ValueError, RecursionError):
        return None
