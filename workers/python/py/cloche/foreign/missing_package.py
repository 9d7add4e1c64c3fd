"""Makes the names of a package that is not installed: they have no effect while the file is imported, and raise an error
that names the package if a tool uses them. Names that log or measure never raise one.

Used by `stand_in_module` for modules that belong neither to a framework nor to the folder.
"""

from __future__ import annotations

import functools
import importlib
import re
from typing import Any

from .inert import Inert, InertType
from .marks import is_importing
from .package_names import needs_package
from .tool_syntax import ATTRIBUTE_DECORATORS, DESCRIBING_DECORATORS

# Names of functions and classes that make what a tool can do without: get_logger, Console, TracerProvider, but not ConsoleSession.
_LOGS = re.compile(
    r"(?:(?<![A-Za-z])|(?=[A-Z][a-z]))(?i:logs?|logger|console|tracer|metrics|telemetry|sentry|langfuse|posthog|statsd)(?i:_?provider|_?client)?$"
    r"|^(?i:(?:get_?)?meter(?:_?provider)?)$"
)
_ABSENT = "__cloche_absent__"  # an attribute of the names of a missing package, not of their subclasses


def make_missing(name: str, module: str) -> type[Inert]:
    """A name of a missing package, as a class."""
    return _Absent(name, (Inert,), {"__module__": module, _ABSENT: True})


def load_marking() -> Any:
    """The module with what all stand-ins share. It is imported late, because importing it takes time."""
    return importlib.import_module(f"{__package__}.framework_names.marking")


class _Absent(InertType):
    """The class of names of a missing package. They are inert during the import, and raise an error when used later."""

    def __getattr__(cls, name: str) -> Any:
        if not (name.startswith("__") and name.endswith("__")):
            _check_package(cls)
        if name in ATTRIBUTE_DECORATORS and is_importing():
            # A server or agent of a missing file, whose decorator marks tools.
            return load_marking().make_marker("mcp" if cls.__name__ in ("mcp", "server", "app") else "plain")
        if name in DESCRIBING_DECORATORS and is_importing():
            return load_marking().register_described
        made = super().__getattr__(name)
        if _ABSENT in vars(cls) and isinstance(made, InertType) and not _LOGS.search(cls.__name__):
            return make_missing(name, cls.__module__)
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
