"""The module that a file gets in place of a framework or of a missing package.

`stand_ins` makes one for each module that is imported. It has the names of `framework_names`; all other names are inert (`inert`),
mark tools, or raise an error that says which package is missing (`missing_package`).

While a tool file is imported (`is_importing`), a missing module has every name; when a tool runs, using such a name raises an
error. A marking decorator, such as @tool, makes any function a tool. A describing one, such as @register, makes one only of a
function for which it is given a description, since it may register anything.
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
from .inert import make_inert
from .marks import is_importing
from .missing_package import load_marking, make_missing
from .package_names import needs_package
from .tool_syntax import DESCRIBING_DECORATORS, MARKING_DECORATORS

_ERROR = re.compile(r"(Error|Exception|Warning|Timeout|Refused|Exit|Interrupt)$")
_PACKAGE = f"{__package__}.framework_names."
# The module of `framework_names` that has the names of a framework. `function_frameworks` has the names of all other frameworks.
_SOURCES = {
    **dict.fromkeys(("smolagents", "crewai", "agno", "llm", "semantic-kernel", "taskweaver"), "class_frameworks"),
    **dict.fromkeys(("mcp", "fastmcp"), "mcp"),
    **dict.fromkeys(("llama-index", "dspy", "langroid", "agency-swarm", "griptape", "atomic-agents", "mirascope", "metagpt", "autogpt", "instructor"), "model_frameworks"),
    "langchain": "langchain",
    **dict.fromkeys(("livekit", "pipecat", "vocode"), "voice_frameworks"),
    **dict.fromkeys(("google-genai", "inspect-ai", "browser-use", "agentscope", "openai"), "declaration_frameworks"),
}


def make_stand_in(name: str) -> StandInModule:
    """The stand-in for the module of this name."""
    return StandInModule(name, _find_names(name))


class StandInModule(ModuleType):
    """A module with some names of a framework. `names`: None if the module is missing and not known."""

    def __init__(self, name: str, names: Mapping[str, Any] | None) -> None:
        super().__init__(name, "A stand-in of Cloche.")
        self.__path__: list[str] = []  # makes it a package, so that its submodules can be imported
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
            # A framework may have names that `framework_names` lacks. Other modules, such as a missing file, mark tools only
            # while a tool file is imported.
            value = load_marking().make_marker_of(module)
        elif self._is_missing and name in DESCRIBING_DECORATORS and is_importing():
            value = load_marking().register_described
        elif self._is_missing:
            value = make_missing(name, module)
        else:
            value = make_inert(name, module)
        setattr(self, name, value)
        return value

    @functools.cached_property
    def _as_name(self) -> Any:
        """The value of the name, for a module that may be a name of a missing file: `from . import Base` looks as if it
        imported the module Base. The operators below use it, so that Base can be called, subclassed, indexed, or part of a
        union."""
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


def _find_names(module: str) -> Mapping[str, Any] | None:
    """The names of a stand-in; None if the framework is unknown."""
    framework = framework_of(module)
    top = module.partition(".")[0]
    # LIBRARIES have types, as pydantic and typing_extensions do. NAMESPACES are packages without names, such as google.
    if framework is None and top not in LIBRARIES:
        return {} if module in NAMESPACES else None
    # A part of the module is named after pydantic, such as langroid.pydantic_v1; semantic_kernel.kernel_pydantic has names of its own.
    if framework is None or any(part.startswith("pydantic") for part in module.split(".")[1:]):
        source = "typing_extensions" if top == "typing_extensions" else "pydantic"
    else:
        source = _SOURCES.get(framework.id, "function_frameworks")
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
