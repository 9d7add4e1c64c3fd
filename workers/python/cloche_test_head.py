"""Runs the saved tests of a Cloche tools folder under ordinary Python. Needs neither Cloche nor packages.

    python3 cloche_test.py FOLDER            runs tests/*.json of the folder; exits with 0, 1 or 2
    python3 -m pytest -p cloche_test FOLDER  the same in pytest, from the folder with this file
    from cloche_test import mock_app, mock_context, mock_tool   for your own tests

Needs Python 3.10 or later. Cloche's build generates this file from the modules that also run tools in the browser.
"""

from __future__ import annotations

import importlib.abc
import importlib.util
import os
import sys
from typing import Any

if sys.version_info < (3, 10):
    raise ImportError("cloche_test.py needs Python 3.10 or later")

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

from _cloche.testing import running  # noqa: E402
from _cloche.testing.mock_app import MockApp, Refused, mock_app  # noqa: E402
from _cloche.testing.mocks import MockContext, MockTool, mock_context, mock_tool  # noqa: E402

__all__ = ["MockApp", "MockContext", "MockTool", "Refused", "mock_app", "mock_context", "mock_tool"]
# Extensions import these.
for _name in ("", ".actions", ".helpers"):
    sys.modules.setdefault(f"cloche{_name}", sys.modules[f"_cloche{_name}"])
running.CHILD[:] = [_HERE]


def pytest_collect_file(file_path: Any, parent: Any) -> Any:
    """Collects tests/*.json for pytest."""
    from _cloche.testing.plugin import collect

    return collect(file_path, parent)


if __name__ == "__main__":
    from _cloche.testing.command import main

    # This file's folder must not come before the tools folder.
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != os.path.dirname(_HERE)]
    sys.exit(main(sys.argv[1:]))
