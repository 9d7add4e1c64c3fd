"""Reads the JSON files of the folder in which a file keeps the descriptions of its tools.

The names of such files stand in the source: json.load(open("tools.json")). The file may open them only when a tool runs, and may
find the function of a tool by its name, with globals()[name] or getattr(module, name). Used by `loading` and `collection`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from typing import Any

from ..dependencies import note_read, note_wanted
from .tool_dicts import describes_any

_ENTRIES = 2_000  # of the folder that are compared with the names
_NAMES = 50
_FILES = 50
_BYTES = 1_000_000  # of one file
_ALL_BYTES = 2_000_000


def read_described_files(names: Iterable[str], root: str, reader: str) -> list[tuple[str, Any]]:
    """The paths and contents of the JSON files that have these names in the folder, and describe tools. A name may be a pattern, or a
    part of a path.

    `reader`: the file whose tools they may describe, which depends on all files of these names: a mended one may describe tools.
    """
    patterns = [name.replace("\\", "/").removeprefix("./").lstrip("/") for name in names]
    patterns = sorted(patterns, key=_is_end)[:_NAMES]
    if not patterns:
        return []
    note_wanted(reader, lambda path: path.endswith(".json") and _find_pattern(path, patterns) is not None)
    paths = _find_files(patterns, root)
    for path in paths:
        note_read(reader, path)
    contents = _read_files(paths, root)
    return [(path, content) for path, content in contents if describes_any(content)]


def _find_files(patterns: list[str], root: str) -> list[str]:
    """The paths that fit. Those that fit a whole name come first, because .json may fit many files that are only data."""
    found = [(path, pattern) for path in _list_files(root) if (pattern := _find_pattern(path, patterns)) is not None]
    return [path for path, _ in sorted(found, key=lambda one: _is_end(one[1]))][:_FILES]


def _find_pattern(path: str, patterns: list[str]) -> str | None:
    return next((pattern for pattern in patterns if _fits(path, pattern)), None)


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


def _is_end(pattern: str) -> bool:
    return pattern.startswith(".")


def _fits(path: str, pattern: str) -> bool:
    """Whether a path is or ends with a name; the name .json, from f"{tool}.json", fits all paths."""
    end = pattern if _is_end(pattern) else f"/{pattern}"
    return fnmatchcase(f"/{path}", f"*{end}") if "*" in pattern else f"/{path}".endswith(end)


def _read_files(paths: Iterable[str], root: str) -> Iterator[tuple[str, Any]]:
    """Yields the contents of JSON files, without those that are too large or cannot be read."""
    left = _ALL_BYTES
    for path in paths:
        try:
            full = os.path.join(root, path)
            size = os.path.getsize(full)
            if size > min(left, _BYTES):
                continue
            left -= size
            with open(full, encoding="utf-8-sig") as opened:
                content = json.load(opened)
        except (OSError, ValueError, RecursionError):
            continue
        yield path, content
