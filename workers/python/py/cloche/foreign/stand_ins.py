"""Makes stand-ins importable while a file of another framework is imported, and only then."""

from __future__ import annotations

import builtins
import functools
import importlib
import importlib.abc
import importlib.util
import os
import re
import sys
from collections.abc import Mapping
from importlib.machinery import ModuleSpec
from string import digits
from types import FrameType, ModuleType
from typing import Any

from .frameworks import LIBRARIES, NAMESPACES, TOP_NAMES, framework_of
from .inert import Inert, InertType, inert
from .marks import current, is_importing
from .package_names import ABOVE, FOLDER, as_written, needs_package
from .reading import read_source

_ERROR = re.compile(r"(Error|Exception|Warning|Timeout|Refused|Exit|Interrupt)$")
_ABSENT = "__cloche_absent__"  # an attribute of the names of a missing package, not of their subclasses
_DECORATORS = ("tool", "function_tool", "register_tool")
_PACKAGE = f"{__package__}.modules."
# The module that has the names of a framework. `functions` has the names of all other frameworks.
_SOURCES = {
    **dict.fromkeys(("smolagents", "crewai", "agno", "llm", "semantic-kernel"), "classes"),
    **dict.fromkeys(("mcp", "fastmcp"), "mcp"),
    **dict.fromkeys(("llama-index", "dspy", "langroid", "agency-swarm", "griptape", "atomic-agents", "mirascope", "metagpt", "autogpt"), "models"),
    "langchain": "langchain",
    **dict.fromkeys(("google-genai", "inspect-ai", "browser-use", "agentscope", "openai"), "declared"),
}


class StandIns(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds stand-ins for what files below `root` import: for frameworks before all other finders, since the tools of a
    real framework would not be recognised; for missing packages after them."""

    def __init__(self, root: str) -> None:
        self._root = root + "/"
        self._depth = 0
        self._own: set[str] | None = None  # names in the folder, while a file is imported
        self._listed: set[str] = set()  # the same names, and the time of the folder's last change when they were listed
        self._listed_at = -1
        self._made: dict[str, ModuleType] = {}
        self._first = _BeforeInstalled(self)
        self._installed: dict[str, ModuleType] = {}  # of other files, hidden meanwhile

    def __enter__(self) -> StandIns:
        self._depth += 1
        if self._depth == 1:
            self._own = None
            # Hundreds of modules are loaded, usually none of a framework.
            loaded = [name for name in sys.modules if name.partition(".")[0] in TOP_NAMES and framework_of(name)]
            installed = [name for name in loaded if name.partition(".")[0] not in self.own_modules()]
            self._installed = {name: sys.modules.pop(name) for name in installed}
            sys.meta_path.insert(0, self._first)
            sys.meta_path.append(self)
        return self

    def __exit__(self, *ended: object) -> None:
        self._depth -= 1
        if self._depth == 0:
            sys.meta_path[:] = [one for one in sys.meta_path if one is not self and one is not self._first]
            # Files with TOOL_SPECS must not find stand-ins: a missing module is an error there.
            for name, module in self._made.items():
                if sys.modules.get(name) is module:
                    del sys.modules[name]
            sys.modules.update(self._installed)

    def importing(self, name: str, *rest: Any, **named: Any) -> Any:
        """`__import__` for functions of the file that import a module of the framework when they are called."""
        with self:
            return builtins.__import__(name, *rest, **named)

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """The spec of a stand-in; None for a module that must be real, or whose absence the file handles itself."""
        top = name.partition(".")[0]
        parent = name.rpartition(".")[0]
        is_relative = parent == FOLDER or parent in ABOVE
        if path is not None and not is_relative and not isinstance(sys.modules.get(parent), _StandIn):
            return None
        importer = _importer()
        if importer is None or not importer.f_code.co_filename.startswith(self._root):
            # Stand-ins import nothing, so only files of the folder can ask.
            return None
        known = framework_of(name) is not None or top in LIBRARIES or name in NAMESPACES
        if not known and ((self._is_own(top) and not self.is_itself(top, importer)) or self._is_optional(importer)):
            return None
        collector = current()
        if collector is not None and name not in NAMESPACES and (is_relative or not name.startswith(f"{ABOVE[0]}.")):
            names = collector.used if known else collector.missing
            names.setdefault(as_written(name) if is_relative else top)
        return importlib.util.spec_from_loader(name, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Returns the stand-in. The same one is returned each time, so that its classes stay the same."""
        module = self._made.get(spec.name)
        if module is None:
            module = self._made[spec.name] = _StandIn(spec.name, _names(spec.name))
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Does nothing, because stand-ins are complete when they are made."""

    def own_modules(self) -> set[str]:
        if self._own is None:
            self._own = self._names_in_folder()
        return self._own

    def _names_in_folder(self) -> set[str]:
        """Lists the folder again only if it has changed, as Python's own finders do: any file may have added a module."""
        from ..import_problems import local_modules

        try:
            changed_at = os.stat(self._root).st_mtime_ns
        except OSError:
            return set()
        if changed_at != self._listed_at:
            self._listed, self._listed_at = local_modules(self._root.rstrip("/")), changed_at
        return self._listed

    def is_itself(self, top: str, importer: FrameType | None) -> bool:
        """Whether a file imports its own name: agents.py of a package means another module with `import agents`."""
        return importer is not None and importer.f_code.co_filename == f"{self._root}{top}.py"

    def _is_own(self, top: str) -> bool:
        """Whether the name belongs to the standard library or to a file of this folder, or resembles such a name."""
        from ..wording import nearest

        # Slips change a letter or two. In a large folder, more than these would make every name resemble another one.
        alike = nearest(top, [one for one in self.own_modules() if abs(len(one) - len(top)) < 2], cutoff=0.85)
        is_own = alike is not None and (alike == top or alike.rstrip(digits) != top.rstrip(digits))  # shop2 is not shop
        return top in sys.stdlib_module_names or is_own

    def _is_optional(self, importer: FrameType) -> bool:
        path = importer.f_code.co_filename
        try:
            with open(path, "rb") as opened:
                return importer.f_lineno in _guarded_lines(opened.read())
        except OSError:
            return False


class _BeforeInstalled(importlib.abc.MetaPathFinder):
    """Finds the stand-ins of frameworks even if the framework is installed, but not if the folder has such a module."""

    def __init__(self, stand_ins: StandIns) -> None:
        self._stand_ins = stand_ins

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """The spec of a stand-in; None for anything but a framework, or the name of the importing file itself."""
        top = name.partition(".")[0]
        is_own = top in self._stand_ins.own_modules()
        if not (self._stand_ins.is_itself(top, _importer()) if is_own else framework_of(name)):
            return None
        return self._stand_ins.find_spec(name, path, target)


class _StandIn(ModuleType):
    """A module with the names of a framework. All other names are inert, or report that a package is missing."""

    def __init__(self, name: str, names: Mapping[str, Any] | None) -> None:
        super().__init__(name, "A stand-in of Cloche.")
        self.__path__: list[str] = []
        self._is_missing = names is None
        vars(self).update(names or {})

    def __getattr__(self, name: str) -> Any:
        if name == "__all__" and is_importing():
            return [one for one in vars(self) if not one.startswith("_")] + _wanted_by(sys._getframe(1))
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        module = self.__name__
        if self._is_missing and not is_importing():
            raise ModuleNotFoundError(needs_package(module), name=module)
        framework = framework_of(module)
        if _ERROR.search(name):
            made: Any = type(name, (Exception,), {"__module__": module})
        elif name in _DECORATORS and (framework is not None or is_importing()):
            # The name may be one that the framework does not have, or that comes from a missing file.
            made = importlib.import_module(f"{_PACKAGE}common").marker_of(module)
        elif self._is_missing:
            made = _Absent(name, (Inert,), {"__module__": module, _ABSENT: True})
        else:
            made = inert(name, module)
        setattr(self, name, made)
        return made


class _Absent(InertType):
    """The class of names of a missing package. They are inert during the import, and raise an error when used."""

    def __getattr__(cls, name: str) -> Any:
        if not (name.startswith("__") and name.endswith("__")):
            cls._check()
        if name == "tool" and is_importing():
            # A server or agent of a missing file, whose decorator marks tools.
            framework = "mcp" if cls.__name__ in ("mcp", "server", "app") else "plain"
            return importlib.import_module(f"{_PACKAGE}common").marker(framework)
        if name == "register" and is_importing():
            return importlib.import_module(f"{_PACKAGE}common").register_described
        return super().__getattr__(name)

    def __call__(cls, *values: Any, **named: Any) -> Any:
        if _ABSENT in vars(cls):  # classes of the file can be instantiated
            cls._check()
        return super().__call__(*values, **named)

    def __getitem__(cls, item: Any) -> Any:
        cls._check()
        return super().__getitem__(item)

    def __iter__(cls) -> Any:
        cls._check()
        return super().__iter__()

    def __len__(cls) -> int:
        cls._check()
        return super().__len__()

    def _check(cls) -> None:
        if not is_importing():
            module = next(one.__module__ for one in cls.__mro__ if _ABSENT in vars(one))
            raise ModuleNotFoundError(needs_package(module), name=module)


def _names(module: str) -> Mapping[str, Any] | None:
    """The names of a stand-in; None if the framework is unknown."""
    framework = framework_of(module)
    top = module.partition(".")[0]
    if framework is None and top not in LIBRARIES:
        return {} if module in NAMESPACES else None
    if framework is None:
        source = "typing_extensions" if top == "typing_extensions" else "pydantic"
    else:
        source = _SOURCES.get(framework.id, "functions")
    names: Mapping[str, Any] = importlib.import_module(_PACKAGE + source).names(module)
    return names


def _importer() -> FrameType | None:
    """The frame whose import statement is running."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and (
        "importlib" in frame.f_code.co_filename or frame.f_code.co_name == "importing" or frame.f_globals is globals()
    ):
        frame = frame.f_back
    return frame


def _wanted_by(importer: FrameType) -> list[str]:
    """The names that `from module import *` has to bring, because the file uses them and has them from nowhere else."""
    from .star_names import unbound_names

    try:
        with open(importer.f_code.co_filename, "rb") as opened:
            return [one for one in unbound_names(opened.read()) if one not in importer.f_globals]
    except (OSError, SyntaxError, ValueError, RecursionError):
        return []


@functools.lru_cache(maxsize=8)
def _guarded_lines(source: bytes) -> frozenset[int]:
    reading = read_source(source.decode("utf-8", "replace"))
    return reading.guarded if reading else frozenset()
