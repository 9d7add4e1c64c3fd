"""The parts of the standard library, and of the loader, that Python gets only when something needs them. An import waits
for its module, and a traceback for the sources of byte code."""

from __future__ import annotations

import sys
import zipimport
from collections.abc import Awaitable, Callable
from typing import Any

from . import waiting

ARCHIVE = "/lib/python314.zip"

# See lateLoaderFolder of archive-paths.ts.
LATE_LOADER = "loader/"

_read = zipimport._get_data
_has_library = False


def wait_for(library: Callable[[], Awaitable[None]], sources: Callable[[], Awaitable[None]]) -> str:
    """Lets reads from the missing parts of the archive wait for the promises of `library` and `sources`.

    Returns the names of the missing modules, separated by spaces, and after a line feed those of the whole standard
    library, and `cloche`.
    """
    files = zipimport._zip_directory_cache[ARCHIVE]

    def is_source(name: str) -> bool:
        return name.endswith(".py") and f"{name}c" in files

    # The archive has byte code for the modules that every start needs: see pack_stdlib.py.
    def is_late(name: str) -> bool:
        return name.startswith(LATE_LOADER) or name.endswith(".py") and f"{name}c" not in files

    def read(archive: str, entry: tuple[Any, ...]) -> bytes:
        name = entry[0].removeprefix(f"{ARCHIVE}/")
        if archive == ARCHIVE and is_source(name):
            _wait(sources, name)
        elif archive == ARCHIVE and not _has_library and is_late(name):
            _wait(library, name)
        return _read(archive, entry)

    zipimport._get_data = read
    late = (_module(name) for name in files if is_late(name))
    missing = (name for name in late if name not in sys.modules)
    return f"{' '.join(missing)}\n{' '.join(sys.stdlib_module_names)} cloche"


def arrived(everything: int) -> None:
    """Modules can be read, and, if `everything` is 1, the sources of byte code, too."""
    global _has_library
    _has_library = True
    if everything:
        zipimport._get_data = _read


def _module(path: str) -> str:
    """The name of the module at a path of the archive."""
    name, _, _ = path.removeprefix(LATE_LOADER).rpartition(".")
    return name.removesuffix("/__init__").replace("/", ".")


def _wait(part: Callable[[], Awaitable[None]], name: str) -> None:
    try:
        waiting.require_waiting("call it again in a few seconds.")
        waiting.wait(part())
    except Exception as error:
        raise ImportError(f"Python's standard library is still incomplete, and {name} is missing: {error}") from error
