"""Actions that an extension asks the page for: returned from a handler, or passed to the app's method of the same name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .json_text import encode_strict
from .limits import REGISTERED_CHARACTERS


class Action:
    """What the page is asked to do. Made by the functions of this module."""

    __slots__ = ("name", "values", "function")

    def __init__(
        self, name: str, values: dict[str, object], function: Callable[[], Any] | None = None
    ) -> None:
        self.name = name
        self.values = values
        self.function = function


def notify(text: str) -> Action:
    """Shows a short notice, which disappears by itself."""
    return Action("notify", {"text": _text("text", text)})


_NONE = object()


def show_message(text: str, data: object = _NONE, *, fallback: str | None = None) -> Action:
    """`show_message(text)` shows a text until the user closes it. `show_message(kind, data)` adds a message to the
    session, which the renderer for this kind draws; `fallback` is its text where there is no renderer."""
    if data is _NONE:
        return Action("show_message", {"text": _text("text", text)})
    written = _text("data", encode_strict(data, "data"))
    shown = written[:2_000] if fallback is None else _text("fallback", fallback)
    return Action("show_data", {"kind": _text("kind", text), "data": written, "text": shown})


def send_message(text: str) -> Action:
    """Sends a message in the session, as if the user had written it. Steers a running turn."""
    return Action("send_message", {"text": _text("text", text)})


def set_title(text: str) -> Action:
    """Renames the session."""
    return Action("set_title", {"text": _text("text", text)})


def set_status(key: str, text: str) -> Action:
    """Changes the text of a registered status section; "" hides it."""
    return Action("set_status", {"key": _text("key", key), "text": _text("text", text)})


def open_file(path: str, line: int | None = None) -> Action:
    """Opens a file of the tools folder in the editor."""
    if line is not None and type(line) is not int:
        raise TypeError(f"line must be int or None, not {type(line).__name__}")
    return Action("open_file", {"path": _text("path", path), "line": line})


def run_async(function: Callable[[], Any]) -> Action:
    """Calls the function, plain or async, without making anybody wait. It may return another action."""
    if not callable(function):
        raise TypeError(f"run_async takes a function, not {type(function).__name__}")
    return Action("run_async", {}, function)


def _text(name: str, value: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name} must be str, not {type(value).__name__}")
    if len(value) > REGISTERED_CHARACTERS:
        raise ValueError(f"{name} has {len(value):,} characters, more than the limit of {REGISTERED_CHARACTERS:,}")
    return str.__str__(value)
