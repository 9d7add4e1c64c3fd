"""A call of a tool that a program has written, and perhaps not awaited."""

from __future__ import annotations

from collections.abc import Coroutine, Generator
from typing import Any

_MISUSES = (
    "getitem setitem iter len contains bool str format add radd sub rsub mul rmul truediv rtruediv mod lt le gt ge int "
    "float index enter"
).split()


class ToolCall(Coroutine):  # type: ignore[type-arg]
    """Makes the call when it is awaited. Any other use raises TypeError with what to write: a plain coroutine would be
    printed, or be true, without the call having been made.

    `waiting` contains the calls that have not begun.
    """

    __slots__ = ("_begun", "_label", "_make", "_waiting", "__weakref__")

    def __init__(self, label: str, make: Any, waiting: set[ToolCall]) -> None:
        self._label = label
        self._make = make
        self._waiting = waiting
        self._begun: Any = None
        waiting.add(self)

    @property
    def label(self) -> str:
        """The call as the program writes it, such as `module.tool`."""
        return self._label

    def _coroutine(self) -> Any:
        if self._begun is None:
            self._waiting.discard(self)
            self._begun = self._make()
        return self._begun

    def __await__(self) -> Generator[Any, Any, Any]:
        return self._coroutine().__await__()  # type: ignore[no-any-return]

    def send(self, value: Any) -> Any:
        return self._coroutine().send(value)

    def throw(self, *thrown: Any) -> Any:
        return self._coroutine().throw(*thrown)

    def close(self) -> None:
        if self._begun is not None:
            self._begun.close()

    def __repr__(self) -> str:
        return f"<{self._label}(…) without await>"

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(_advice(self._label), name=name, obj=self)


def _advice(label: str) -> str:
    return f"the call is not awaited. Write `await {label}(…)`, in parentheses where its result is used"


def _misuse(self: ToolCall, *_: Any) -> Any:
    raise TypeError(_advice(self._label))


for _name in _MISUSES:
    setattr(ToolCall, f"__{_name}__", _misuse)
