"""Supplies the arguments that a framework adds to the model's arguments: contexts, users, emitters, states."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from typing import Any

from .annotations import union_members
from .frameworks import Framework, framework_of
from .inert import Inert, InertType
from .settings import user_valves

_ATTRIBUTE = "__cloche_injected__"
_ABSENT = inspect.Parameter.empty
# Names of parameters for a context, whose class may come from a missing file. Other parameters of such classes are the model's.
_CONTEXTS = frozenset(("ctx", "context", "wrapper", "run_context", "tool_context"))
Supply = Callable[["Call"], Any]

_memory: dict[Any, Any] = {}


class Call:
    """The running call, for values that a framework supplies."""

    def __init__(self, context: Any, tool: str, parameter: str = "", owner: Any = None) -> None:
        self._context = context
        self.tool = tool
        self.parameter = parameter
        self.owner = owner  # the class that the tool is a method of

    @property
    def id(self) -> str:
        return self._context["call_id"] if self._context else ""

    @property
    def session(self) -> str:
        return self._context["session_id"] if self._context else ""

    def update(self, value: Any) -> None:
        if self._context:
            self._context["update"](value)

    def log(self, message: str, level: str = "info") -> None:
        if self._context:
            self._context["log"](message, level)

    async def approve(self, question: str) -> bool:
        if not self._context:
            return False
        answer = self._context["approve"](question[:2_000] or "Go on?")
        return bool(await answer if hasattr(answer, "__await__") else answer)

    def memory(self, make: Callable[[], Any]) -> Any:
        """The value of this kind, which lives as long as the interpreter."""
        return _memory.setdefault(make, make())


def supplier(name: str, annotation: Any, default: Any, framework: Framework) -> Supply | None:
    """Returns the function that supplies the parameter; None if the model supplies it."""
    for extra in getattr(annotation, "__metadata__", ()):
        marked = getattr(extra, _ATTRIBUTE, None)
        if callable(marked):
            return _or_default(marked, default)
    if default is not _ABSENT and callable(getattr(default, _ATTRIBUTE, None)):
        return getattr(default, _ATTRIBUTE)
    for member in union_members(annotation):
        kind = typing.get_origin(member) or member
        marked = getattr(kind, _ATTRIBUTE, None) if isinstance(kind, type) and not isinstance(kind, InertType) else None
        if callable(marked):
            return marked
        if isinstance(kind, InertType) and (name in _CONTEXTS or any(framework_of(one.__module__) for one in kind.__mro__)):
            return _or_default(lambda call: Inert(), default)
    if name.startswith("__") and name.endswith("__") or name in _WEB_UI:
        return _WEB_UI.get(name) or _or_default(lambda call: None, default)
    if name in framework.reserved:
        return _RESERVED.get(name) or _or_default(lambda call: Inert(), default)
    return None


def _or_default(supply: Supply, default: Any) -> Supply:
    return supply if default is _ABSENT else lambda call: default


def emitter(call: Call) -> Any:
    async def emit(event: Any = None, *values: Any) -> None:
        data = event.get("data") if isinstance(event, dict) else None
        if isinstance(event, dict) and event.get("type") == "status" and isinstance(data, dict):
            said = {"message": data.get("description", ""), "done": data.get("done", False)}
            call.update(said)
        elif event is not None:
            call.update(event)

    return emit


def _asker(call: Call) -> Any:
    async def ask(event: Any = None) -> Any:
        data = event.get("data", {}) if isinstance(event, dict) else {}
        question = " ".join(str(data[key]) for key in ("title", "message") if isinstance(data, dict) and data.get(key))
        agreed = await call.approve(question)
        is_input = isinstance(event, dict) and event.get("type") == "input"
        return (data.get("value", "") if agreed else "") if is_input else agreed

    return ask


def _user(call: Call) -> dict[str, Any]:
    user = {"id": "user", "name": "User", "email": "user@example.com", "role": "user"}
    valves = user_valves(call.owner)
    return user if valves is None else {**user, "valves": valves}


_WEB_UI: dict[str, Supply] = {
    "__user__": _user,
    "__event_emitter__": emitter,
    "__event_call__": _asker,
    "__id__": lambda call: call.tool,
    "__chat_id__": lambda call: call.session,
    "__session_id__": lambda call: call.session,
    "__message_id__": lambda call: call.id,
    "__messages__": lambda call: [],
    "__files__": lambda call: [],
    "__metadata__": lambda call: {},
    "__model__": lambda call: {},
}


def _shared(call: Call) -> Any:
    return call.memory(dict)


DICTS = (_shared,)  # suppliers of a dict that lives as long as the interpreter
_RESERVED: dict[str, Supply] = {
    "data": _shared,
    "session_state": _shared,
    "dependencies": lambda call: {},
    "context_variables": _shared,
}
