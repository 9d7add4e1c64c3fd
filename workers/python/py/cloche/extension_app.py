"""The `app` that an extension's `register(app)` receives. What it registers is reported to the page as plain data; its
functions stay here, and the page calls them by number."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any

from . import actions, asking
from .actions import Action
from .extension_answers import READERS, as_event_handler
from .extension_models import ModelRegistrations
from .extension_session import BoundApp
from .json_text import encode_strict
from .limits import KEPT_FUNCTIONS, NAME_CHARACTERS, REGISTRATIONS
from .wording import checked_text, nearest

_SIDES = ("left", "right")


class App(ModelRegistrations, BoundApp):
    """Collects what one extension registers; afterwards, asks the page to act."""

    def __init__(self, tools_folder: str = "") -> None:
        self.tools_folder = tools_folder
        self.tool_specs: list[dict[str, object]] = []
        self._registered: list[dict[str, object]] = []
        self._functions: dict[int, tuple[str, Callable[..., Any]]] = {}
        self._next = 0
        self._early: list[dict[str, object]] = []
        self._is_open = True
        self._pending: list[Action] = []

    # Registering

    def register_ext_info(self, *, name: str, version: str = "") -> None:
        """The name and version under which the extension is listed."""
        self._add("ext_info", name, version=checked_text("version", version, NAME_CHARACTERS))

    def register_tool(
        self, *, name: str, execute: Callable[..., Any], replace: bool = False, **spec: Any
    ) -> None:
        """Registers a tool: the keys of a tool spec as keyword arguments, with `execute` as its handler. With
        `replace`, it replaces a tool of the same name."""
        entry = {"name": name, "handler": execute, **spec}
        if "interrupt_behavior" in entry:
            entry["interrupt"] = entry.pop("interrupt_behavior")
        self._add("tool", name, replace=replace is True)
        self.tool_specs.append(entry)

    def register_command(
        self,
        *,
        name: str,
        handler: Callable[..., Any],
        description: str = "",
        complete: Callable[..., Any] | None = None,
        immediate: bool = False,
    ) -> None:
        """A command for `/name` and the palette. `handler(args, app)` may return an action; `complete(prefix)` returns a
        list of str. An immediate command runs during a turn, others after it."""
        self._add(
            "command",
            name,
            description=checked_text("description", description),
            run=self._keep("action", handler),
            complete=None if complete is None else self._keep("complete", complete),
            immediate=immediate is True,
        )

    def register_shortcut(self, *, key: str, handler: Callable[..., Any], description: str = "") -> None:
        """A key such as "ctrl+shift+g". `handler(app)` may return an action."""
        described = checked_text("description", description)
        self._add("shortcut", key, description=described, run=self._keep("action", handler))

    def register_prompt_section(
        self, *, title: str, content: str, order: float = 0, token_hint: int | None = None
    ) -> None:
        """A section of the system prompt of every session; lower orders come first."""
        hint = None if token_hint is None else _number("token_hint", token_hint)
        content = checked_text("content", content)
        self._add("prompt_section", title, content=content, order=_number("order", order), token_hint=hint)

    def register_interceptor(
        self,
        *,
        name: str,
        priority: float = 0,
        before: Callable[..., Any] | None = None,
        after: Callable[..., Any] | None = None,
    ) -> None:
        """Runs around every call: `before(tool, arguments)` allows (True or None), denies (False or a reason), or returns
        `{"arguments": {…}}`; `after(tool, result)` returns changed parts of the result, a text instead of it, or None."""
        if before is None and after is None:
            raise TypeError("an interceptor needs before, after or both")
        self._add(
            "interceptor",
            name,
            priority=_number("priority", priority),
            before=None if before is None else self._keep("before", before),
            after=None if after is None else self._keep("after", after),
        )

    def register_message_hook(
        self, *, name: str, on_message: Callable[..., Any], priority: float = 0
    ) -> None:
        """`on_message(text)` returns context for this turn; "" adds none, and an exception stops the message."""
        run = self._keep("message", on_message)
        self._add("message_hook", name, priority=_number("priority", priority), run=run)

    def register_event_handler(
        self,
        *,
        name: str,
        handle: Callable[..., Any],
        priority: float = 0,
        filter: Callable[..., Any] | None = None,  # noqa: A002
    ) -> None:
        """`handle(event)` observes events for which `filter(event)` is true, and may return an action."""
        if filter is not None and not callable(filter):
            raise TypeError(f"filter must be a function, not {type(filter).__name__}")
        run = self._keep("action", as_event_handler(filter, _function(handle)))
        self._add("event_handler", name, priority=_number("priority", priority), run=run)

    def register_status_section(self, *, key: str, side: str = "right", order: float = 0) -> None:
        """A text in the status line; `set_status(key, text)` changes it."""
        if side not in _SIDES:
            raise ValueError(f'side must be "left" or "right", not {side!r}'[:200])
        self._add("status_section", key, side=side, order=_number("order", order))

    # Acting

    def notify(self, text: str) -> None:
        """See `actions.notify`."""
        self._perform(actions.notify(text))

    def show_message(self, text: str, *data: object, fallback: str | None = None) -> None:
        """See `actions.show_message`."""
        self._perform(actions.show_message(text, *data, fallback=fallback))

    def set_status(self, key: str, text: str) -> None:
        """See `actions.set_status`. Also possible while registering."""
        self._perform(actions.set_status(key, text))

    def open_file(self, path: str, line: int | None = None) -> None:
        """See `actions.open_file`."""
        self._perform(actions.open_file(path, line))

    exec = open_file

    def run_async(self, function: Callable[[], Any]) -> None:
        """See `actions.run_async`."""
        self._perform(actions.run_async(function))

    def __getattr__(self, name: str) -> Any:
        known = [one for one in dir(type(self)) if not one.startswith("_")]
        near = nearest(name, known)
        hint = f"; did you mean {near}?" if near else ""
        raise AttributeError(f"the app has no {name!r}{hint}")

    # For the loader

    def start(self, module: ModuleType) -> object:
        """Calls the module's `register(app)`; returns what it registered, or an awaitable of that."""
        returned = vars(module)["register"](self)
        if inspect.isawaitable(returned):
            return self._after(returned)
        return self._report()

    def run(self, id: int, values: list[Any]) -> object:  # noqa: A002
        """Calls a registered function; returns its answer as plain data, or an awaitable of that."""
        kind, function = self._functions[id]
        if kind == "once":
            del self._functions[id]
        if kind in ("action", "once"):
            values = [self if one == {"app": True} else one for one in values]
        read = READERS[kind]
        returned = function(*values)
        if inspect.isawaitable(returned):
            return self._read_later(read, returned)
        self._flush()
        return self._plain(read(returned))

    async def _after(self, returned: Any) -> object:
        await returned
        return self._report()

    async def _read_later(self, read: Callable[[Any], Any], returned: Any) -> object:
        answer = await returned
        self._flush()
        return self._plain(read(answer))

    def _report(self) -> dict[str, object]:
        self._is_open = False
        return {"registered": self._registered, "actions": self._early}

    def _plain(self, answer: object) -> object:
        return self._written(answer) if isinstance(answer, Action) else answer

    def _perform(self, action: Action) -> None:
        if self._is_open and action.name == "set_status":
            self._early.append(self._written(action))
            return
        self._require_bound(action.name)
        asking.tell(asking.current_call(), {"ask": "app", "action": encode_strict(self._written(action), action.name)})

    def _written(self, action: Action) -> dict[str, object]:
        written = {"action": action.name, **action.values}
        if action.function is not None:
            if len(self._functions) > KEPT_FUNCTIONS:
                raise RuntimeError(f"more than {KEPT_FUNCTIONS:,} functions wait to run")
            written["run"] = self._keep("once", action.function)
        return written

    def _add(self, kind: str, name: str, **values: object) -> None:
        if not self._is_open:
            raise RuntimeError("an extension registers only in register(app)")
        if len(self._registered) >= REGISTRATIONS:
            raise ValueError(f"an extension registers at most {REGISTRATIONS:,} things")
        self._registered.append({"kind": kind, "name": _name(name), **values})

    def _keep(self, kind: str, function: Callable[..., Any]) -> int:
        self._next += 1
        self._functions[self._next] = (kind, _function(function))
        return self._next


def _function(value: Callable[..., Any]) -> Callable[..., Any]:
    if not callable(value):
        raise TypeError(f"a function is expected, not {type(value).__name__}")
    return value


def _name(value: str) -> str:
    text = checked_text("name", value, NAME_CHARACTERS)
    if not text.strip():
        raise ValueError("a registration needs a name")
    return text


def _number(name: str, value: float) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not -1e9 < value < 1e9:
        raise TypeError(f"{name} must be a number, not {value!r}"[:200])
    return value
