"""Imports the modules of the loader that a program of one file contains. The build puts
this text and the modules at the beginning of that program."""

from __future__ import annotations

import importlib.abc
import importlib.util
import os
import sys
from typing import Any

if sys.version_info < (3, 10):
    raise ImportError(f"{os.path.basename(__file__)} needs Python 3.10 or later")

_HERE = os.path.abspath(__file__)
_SOURCES: dict[str, str] = {}


class _Modules(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports the modules below from this file."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> Any:
        file = name.replace(".", "/")
        for candidate in (f"{file}.py", f"{file}/__init__.py"):
            if candidate in _SOURCES:
                is_package = candidate.endswith("/__init__.py")
                return importlib.util.spec_from_loader(name, self, origin=candidate, is_package=is_package)
        return None

    def exec_module(self, module: Any) -> None:
        origin = module.__spec__.origin
        # Tracebacks leave out frames of this folder, which does not exist.
        module.__file__ = f"{_HERE}!/{origin}"
        exec(compile(_SOURCES[origin], module.__file__, "exec", dont_inherit=True), vars(module))

    def get_source(self, name: str) -> str | None:
        file = name.replace(".", "/")
        return _SOURCES.get(f"{file}.py") or _SOURCES.get(f"{file}/__init__.py")


if not any(type(finder).__name__ == "_Modules" for finder in sys.meta_path):
    sys.meta_path.insert(0, _Modules())

from _cloche import actions, helpers  # noqa: E402

# Extensions and tools import these.
for _name, _module in {"cloche": sys.modules["_cloche"], "cloche.actions": actions, "cloche.helpers": helpers}.items():
    sys.modules.setdefault(_name, _module)
