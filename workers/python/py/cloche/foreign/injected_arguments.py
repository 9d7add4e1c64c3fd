"""Supplies the arguments that a framework adds to the model's arguments: contexts, users, emitters, states.

`inference` asks `find_supply` for each parameter of a tool. The supply is a function; the handler calls it with the
running `Call`.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from typing import Any

from .annotations import union_members
from .frameworks import Framework, framework_of
from .inert import Inert, InertType
from .settings import make_user_valves
from .unavailable import Unavailable

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
        """The id of the call; empty where the file is only inspected."""
        return self._context["call_id"] if self._context else ""

    @property
    def session(self) -> str:
        """The id of the session; empty where the file is only inspected."""
        return self._context["session_id"] if self._context else ""

    def update(self, value: Any) -> None:
        """Shows an update of the running call."""
        if self._context:
            self._context["update"](value)

    def log(self, message: str, level: str = "info") -> None:
        """Writes a line to the log of the call."""
        if self._context:
            self._context["log"](message, level)

    async def approve(self, question: str) -> bool:
        """Asks the user, and returns whether they approve. Without a context, nobody can be asked."""
        if not self._context:
            return False
        answer = self._context["approve"](question[:2_000] or "Go on?")
        return bool(await answer if hasattr(answer, "__await__") else answer)

    def memory(self, make: Callable[[], Any]) -> Any:
        """The value that `make` has made, which lives as long as the interpreter."""
        return _memory.setdefault(make, make())


def find_supply(name: str, annotation: Any, default: Any, framework: Framework) -> Supply | None:
    """Returns the function that supplies a parameter; None if the model supplies it."""
    for extra in getattr(annotation, "__metadata__", ()):  # of Annotated
        marked = getattr(extra, _ATTRIBUTE, None)
        if callable(marked):
            return _or_default(marked, default)
    if default is not _ABSENT and callable(getattr(default, _ATTRIBUTE, None)):
        return getattr(default, _ATTRIBUTE)
    for member in union_members(annotation):
        supply = _find_supply_of_class(name, typing.get_origin(member) or member, default)
        if supply is not None:
            return supply
    if name.startswith("__") and name.endswith("__") or name in _WEB_UI:
        return _WEB_UI.get(name) or _or_default(lambda call: None, default)
    if name == "ctx" and annotation is Any and framework.id == "plain":
        return _or_default(lambda call: Unavailable(name), default)
    if name in framework.reserved:
        return _RESERVED.get(name) or _or_default(lambda call: Inert(), default)
    return None


def _find_supply_of_class(name: str, kind: Any, default: Any) -> Supply | None:
    """The supply that the class of a parameter implies: it has a marker, or it is a context of a framework."""
    if isinstance(kind, InertType):
        is_context = name in _CONTEXTS or (name.endswith("_context") and kind.__name__.endswith("Context"))
        is_context = is_context or any(framework_of(base.__module__) for base in kind.__mro__)
        return _or_default(lambda call: Inert(), default) if is_context else None
    marked = getattr(kind, _ATTRIBUTE, None) if isinstance(kind, type) else None
    return marked if callable(marked) else None


def _or_default(supply: Supply, default: Any) -> Supply:
    """The parameter's own default if it has one."""
    return supply if default is _ABSENT else lambda call: default


def emitter(call: Call) -> Any:
    """Supplies Open WebUI's event emitter: events become updates."""

    async def emit(event: Any = None, *values: Any) -> None:
        data = event.get("data") if isinstance(event, dict) else None
        if isinstance(event, dict) and event.get("type") == "status" and isinstance(data, dict):
            call.update({"message": data.get("description", ""), "done": data.get("done", False)})
        elif event is not None:
            call.update(event)

    return emit


def _asker(call: Call) -> Any:
    """Supplies Open WebUI's event call: events become questions to the user."""

    async def ask(event: Any = None) -> Any:
        data = event.get("data", {}) if isinstance(event, dict) else {}
        question = " ".join(str(data[key]) for key in ("title", "message") if isinstance(data, dict) and data.get(key))
        is_agreed = await call.approve(question)
        if isinstance(event, dict) and event.get("type") == "input":
            return data.get("value", "") if is_agreed else ""
        return is_agreed

    return ask


def _user(call: Call) -> dict[str, Any]:
    user = {"id": "user", "name": "User", "email": "user@example.com", "role": "user"}
    valves = make_user_valves(call.owner)
    return user if valves is None else {**user, "valves": valves}


def _shared_dict(call: Call) -> Any:
    """Supplies a dict that lives as long as the interpreter."""
    return call.memory(dict)


DICTS = (_shared_dict,)
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
_RESERVED: dict[str, Supply] = {
    "data": _shared_dict,
    "session_state": _shared_dict,
    "dependencies": lambda call: {},
    "context_variables": _shared_dict,
}
