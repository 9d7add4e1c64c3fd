"""A mock of the `app` that an extension receives, for tests under any Python."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine
from types import ModuleType, SimpleNamespace
from typing import Any

from .. import asking
from ..actions import Action
from ..extension_app import App
from ..json_text import encode_strict
from ..mock import Answer
from ..streams import sink

# The values that `app` reads if a test has given no others.
_EMPTY: dict[str, object] = {
    "conversation_messages": [],
    "system_prompt": "",
    "prompt_sections": [],
    "session_title": "",
    "step_mode": False,
    "is_background_running": False,
    "tools": [],
    "tool_defs": [],
    "background_safe_tools": [],
    "find_tool": None,
    "commands": [],
    "shortcuts": [],
    "status_sections": [],
    "renderers": [],
    "compactor": None,
    "ext_infos": [],
    "cwd": "",
    "provider": None,
    "providers": [],
    "stream_providers": [],
    "available_models": [],
    "resolve_model": None,
    "switch_model": None,
    "set_provider": None,
    "sync_models": [],
    "sessions": [],
    "fork_session": "fork",
    "toggle_step_mode": True,
    "run_message_hooks": "",
    "checkpoint_workspace": {"name": "now", "created_at": 0.0, "files": 0, "changed": 0},
    "workspace_checkpoints": [],
    "restore_workspace": {"waiting": 0, "refused": 0},
    "call_tool": None,
}


class Refused(Exception):
    """An interceptor of the extension has refused the call; the message is its reason."""


class MockApp(App):
    """The `app` of one extension, whose functions a test calls by what they are registered for.

    Whatever the extension asks of the page is recorded: `performed` has its actions as dicts with `action`, `requests`
    what it has read or changed, and `status` the texts of its status sections. Functions for `run_async` run at once.
    """

    def __init__(self, register: ModuleType | Callable[..., Any], reads: dict[str, object], tools_folder: str) -> None:
        super().__init__(tools_folder)
        self.reads = {**_EMPTY, **reads}
        self.performed: list[dict[str, object]] = []
        self.requests: list[dict[str, object]] = []
        self.status: dict[str, str] = {}
        module = register if isinstance(register, ModuleType) else _module(register)
        report = _wait_for(self.start(module))
        self.registered: list[dict[str, Any]] = [dict(one) for one in report["registered"]]
        for action in report["actions"]:
            self._record(dict(action))

    # Calling what the extension has registered

    def run_command(self, name: str, arguments: str = "") -> None:
        """Runs the command `/name`."""
        self._act_on(self._run_of("command", name), [arguments, {"app": True}])

    def complete(self, name: str, prefix: str = "") -> list[str]:
        """The completions that the command suggests."""
        run = self._one("command", name)["complete"]
        if run is None:
            raise LookupError(f"the command {name} was registered without complete")
        return self._call(run, [prefix])

    def press(self, key: str) -> None:
        """Presses a shortcut."""
        self._act_on(self._run_of("shortcut", key), [{"app": True}])

    def before(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Runs the interceptors before a call; the arguments that the tool would get. Raises Refused."""
        for one in self._by_priority("interceptor", -1):
            answer = None if one["before"] is None else self._call(one["before"], [tool, arguments])
            if answer is not None and "refuse" in answer:
                raise Refused(answer["refuse"])
            if answer is not None:
                arguments = json.loads(answer["arguments"])
        return arguments

    def after(self, tool: str, result: dict[str, Any] | str) -> dict[str, Any]:
        """Runs the interceptors after a call; the changed result. A text stands for a result with this text."""
        if isinstance(result, str):
            result = _result(result)
        for one in self._by_priority("interceptor", 1):
            changed = None if one["after"] is None else self._call(one["after"], [tool, dict(result)])
            result = {**result, **(changed or {})}
        return result

    def message(self, text: str) -> str:
        """The texts that the message hooks add to a message, one per line. Raises what a hook raises, which stops the message."""
        hooks = self._by_priority("message_hook", 1)
        added = [self._call(one["run"], [text])["text"] for one in hooks]
        return "\n".join(filter(None, added))

    def event(self, type: str | dict[str, Any], **fields: Any) -> None:  # noqa: A002
        """Passes an event to the event handlers: its type and fields, or the whole event as a dict. Raises TypeError for
        an event without a type, and LookupError if there is no handler."""
        event = {**type, **fields} if isinstance(type, dict) else {"type": type, **fields}
        if not isinstance(event.get("type"), str) or not event["type"]:
            raise TypeError(f'an event needs a type, such as event("turn_ended"), not {event!r}'[:300])
        self._all("event_handler")
        for one in self._by_priority("event_handler", 1):
            self._act_on(one["run"], [dict(event)])

    def compact(self, messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The messages that the compactor returns."""
        return self._call(self._all("compactor")[-1]["run"], [messages])

    def render(self, kind: str, data: Any, expanded: bool = True) -> list[dict[str, Any]]:
        """The blocks that the renderer draws for a message of this kind."""
        return self._call(self._run_of("renderer", kind), [data, expanded])

    def stream(self, name: str, request: dict[str, Any] | None = None, model: str = "") -> list[dict[str, Any]]:
        """The parts of a stream provider's answer to a request. Raises TypeError or ValueError for an invalid part."""
        parts: list[dict[str, Any]] = []

        async def receive(_: int, text: str) -> str:
            parts.extend(json.loads(json.loads(text)["action"])["items"])
            return '{"answer":"done"}'

        async def answer() -> None:
            sink.set(SimpleNamespace(call_id=1, closed=False))
            asking.connect(receive)
            try:
                await self.run(self._run_of("stream_provider", name), [model, request or {"messages": []}])
            finally:
                asking.connect(None)

        asyncio.run(answer())
        return parts

    def pick(self, item: int | None) -> None:
        """Chooses an item of the open picker, counted from 0; None for none of them. That closes it."""
        shown = [one for one in self.performed if one["action"] == "show_picker"]
        if not shown or shown[-1]["run"] not in self._functions:
            raise LookupError("no picker is open")
        self._act_on(shown[-1]["run"], [item])

    def tool(self, name: str) -> dict[str, Any]:
        """The spec of a registered tool, with its `handler`."""
        for spec in self.tool_specs:
            if spec["name"] == name:
                return spec
        raise _unknown("tool", name, [str(spec["name"]) for spec in self.tool_specs])

    # In place of the page

    def _require_bound(self, name: str) -> None:
        if self._is_open:  # otherwise the test itself may call anything
            super()._require_bound(name)

    def _send(self, name: str, asked: dict[str, object], read: Callable[[Any], Any]) -> Any:
        encode_strict(asked, name)  # raises as the page's interpreter does
        answer = self._answer(name, asked)
        try:
            is_task = asyncio.current_task() is not None
        except RuntimeError:
            is_task = False
        value = read(answer)
        return Answer(value) if is_task else value

    def _answer(self, name: str, asked: dict[str, object]) -> dict[str, object]:
        """The page's answer to a question of the extension: the value that the test has given, or that an action is done."""
        action = str(asked["action"])
        if action not in self.reads:
            if action in ("set_conversation_messages", "cancel_background", "dispatch_event"):
                self.requests.append(dict(asked))
            else:
                self._record(dict(asked))
            return {"answer": "done"}
        self.requests.append(dict(asked))
        known = self.reads[action]
        values = {key: value for key, value in asked.items() if key != "action"}
        answer = known(**values) if callable(known) else known
        return {"answer": "value", "value": encode_strict(answer, f"the mock's answer to {name}")}

    def _perform(self, action: Action) -> None:
        if self._is_open:
            super()._perform(action)
        else:
            self._record(self._written(action))

    def _record(self, action: dict[str, Any]) -> None:
        """Records an action that the extension asks for. Its function for `run_async` runs at once."""
        if action["action"] == "set_status":
            if all(one["name"] != action["key"] for one in self._registered if one["kind"] == "status_section"):
                raise RuntimeError(f"the extension has registered no status section {action['key']!r}")
            self.status[action["key"]] = action["text"]
        self.performed.append(action)
        if action["action"] == "run_async":
            self._act_on(action["run"], [])

    def _act_on(self, run: int, values: list[Any]) -> None:
        """Calls a function of the extension, and records the action that it returns."""
        returned = self._call(run, values)
        if returned is not None:
            self._record(returned)

    def _call(self, run: int, values: list[Any]) -> Any:
        """Calls a function of the extension by its number."""
        return _wait_for(self.run(run, values))

    def _all(self, kind: str) -> list[dict[str, Any]]:
        """What the extension has registered of a kind. Raises LookupError if there is none."""
        found = [one for one in self.registered if one["kind"] == kind]
        if not found:
            raise LookupError(f"the extension has registered no {kind.replace('_', ' ')}")
        return found

    def _by_priority(self, kind: str, sign: int) -> list[dict[str, Any]]:
        """What the extension has registered of a kind, by ascending priority, or by descending priority if `sign` is -1."""
        known = [one for one in self.registered if one["kind"] == kind]
        return sorted(known, key=lambda one: sign * one["priority"])

    def _one(self, kind: str, name: str) -> dict[str, Any]:
        """What the extension has registered last under this name. Raises LookupError if there is none."""
        found = [one for one in self._all(kind) if one["name"] == name]
        if not found:
            raise _unknown(kind, name, [one["name"] for one in self._all(kind)])
        return found[-1]

    def _run_of(self, kind: str, name: str) -> int:
        """The number of the function that a registration runs."""
        return self._one(kind, name)["run"]


def mock_app(register: ModuleType | Callable[..., Any], *, tools_folder: str = "", **reads: object) -> MockApp:
    """Registers an extension with an app that is bound to a session which exists only in the test.

    `register` is its module or its function `register(app)`. `reads` are the answers to what it reads, by the name of the
    method: `session_title="Trip"`. A callable gets the arguments of the method by name. Call this and the methods of the
    mock outside asynchronous functions.

    >>> from cloche import actions
    >>> def register(app):
    ...     app.register_command(name="hello", handler=lambda args, app: actions.notify(f"{args}: {app.session_title()}"))
    >>> app = mock_app(register, session_title="Trip")
    >>> app.run_command("hello", "Ada")
    >>> app.performed
    [{'action': 'notify', 'text': 'Ada: Trip'}]
    """
    unknown = reads.keys() - _EMPTY.keys()
    if unknown:
        raise TypeError(f"an extension does not read {', '.join(sorted(unknown))}; it reads: {', '.join(_EMPTY)}")
    return MockApp(register, reads, tools_folder)


def _module(register: Callable[..., Any]) -> ModuleType:
    """A module that has only this function `register`."""
    module = ModuleType("extension")
    vars(module)["register"] = register
    return module


def _wait_for(returned: Any) -> Any:
    """The value of an awaitable; other values stay as they are."""
    if not isinstance(returned, Awaitable):
        return returned

    async def result() -> Any:
        return await returned

    coroutine: Coroutine[Any, Any, Any] = result()
    return asyncio.run(coroutine)


def _result(text: str) -> dict[str, Any]:
    """The result of a call that returned a text."""
    nothing: dict[str, Any] = {"error": None, "traceback": "", "recoverable": False, "metadata": {}}
    content = [{"type": "text", "text": text}]
    streamed: dict[str, Any] = {"updates": [], "log": [], "stdout": "", "stderr": "", "duration_ms": 0}
    return {"result_type": "success", "text_result_for_llm": text, "content": content, **nothing, **streamed}


def _unknown(kind: str, name: str, known: list[str]) -> LookupError:
    what = kind.replace("_", " ")
    return LookupError(f"the extension has registered no {what} {name!r}; it has: {', '.join(known)}")
