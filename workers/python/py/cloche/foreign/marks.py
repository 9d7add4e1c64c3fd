"""Marks: the tools as a file declares them, each with its function and what a decorator, class, list or call says about it.

Stand-ins record marks while a file is imported. `collection` takes these, and makes further ones of what else it finds in the
file; `inferred_tools` makes a spec of each.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass, field
from functools import lru_cache
from types import FunctionType
from typing import Any, NamedTuple

_ATTRIBUTE = "__cloche_mark__"  # a marked function has its mark in this attribute
_CachedFunction: type = type(lru_cache(len))
# The classes of functions that a file defines, with those that functools.cache and lru_cache make from functions.
FUNCTIONS = (FunctionType, _CachedFunction)


@dataclass(eq=False, repr=False, slots=True)
class Mark:
    """One tool as the file declares it to its framework. If a value is empty, the function decides."""

    framework: str  # the id of the framework whose rules apply (`frameworks`); "plain" for none
    target: Any  # the function, whose signature and docstring count
    _: KW_ONLY
    name: str = ""
    description: str = ""
    model: Any = None  # a model, dataclass or schema that replaces the signature
    schema: dict[str, Any] | None = None  # the schema as the author wrote it
    hidden: Mapping[str, Any] = field(default_factory=dict)  # parameters that a model never sees, each with its supply; None: its default
    flags: dict[str, Any] = field(default_factory=dict)  # keys of a tool spec, and options for the inference
    docstring_parameters: bool | None = None  # whether the docstring describes parameters; None means the rule of the framework
    call: Callable[..., Any] | None = None  # calls the tool instead of the target, with keyword arguments; first the instance, if there is one
    owner: type | None = None  # the class whose instance the target is bound to
    explicit: bool = False  # whether a call or list of the file names it: it is a tool of the file even if its function is from another
    names: Mapping[str, Any] = field(default_factory=dict)  # those of the function in which the target is defined, which its annotations may use
    is_copy: bool = False  # whether the file makes it from any tool that the application passes, so that it is not a tool of the file

    def __post_init__(self) -> None:
        self.name, self.description = text_of(self.name), text_of(self.description)


class RunModel(NamedTuple):
    """Calls a tool that is a model: creates the model from the arguments, and calls the method that runs it."""

    kind: type
    method: str

    def __call__(self, **given: Any) -> Any:
        return getattr(self.kind(**given), self.method)()


class Collector:
    """Collects the marks that one file makes while it is imported."""

    def __init__(self) -> None:
        self.marks: list[Mark] = []
        self.listed: list[Any] = []  # values of `tools=`, in the order in which they were given
        self.low_level: list[Any] = []  # servers that list and call tools with functions of their own
        self.plugins: list[Callable[..., Any]] = []  # functions that register tools when they are called
        # Top-level modules that the file imported, and that are not installed.
        self.used: dict[str, None] = {}  # replaced by a stand-in
        self.missing: dict[str, None] = {}  # without a stand-in
        self.idle: list[None] = []  # one for each call of something missing

    def forget_tools(self) -> None:
        """Called before the file runs again. The modules stay, because they are imported only once."""
        for noted in (self.marks, self.listed, self.low_level, self.plugins, self.idle):
            noted.clear()


_collectors: list[Collector] = []


@contextmanager
def collecting(collector: Collector) -> Iterator[None]:
    """A context in which marks go to the collector."""
    _collectors.append(collector)
    try:
        yield
    finally:
        _collectors.remove(collector)


def current_collector() -> Collector | None:
    """The collector of the file that is being imported; None at any other time."""
    return _collectors[-1] if _collectors else None


def is_importing() -> bool:
    """Whether a file of another framework is being imported."""
    return bool(_collectors)


def record_mark(mark: Mark) -> None:
    """Records a mark, and attaches it to its function."""
    mark.names = _find_local_names(mark.target)
    try:
        setattr(mark.target, _ATTRIBUTE, mark)
    except (AttributeError, TypeError):  # a bound method, a builtin
        pass
    collector = current_collector()
    if collector is not None and not mark.is_copy:
        collector.marks.append(mark)


def _find_local_names(target: Any) -> Mapping[str, Any]:
    """The local names of the function in which a function is defined, while that function runs. Annotations that are texts may use
    them: class Order inside create_server()."""
    if "<locals>" not in text_of(getattr(target, "__qualname__", "")):
        return {}
    function = inspect.unwrap(target)
    try:
        code, annotations = function.__code__, function.__annotations__
    except Exception:  # since Python 3.14, annotations are evaluated when they are read
        return {}
    frame = sys._getframe(1) if any(isinstance(one, str) for one in annotations.values()) else None
    while frame is not None and code not in frame.f_code.co_consts:
        frame = frame.f_back
    return dict(frame.f_locals) if frame is not None else {}


def note_tools(value: Any) -> None:
    """Records the tools that an agent, a graph or a server was given."""
    collector = current_collector()
    if collector is not None:
        collector.listed.extend(value if isinstance(value, (list, tuple, set)) else [value])


def mark_of(value: Any) -> Mark | None:
    """The mark of a function; None for other values."""
    try:
        found = getattr(value, "__dict__", {}).get(_ATTRIBUTE) if callable(value) else None
    except Exception:  # a value such as the `request` of Flask, which exists only while a request is answered
        return None
    return found if isinstance(found, Mark) else None


def remove_cache(function: Any) -> Any:
    """The function below functools.cache or lru_cache; other values stay as they are."""
    return function.__wrapped__ if isinstance(function, _CachedFunction) else function


def text_of(value: Any) -> str:
    """The text as a plain str; empty for anything else."""
    return str.__str__(value) if isinstance(value, str) else ""
