"""Actions that an extension asks the page for: returned from a handler, or passed to the app's method of the same name."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from typing import Any

from .json_text import encode_strict
from .limits import IMAGE_BYTES, PICKER_ITEMS
from .wording import checked_text


class Action:
    """A request to the page to do something. Made by the functions of this module."""

    __slots__ = ("name", "values", "function")

    def __init__(
        self, name: str, values: dict[str, object], function: Callable[..., Any] | None = None
    ) -> None:
        self.name = name
        self.values = values
        self.function = function


def notify(text: str) -> Action:
    """Shows a short notice, which disappears by itself."""
    return Action("notify", {"text": checked_text("text", text)})


_NONE = object()


def show_message(text: str, data: object = _NONE, *, fallback: str | None = None) -> Action:
    """`show_message(text)` shows a text until the user closes it. `show_message(kind, data)` adds a message to the
    session, which the renderer for this kind draws; `fallback` is its text where there is no renderer."""
    if data is _NONE:
        return Action("show_message", {"text": checked_text("text", text)})
    written = checked_text("data", encode_strict(data, "data"))
    shown = written[:2_000] if fallback is None else checked_text("fallback", fallback)
    return Action("show_data", {"kind": checked_text("kind", text), "data": written, "text": shown})


def send_message(text: str) -> Action:
    """Sends a message in the session, as if the user had written it. Steers a running turn."""
    return Action("send_message", {"text": checked_text("text", text)})


# Some actions have a second name: that of the same action in the API that this one covers (docs/extension-names.md).
steer = send_message


def follow_up(text: str) -> Action:
    """Sends a message when the running turn has ended; at once if none runs."""
    return Action("follow_up", {"text": checked_text("text", text)})


def run_background(prompt: str) -> Action:
    """Runs a prompt in the background of the session, which has one such prompt at a time."""
    return Action("run_background", {"text": checked_text("prompt", prompt)})


def set_title(text: str) -> Action:
    """Renames the session."""
    return Action("set_title", {"text": checked_text("text", text)})


set_session_title = set_title


def set_status(key: str, text: str) -> Action:
    """Changes the text of a registered status section; "" hides it."""
    return Action("set_status", {"key": checked_text("key", key), "text": checked_text("text", text)})


def open_file(path: str, line: int | None = None) -> Action:
    """Opens a file of the tools folder in the editor."""
    if line is not None and type(line) is not int:
        raise TypeError(f"line must be int or None, not {type(line).__name__}")
    return Action("open_file", {"path": checked_text("path", path), "line": line})


exec = open_file  # noqa: A001


def attach_image(data: bytes | str, media_type: str = "image/png", name: str = "image") -> Action:
    """Attaches an image to the message that the user is writing: bytes, or base64 as str, of at most 5 MB. It takes the
    place of one of the same name."""
    if isinstance(data, (bytes, bytearray, memoryview)):
        if len(data) > IMAGE_BYTES:
            raise ValueError(f"the image has {len(data):,} bytes, more than the limit of {IMAGE_BYTES:,}")
        data = base64.b64encode(data).decode()
    encoded = checked_text("data", data, IMAGE_BYTES * 4 // 3 + 4)
    return Action(
        "attach_image",
        {
            "data": encoded,
            "media_type": checked_text("media_type", media_type),
            "name": checked_text("name", name),
        },
    )


def detach_image(name: str | None = None) -> Action:
    """Removes an image that the extension has attached; all of them without a name."""
    return Action("detach_image", {"name": None if name is None else checked_text("name", name)})


def show_picker(title: str, items: Sequence[Any], on_select: Callable[[Any], Any]) -> Action:
    """Lets the user choose one of at most 500 items: each is a str, or a dict with "label" and "detail".

    `on_select(item)` is called with the chosen one, and may return another action. It is not called if the user
    chooses none.
    """
    if not callable(on_select):
        raise TypeError(f"on_select must be a function, not {type(on_select).__name__}")
    chosen = list(items)
    if not 0 < len(chosen) <= PICKER_ITEMS:
        raise ValueError(f"a picker has 1 to {PICKER_ITEMS} items, not {len(chosen):,}")
    shown = [_item(one) for one in chosen]

    def run(index: int | None) -> Any:
        return None if index is None else on_select(chosen[index])

    return Action("show_picker", {"title": checked_text("title", title), "items": shown}, run)


def swap_session(session_id: str | None = None) -> Action:
    """Shows another session of this folder; a new one without an id."""
    return Action(
        "swap_session", {"session": None if session_id is None else checked_text("session_id", session_id)}
    )


load_session = swap_session


def quit() -> Action:  # noqa: A001
    """Closes the view of the session, which stays in the list."""
    return Action("quit", {})


request_quit = quit


def run_async(function: Callable[[], Any]) -> Action:
    """Calls the function, plain or async, in the background. It may return another action."""
    if not callable(function):
        raise TypeError(f"run_async takes a function, not {type(function).__name__}")
    return Action("run_async", {}, function)


def _item(one: Any) -> dict[str, str]:
    given = one if isinstance(one, dict) else {"label": one}
    return {key: checked_text(f"the {key} of an item", given.get(key, ""))[:500] for key in ("label", "detail")}
