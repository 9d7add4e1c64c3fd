"""The place of an imported file: its module, its path and its folder. It says where a function comes from."""

from __future__ import annotations

import inspect
import sys
from types import FunctionType, ModuleType
from typing import Any, NamedTuple


class Place(NamedTuple):
    """The place of the file whose tools are collected."""

    module: ModuleType
    stem: str  # the file's name without .py
    path: str
    root: str  # the path of the tools folder

    def has(self, value: Any) -> bool:
        """Whether a function, or the one that it wraps, is defined in this file."""
        return getattr(_code_of(value), "co_filename", None) == self.path

    def line_of(self, value: Any) -> int:
        """The first line of a function of this file; 1 for anything else."""
        code = _code_of(value)
        return code.co_firstlineno if code is not None and code.co_filename == self.path else 1

    def is_near(self, function: Any) -> bool:
        """Whether a function is from this file, or from a helper file of the folder that cannot have tools itself."""
        file = getattr(getattr(function, "__code__", None), "co_filename", "")  # not every callable has code
        return file == self.path or self._is_helper_path(file)

    def is_helper(self, module: ModuleType) -> bool:
        """Whether a module is a helper file or a subfolder of the folder. Neither can have tools itself."""
        file = vars(module).get("__file__")
        return self._is_helper_path(file) or any(self._is_helper_path(f"{one}/") for one in _list_paths(module) if file is None)

    def is_from_helper(self, kind: type) -> bool:
        """Whether a class is defined in a helper file of the folder."""
        module = sys.modules.get(kind.__module__) if type(kind.__module__) is str else None
        return module is not None and self.is_helper(module)

    def _is_helper_path(self, file: object) -> bool:
        inner = file.removeprefix(self.root + "/") if isinstance(file, str) and file.startswith(self.root + "/") else ""
        return "/" in inner or inner.startswith("_")

    def is_made_nearby(self, value: Any) -> bool:
        """Whether a function of a helper file, such as register_tools(mcp) in tools/weather.py, has created this function."""
        return isinstance(value, FunctionType) and "<locals>" in value.__qualname__ and self.is_near(inspect.unwrap(value))


def _list_paths(module: ModuleType) -> list[Any]:
    """The folders of a package, also of one without __init__.py, whose `__path__` is not a list."""
    try:
        return list(vars(module).get("__path__") or ())
    except Exception:  # a module may have any value there
        return []


def _code_of(value: Any) -> Any:
    return getattr(inspect.unwrap(getattr(value, "__func__", value)), "__code__", None)
