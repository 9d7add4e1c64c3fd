"""A value that is not available here, such as the dependencies of an agent, and everything that is made from it.

The loader puts it in place of what only the application has, what a failed statement would have made, and what a command
line would give. A tool that uses it fails with an error that says why it is missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .inert import Inert
from .marks import FUNCTIONS, is_importing

_PARTS, _NAME_CHARACTERS = 1_000, 200
_DECORATORS = ("tool", "tool_plain", "function_tool", "create_from_function", "upsert_from_function")
_OF_APPLICATION = "which only the application provides"
# Operators that are inert while a file is imported, and raise the error afterwards.
_OPERATORS = (
    "len", "bool", "int", "index", "float", "format", "contains", "setitem", "delitem", "lt", "le", "gt", "ge", "add",
    "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "floordiv", "mod", "neg", "or", "and",
)


class Unavailable(Inert):
    """A value that is not available here. While a file is imported, it is inert. Afterwards, any use raises an error.

    `named`: what it is, for the error. `why`: the end of the error.
    """

    def __init__(self, named: str, why: str = _OF_APPLICATION, parts: Iterator[int] | None = None) -> None:
        self._named, self._why = named, why
        self._parts = iter(range(_PARTS)) if parts is None else parts  # ends when no more parts may be made from the value

    @property
    def is_of_application(self) -> bool:
        return self._why == _OF_APPLICATION

    def _part(self, named: str) -> Unavailable:
        """A part of the value, such as an attribute or the result of a call; raises the error after the import."""
        # A loop that waits for the end of a value must end.
        if is_importing() and next(self._parts, None) is not None:
            return Unavailable(named[:_NAME_CHARACTERS], self._why, self._parts)
        raise RuntimeError(f"the tool uses {named[:_NAME_CHARACTERS]}, {self._why}")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        part = self._part(f"{self._named}.{name}")
        if name in _DECORATORS:
            part.__class__ = _Decorator
        return part

    def __fspath__(self) -> str:
        self._part(self._named)
        return "unavailable"

    def __getitem__(self, key: Any) -> Any:
        return self._part(f"{self._named}[{key!r}]")

    def __call__(self, *values: Any, **named: Any) -> Any:
        result = self._part(f"{self._named}()")
        is_decorator = len(values) == 1 and not named and isinstance(values[0], (*FUNCTIONS, type))
        return values[0] if is_decorator else result

    def __iter__(self) -> Any:
        self._part(self._named)
        return iter(())

    def __await__(self) -> Any:
        return self._part(self._named)
        yield

    def __enter__(self) -> Any:
        return self._part(self._named)

    async def __aenter__(self) -> Any:
        return self._part(self._named)

    def __str__(self) -> str:
        return format(self)


class _Decorator(Unavailable):
    """The decorator of a server or an agent that cannot be made: it marks tools."""

    def __call__(self, *values: Any, **named: Any) -> Any:
        from .framework_names.marking import make_marker_in_use

        part = self._part(self._named)
        result = make_marker_in_use()(*values, **named)
        return part if self._named.endswith("_from_function") else result


def _check_before(operator: str) -> Any:
    """An operator of inert values that first checks whether the value may be used."""
    does = getattr(Inert, operator)

    def use(self: Unavailable, *values: Any) -> Any:
        self._part(self._named)
        return does(self, *values)

    return use


for _operator in _OPERATORS:
    setattr(Unavailable, f"__{_operator}__", _check_before(f"__{_operator}__"))
