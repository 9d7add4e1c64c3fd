"""Marks: what a framework's decorator, class or list says about a tool, kept for the file that is being imported."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

ATTRIBUTE = "__cloche_mark__"


class Mark:
    """One tool as the file declares it to its framework. If a value is empty, the function decides."""

    __slots__ = (
        "framework",
        "target",
        "name",
        "description",
        "model",
        "schema",
        "hidden",
        "flags",
        "docstring_parameters",
        "call",
        "owner",
        "explicit",
        "is_copy",
    )

    def __init__(
        self,
        framework: str,
        target: Any,
        *,
        name: str = "",
        description: str = "",
        model: Any = None,
        schema: dict[str, Any] | None = None,
        hidden: Mapping[str, Any] | None = None,
        flags: dict[str, Any] | None = None,
        docstring_parameters: bool | None = None,
        call: Callable[..., Any] | None = None,
        owner: type | None = None,
        explicit: bool = False,
        is_copy: bool = False,
    ) -> None:
        self.framework = framework
        self.target = target  # the function, whose signature and docstring count
        self.name = text_of(name)
        self.description = text_of(description)
        self.model = model  # a model, dataclass or schema that replaces the signature
        self.schema = schema  # the schema as the author wrote it
        self.hidden = hidden or {}  # parameters that a model never sees, each with what supplies it, or None
        self.flags = flags or {}  # keys of a tool spec
        self.docstring_parameters = docstring_parameters  # None means the rule of the framework
        self.call = call  # calls the tool instead of the target, with keyword arguments
        self.owner = owner  # the class whose instance the target is bound to
        self.explicit = explicit  # whether a call or list of the file names it, not a decorator
        self.is_copy = is_copy  # whether a function makes it of any tool that the application passes: it is none of the file


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


_collectors: list[Collector] = []


def collecting(collector: Collector) -> Any:
    """A context in which marks go to the collector."""
    return _Collecting(collector)


def current_collector() -> Collector | None:
    """The collector of the file that is being imported; None at any other time."""
    return _collectors[-1] if _collectors else None


def is_importing() -> bool:
    """Whether a file of another framework is being imported."""
    return bool(_collectors)


def record_mark(found: Mark) -> None:
    """Records a mark, and attaches it to its function."""
    try:
        setattr(found.target, ATTRIBUTE, found)
    except (AttributeError, TypeError):  # a bound method, a builtin
        pass
    collector = current_collector()
    if collector is not None and not found.is_copy:
        collector.marks.append(found)


def note_tools(value: Any) -> None:
    """Records the tools that an agent, a graph or a server was given."""
    collector = current_collector()
    if collector is not None:
        collector.listed.extend(value if isinstance(value, (list, tuple, set)) else [value])


def mark_of(value: Any) -> Mark | None:
    found = getattr(value, "__dict__", {}).get(ATTRIBUTE) if callable(value) else None
    return found if isinstance(found, Mark) else None


def text_of(value: Any) -> str:
    """The text as a plain str; empty for anything else."""
    return str.__str__(value) if isinstance(value, str) else ""


class _Collecting:
    def __init__(self, collector: Collector) -> None:
        self._collector = collector

    def __enter__(self) -> Collector:
        _collectors.append(self._collector)
        return self._collector

    def __exit__(self, *ended: object) -> None:
        _collectors.remove(self._collector)
