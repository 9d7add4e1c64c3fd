"""Chooses the module name under which a tool file is imported."""

from __future__ import annotations

import functools
import importlib.metadata  # importlib.invalidate_caches imports it: this way, the snapshot of Python's memory has it already
import keyword
import os
import re
import sys
from importlib.machinery import FileFinder, PathFinder
from typing import NamedTuple

PRIVATE_PREFIX = "_cloche_tools_"
# Modules of the loader, of Pyodide and of Python, which no file may replace, even before they are loaded.
_NEVER = frozenset(
    ("__main__", "cloche", "js", "pyodide", "pyodide_js", "_pyodide", "_pyodide_core", "tzdata")
)
# The standard library, the loader and the time zones. They never change, and zipimport takes long to read their directories.
_ARCHIVES = frozenset(entry for entry in sys.path if entry.endswith(".zip") or ".zip/" in entry)


class ModuleName(NamedTuple):
    """The name in sys.modules, and in words the module of the same name that comes before the file, if any."""

    name: str
    shadowed: str = ""


def module_name(stem: str, path: str, root: str) -> ModuleName:
    """The stem, so that other files can import it; a private name if the stem is not an identifier or is already
    taken."""
    if not stem.isidentifier() or keyword.iskeyword(stem):
        # No statement can import it, but classes and loggers still show the file's name.
        free = "." not in stem and stem not in sys.modules
        return ModuleName(stem if free else _make_private(stem))
    shadowed = _find_shadowed(stem, path, root)
    return ModuleName(_make_private(stem), shadowed) if shadowed else ModuleName(stem)


def _find_shadowed(stem: str, path: str, root: str) -> str:
    """The module that `import` would find under this name before the file, in words; empty if there is none."""
    present = sys.modules.get(stem)
    if present is not None and getattr(present, "__file__", None) == path:
        return ""
    if stem in sys.stdlib_module_names:
        return f"Python's standard module {stem!r}"
    if stem in _NEVER or present is not None:
        return f"the module {stem!r}"
    ahead = sys.path[: sys.path.index(root)] if root in sys.path else sys.path
    for finder in sys.meta_path:
        if finder is PathFinder:
            found = PathFinder.find_spec(stem, [folder for folder in ahead if _may_hold(folder, stem)])
        else:
            found = finder.find_spec(stem, None)
        # A namespace package, which is a folder without __init__.py, has no origin. The tool file comes before it.
        if found is not None and found.origin is not None:
            return f"the installed module {stem!r}"
    return ""


def _may_hold(folder: object, stem: str) -> bool:
    """Whether an entry of sys.path may have the module; reading its listing is faster than asking an importer."""
    if folder in _ARCHIVES:
        return False  # their modules are standard ones, or in _NEVER
    if type(folder) is not str or type(sys.path_importer_cache.get(folder)) is not FileFinder:
        return True
    try:
        return stem in _list_modules(folder, os.stat(folder).st_mtime_ns)
    except OSError:
        return True


@functools.lru_cache(maxsize=32)
def _list_modules(folder: str, changed_at: int) -> frozenset[str]:
    """The names of the modules in a folder. `changed_at` makes a changed folder be listed again."""
    return frozenset([entry.partition(".")[0] for entry in os.listdir(folder)])


def invalidate_caches() -> None:
    """Makes modules be found that were added since the last search, in any folder.

    Does what importlib.invalidate_caches does, but keeps the importers of the archives, which never change.
    """
    importers = sys.path_importer_cache
    unchanged = {entry: importers.pop(entry) for entry in _ARCHIVES if entry in importers}
    importlib.invalidate_caches()
    importers.update(unchanged)
    _list_modules.cache_clear()


def private_name(stem: str) -> ModuleName:
    """A name under which no statement can import the file."""
    return ModuleName(_make_private(stem))


def _make_private(stem: str) -> str:
    # Reversible, so that two stems never share a name.
    plain = re.sub(r"[^A-Za-z0-9]", lambda odd: "__" if odd[0] == "_" else f"_{ord(odd[0]):x}_", stem)
    return PRIVATE_PREFIX + plain
