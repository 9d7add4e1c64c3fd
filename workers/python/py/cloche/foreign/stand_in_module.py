"""The module that a file gets in place of a framework or of a missing package.

`stand_ins` makes one for each module that is imported. It has the names of `modules`; all other names are inert, mark
tools, or raise an error that says which package is missing.
"""

from __future__ import annotations

import ast
import builtins
import functools
import importlib
import re
import sys
from collections.abc import Mapping
from types import FrameType, ModuleType
from typing import Any

from .frameworks import LIBRARIES, NAMESPACES, framework_of
from .inert import Inert, InertType, make_inert
from .marks import is_importing
from .package_names import needs_package
from .tool_syntax import ATTRIBUTE_DECORATORS, DESCRIBING_DECORATORS, MARKING_DECORATORS

_ERROR = re.compile(r"(Error|Exception|Warning|Timeout|Refused|Exit|Interrupt)$")
# Names of functions and classes that make what a tool can do without: get_logger, Console, TracerProvider, but not ConsoleSession.
_LOGS = re.compile(
    r"(?:(?<![A-Za-z])|(?=[A-Z][a-z]))(?i:logs?|logger|console|tracer|metrics|telemetry|sentry|langfuse|posthog|statsd)(?i:_?provider|_?client)?$"
    r"|^(?i:(?:get_?)?meter(?:_?provider)?)$"
)
_ABSENT = "__cloche_absent__"  # an attribute of the names of a missing package, not of their subclasses
_PACKAGE = f"{__package__}.modules."
# The module of `modules` that has the names of a framework. `functions` has the names of all other frameworks.
_SOURCES = {
    **dict.fromkeys(("smolagents", "crewai", "agno", "llm", "semantic-kernel", "taskweaver"), "classes"),
    **dict.fromkeys(("mcp", "fastmcp"), "mcp"),
    **dict.fromkeys(("llama-index", "dspy", "langroid", "agency-swarm", "griptape", "atomic-agents", "mirascope", "metagpt", "autogpt", "instructor"), "models"),
    "langchain": "langchain",
    **dict.fromkeys(("livekit", "pipecat", "vocode"), "voice"),
    **dict.fromkeys(("google-genai", "inspect-ai", "browser-use", "agentscope", "openai"), "declared"),
}


def make_stand_in(name: str) -> StandInModule:
    """The stand-in for the module of this name."""
    return StandInModule(name, _find_names(name))


class StandInModule(ModuleType):
    """A module with some names of a framework. `names`: None if the module is missing and not known."""

    def __init__(self, name: str, names: Mapping[str, Any] | None) -> None:
        super().__init__(name, "A stand-in of Cloche.")
        self.__path__: list[str] = []
        self._is_missing = names is None
        vars(self).update(names or {})

    def __getattr__(self, name: str) -> Any:
        if name == "__all__" and is_importing():
            return [own for own in vars(self) if not own.startswith("_")] + _list_wanted_names(sys._getframe(1))
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        module = self.__name__
        if self._is_missing and not is_importing():
            raise ModuleNotFoundError(needs_package(module), name=module)
        if _ERROR.search(name):
            value: Any = type(name, (Exception,), {"__module__": module})
        elif name in MARKING_DECORATORS and (framework_of(module) is not None or is_importing()):
            # The name may be one that the framework does not have, or that comes from a missing file.
            value = _common().make_marker_of(module)
        elif self._is_missing and name in DESCRIBING_DECORATORS and is_importing():
            value = _common().register_described
        elif self._is_missing:
            value = _Absent(name, (Inert,), {"__module__": module, _ABSENT: True})
        else:
            value = make_inert(name, module)
        setattr(self, name, value)
        return value

    @functools.cached_property
    def _as_name(self) -> Any:
        """The name that a missing file may define: `from . import Base` looks as if it imported a module."""
        parent, _, name = self.__name__.rpartition(".")
        return getattr(StandInModule(parent, None), name)

    def __call__(self, *values: Any, **named: Any) -> Any:
        return self._as_name(*values, **named)

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[Any, ...]:
        return (self._as_name,)

    def __getitem__(self, item: Any) -> Any:
        return self._as_name[item]

    def __or__(self, other: Any) -> Any:
        return self._as_name | other

    def __ror__(self, other: Any) -> Any:
        return other | self._as_name


class _Absent(InertType):
    """The class of names of a missing package. They are inert during the import, and raise an error when used later."""

    def __getattr__(cls, name: str) -> Any:
        if not (name.startswith("__") and name.endswith("__")):
            _check_package(cls)
        if name in ATTRIBUTE_DECORATORS and is_importing():
            # A server or agent of a missing file, whose decorator marks tools.
            return _common().make_marker("mcp" if cls.__name__ in ("mcp", "server", "app") else "plain")
        if name in DESCRIBING_DECORATORS and is_importing():
            return _common().register_described
        made = super().__getattr__(name)
        if _ABSENT in vars(cls) and isinstance(made, InertType) and not _LOGS.search(cls.__name__):
            return _Absent(name, (Inert,), {"__module__": cls.__module__, _ABSENT: True})  # is missing, too
        return made

    def __call__(cls, *values: Any, **named: Any) -> Any:
        cls.check_class()
        return super().__call__(*values, **named)

    def __getitem__(cls, item: Any) -> Any:
        _check_package(cls)
        return super().__getitem__(item)

    def __iter__(cls) -> Any:
        _check_package(cls)
        return super().__iter__()

    def __len__(cls) -> int:
        _check_package(cls)
        return super().__len__()

    def check_class(cls) -> None:
        if _ABSENT in vars(cls):  # classes of the file can be instantiated
            _check_package(cls)

    def check_object(cls) -> None:
        cls.check_class()

    def make_part(cls) -> Inert:
        is_checked = _ABSENT in vars(cls) and not _LOGS.search(cls.__name__)
        part: Inert = type.__call__(_make_part_class(cls.__module__) if is_checked else Inert)
        return part


def _check_package(cls: type) -> None:
    """Raises an error that names the package of a class, except while the file is imported, and for loggers and the like."""
    if not is_importing() and not _LOGS.search(cls.__name__):
        module = next(kind.__module__ for kind in cls.__mro__ if _ABSENT in vars(kind))
        raise ModuleNotFoundError(needs_package(module), name=module)


@functools.cache
def _make_part_class(module: str) -> type[Inert]:
    """Returns the class of the attributes and results of objects of a missing package."""
    return _Absent("Part", (Inert,), {"__module__": module, _ABSENT: True, "is_part": True})


def _common() -> Any:
    """The module with what all stand-ins share. It is imported late, because importing it takes time."""
    return importlib.import_module(f"{_PACKAGE}common")


def _find_names(module: str) -> Mapping[str, Any] | None:
    """The names of a stand-in; None if the framework is unknown."""
    framework = framework_of(module)
    top = module.partition(".")[0]
    if framework is None and top not in LIBRARIES:
        return {} if module in NAMESPACES else None
    if framework is None or "pydantic" in module.partition(".")[2]:  # such as langroid.pydantic_v1
        source = "typing_extensions" if top == "typing_extensions" else "pydantic"
    else:
        source = _SOURCES.get(framework.id, "functions")
    names: Mapping[str, Any] = importlib.import_module(_PACKAGE + source).list_names(module)
    return names


def _list_wanted_names(importer: FrameType) -> list[str]:
    """The names that `from module import *` has to bring, because the file uses them and has them from nowhere else."""
    try:
        with open(importer.f_code.co_filename, "rb") as opened:
            return [name for name in _list_unbound_names(opened.read()) if name not in importer.f_globals]
    except (OSError, SyntaxError, ValueError, RecursionError):
        return []


@functools.lru_cache(maxsize=2)
def _list_unbound_names(source: bytes) -> list[str]:
    """The names that a file reads, and that no import, definition or assignment of the file binds."""
    read: dict[str, None] = {}
    bound: set[str] = set(dir(builtins))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Load):
                read.setdefault(node.id)
            else:
                bound.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            bound.add(node.name)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.alias):
            bound.add(node.asname or node.name.partition(".")[0])
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            bound.add(node.name)
    return [name for name in read if name not in bound and not name.startswith("__")]
