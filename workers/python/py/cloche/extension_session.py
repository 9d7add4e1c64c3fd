"""The part of an extension's `app` that reads a session and acts in it. In plain functions the methods wait and return
the value; in asynchronous functions they return something to await."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Generator
from typing import Any

from . import actions, asking
from .actions import Action
from .json_text import encode_strict
from .limits import ASKED_CHARACTERS, PENDING_ACTIONS

_INSTEAD = "make the function `async def` and write `await app.{}(…)`"


class BoundApp:
    """Mixed into App. Before the app is bound, its methods raise RuntimeError."""

    tools_folder: str  # the path of the folder's files in this interpreter
    _is_open: bool
    _pending: list[Action]
    _written: Callable[[Action], dict[str, object]]
    _perform: Callable[[Action], None]

    # Reading the conversation

    def conversation_messages(self, last: int | None = None) -> Any:
        """The messages that the model is sent, oldest first: dicts with `role` and `content`. `last`: only so many of
        the newest."""
        return self._request("conversation_messages", last=last)

    def system_prompt(self) -> Any:
        """The system prompt of the next request."""
        return self._request("system_prompt")

    def prompt_sections(self) -> Any:
        """The sections of the system prompt: dicts with `title`, `content`, `tokens` and `file`."""
        return self._request("prompt_sections")

    def session_title(self) -> Any:
        """The title of the session."""
        return self._request("session_title")

    def step_mode(self) -> Any:
        """Whether each step waits for the user."""
        return self._request("step_mode")

    def is_background_running(self) -> Any:
        """Whether a background prompt runs in the session."""
        return self._request("is_background_running")

    # Reading what there is

    def tools(self) -> Any:
        """The tools: dicts with `name`, `label`, `description`, `parameters`, `selected`, `background_safe` and
        `deferred`."""
        return self._request("tools")

    def tool_defs(self) -> Any:
        """The selected tools as the model is told about them: dicts with `name`, `description` and `parameters`."""
        return self._request("tool_defs")

    def core_tools(self) -> Any:
        """The selected tools, to be run: see CoreTool."""
        return self._request("tool_defs", lambda found: [CoreTool(self, one) for one in found])

    def background_safe_tools(self) -> Any:
        """The tools that background prompts may use, as in `tools`."""
        return self._request("background_safe_tools")

    def find_tool(self, name: str) -> Any:
        """The tool of this name, as in `tools`; None if there is none."""
        return self._request("find_tool", name=name)

    def commands(self) -> Any:
        """The commands of extensions: dicts with `name`, `description`, `immediate` and `file`."""
        return self._request("commands")

    def shortcuts(self) -> Any:
        """The shortcuts of extensions: dicts with `key`, `description` and `file`."""
        return self._request("shortcuts")

    def status_sections(self) -> Any:
        """The status sections of extensions: dicts with `key`, `side`, `order`, `text` and `file`."""
        return self._request("status_sections")

    def renderers(self) -> Any:
        """The kinds of messages for which there is a renderer."""
        return self._request("renderers")

    def compactor(self) -> Any:
        """The name of the active compactor; None if it is Cloche's own."""
        return self._request("compactor")

    def ext_infos(self) -> Any:
        """The extensions: dicts with `name`, `version`, `kind`, `runtime`, `file`, `state` and `registered`."""
        return self._request("ext_infos")

    def cwd(self) -> Any:
        """The path of the tools folder, as this interpreter has it."""
        return self._request("cwd", lambda _: self.tools_folder)

    # Models and sessions

    def provider(self) -> Any:
        """The provider of the session's model: a dict with `id`, `name`, `kind` and `models`; None if none is chosen."""
        return self._request("provider")

    def providers(self) -> Any:
        """The providers that the user has added, as in `provider`."""
        return self._request("providers")

    def stream_provider(self, name: str) -> Any:
        """The stream provider of this name, a dict with `name`; None if there is none."""
        return self._request("stream_providers", lambda found: {"name": name} if name in found else None)

    def available_models(self) -> Any:
        """The models: dicts with `name` ("provider/id"), `id`, `provider`, `label`, `context` and `images`."""
        return self._request("available_models")

    def resolve_model(self, name: str) -> Any:
        """The model of a name, as in `available_models`, without switching to it."""
        return self._request("resolve_model", name=name)

    def switch_model(self, name: str) -> Any:
        """Chooses a model by "provider/id", or by its id if only one provider has it; the model."""
        return self._request("switch_model", name=name)

    set_model = switch_model

    def set_provider(self, name: str) -> Any:
        """Chooses the model of the same id of another provider, or its first; the model."""
        return self._request("set_provider", name=name)

    def sync_models(self, provider: str | None = None) -> Any:
        """Asks a provider for its models, and returns them. Without a name, asks the provider of the session's model."""
        return self._request("sync_models", name=provider)

    def sessions(self) -> Any:
        """The sessions of this folder, newest first: dicts with `id`, `path`, `title`, `model`, `folder`, `created_at`
        (seconds since the epoch), `messages` and `parent_id`."""
        return self._request("sessions")

    def fork_session(self, n: int | None = None) -> Any:
        """Copies the session up to and including event `n`, by default all of it, and shows the copy; its id."""
        return self._request("fork_session", n=n)

    def load_session(self, session_id: str) -> Any:
        """Shows another session of this folder."""
        return self._act(actions.swap_session(session_id))

    def swap_session(self, session_id: str | None = None) -> Any:
        """See `actions.swap_session`."""
        return self._act(actions.swap_session(session_id))

    # Acting

    def send_message(self, text: str) -> Any:
        """See `actions.send_message`."""
        return self._act(actions.send_message(text))

    steer = send_message

    def follow_up(self, text: str) -> Any:
        """See `actions.follow_up`."""
        return self._act(actions.follow_up(text))

    def set_title(self, text: str) -> Any:
        """See `actions.set_title`."""
        return self._act(actions.set_title(text))

    set_session_title = set_title

    def set_conversation_messages(self, messages: list[dict[str, Any]]) -> Any:
        """Replaces all that the model is sent so far by these messages. The transcript does not change."""
        return self._request("set_conversation_messages", messages=messages)

    def toggle_step_mode(self) -> Any:
        """Switches step mode; whether it is on now."""
        return self._request("toggle_step_mode")

    def run_background(self, prompt: str) -> Any:
        """See `actions.run_background`. Raises RuntimeError if one runs already."""
        return self._act(actions.run_background(prompt))

    def cancel_background(self) -> Any:
        """Ends the background prompt of the session, if one runs."""
        return self._request("cancel_background")

    def run_plan(self, plan: dict[str, Any] | str) -> Any:
        """Asks for a run of a plan, which waits for the user's approval; its id. Raises what is wrong with the plan."""
        return self._request("run_plan", plan=plan)

    def plan_run(self, id: str) -> Any:
        """A run of a plan and its tasks, or None."""
        return self._request("plan_run", id=id)

    def attach_image(self, data: bytes | str, media_type: str = "image/png", name: str = "image") -> Any:
        """See `actions.attach_image`."""
        return self._act(actions.attach_image(data, media_type, name))

    def detach_image(self, name: str | None = None) -> Any:
        """See `actions.detach_image`."""
        return self._act(actions.detach_image(name))

    def show_picker(self, title: str, items: Any, on_select: Callable[[Any], Any]) -> Any:
        """See `actions.show_picker`."""
        return self._act(actions.show_picker(title, items, on_select))

    def quit(self) -> Any:
        """See `actions.quit`."""
        return self._act(actions.quit())

    request_quit = quit

    def checkpoint_workspace(self, name: str) -> Any:
        """Keeps the files of the workspace as they are now, without showing them. Returns a dict with `name`, `created_at`,
        `files` and `changed`; the last two are numbers of files."""
        return self._request("checkpoint_workspace", name=name)

    def workspace_checkpoints(self) -> Any:
        """The checkpoints of this extension, newest first, as `checkpoint_workspace` returns them."""
        return self._request("workspace_checkpoints")

    def restore_workspace(self, name: str) -> Any:
        """Makes the workspace what it was, by changes that wait for the user's review. Returns a dict with `waiting` and
        `refused`, the numbers of changes."""
        return self._request("restore_workspace", name=name)

    def run_message_hooks(self, text: str) -> Any:
        """The texts that the message hooks of all extensions add to a text. Raises what one of them raises."""
        return self._request("run_message_hooks", text=text)

    def dispatch_event(self, event: dict[str, Any]) -> Any:
        """Passes an event, a dict with `type`, to the event handlers of all extensions. They also get `from`, this file,
        and `session_id`."""
        return self._request("dispatch_event", event=event)

    def enqueue_action(self, action: Action) -> None:
        """Performs an action when the running function has ended, unless `pending_actions` takes it first."""
        self._require_bound("enqueue_action")
        if not isinstance(action, Action):
            raise TypeError(f"an action is expected, not {type(action).__name__}")
        if len(self._pending) >= PENDING_ACTIONS:
            raise RuntimeError(f"more than {PENDING_ACTIONS} actions are pending")
        self._pending.append(action)

    def pending_actions(self) -> list[Action]:
        """Takes the actions that wait."""
        self._require_bound("pending_actions")
        taken = list(self._pending)
        self._pending.clear()
        return taken

    def _flush(self) -> None:
        """Performs the actions that wait, when a function has ended."""
        while self._pending:
            self._perform(self._pending.pop(0))

    def _act(self, action: Action) -> Any:
        """Asks the page to perform an action, and returns when it has."""
        self._require_bound(action.name)
        return self._send(action.name, self._written(action), lambda _: None)

    def _request(self, name: str, read: Callable[[Any], Any] = lambda value: value, /, **values: object) -> Any:
        """Asks the page for a value. `read` turns the answer into what the extension gets."""
        self._require_bound(name)

        def read_answer(answer: dict[str, Any]) -> Any:
            return read(json.loads(answer["value"]) if answer["answer"] == "value" else None)

        return self._send(name, {"action": name, **values}, read_answer)

    def _send(self, name: str, asked: dict[str, object], read: Callable[[Any], Any]) -> Any:
        """Sends a question to the page, and reads its answer; in an asynchronous function, returns an awaitable of that."""
        text = encode_strict(asked, name)
        if len(text) > ASKED_CHARACTERS:
            raise ValueError(
                f"app.{name}: {len(text):,} characters are more than the limit of {ASKED_CHARACTERS:,}"
            )
        question: dict[str, object] = {"ask": "app", "action": text}
        if _in_task():
            return Pending(name, asking.ask_now(question), read)
        return read(asking.ask_and_wait(question, _INSTEAD.format(name)))

    def _require_bound(self, name: str) -> None:
        """Raises RuntimeError if the app is not bound to a session: in register(app), and while no function runs."""
        if self._is_open:
            raise RuntimeError(
                f"app.{name} is not possible in register(app): the app is not bound yet. Call it in a handler."
            )
        if asking.current_call() == 0:
            raise RuntimeError(
                f"app.{name} is possible only while the page waits for a function of the extension: "
                "return actions.run_async(function) and call it there"
            )


class Pending:
    """The answer to come, in an asynchronous function: await it. What it does is done without that, too."""

    __slots__ = ("_name", "_answer", "_read")

    def __init__(self, name: str, answer: Any, read: Callable[[Any], Any]) -> None:
        self._name, self._answer, self._read = name, answer, read

    def __await__(self) -> Generator[Any, None, Any]:
        return self._read((yield from self._answer.__await__()))

    def _refuse(self, *_: object) -> Any:
        raise RuntimeError(f"the answer is not there yet: write `await app.{self._name}(…)`")

    __bool__ = __iter__ = __len__ = __getitem__ = __contains__ = __str__ = _refuse


class CoreTool:
    """A tool that runs like one that a model calls: with interceptors and approvals."""

    def __init__(self, app: BoundApp, definition: dict[str, Any]) -> None:
        self.name: str = definition["name"]
        self.description: str = definition["description"]
        self.parameters: dict[str, Any] = definition["parameters"]
        self._app = app

    def run(self, **arguments: Any) -> Any:
        """The result, a dict with the keys that an interceptor's `after` gets. A tool that fails raises nothing."""
        text = encode_strict(arguments, "arguments")
        return self._app._request("call_tool", name=self.name, arguments=text)

    __call__ = execute = run

    def __repr__(self) -> str:
        return f"CoreTool({self.name!r})"


def _in_task() -> bool:
    """Whether an asynchronous function runs, which can wait only by `await`."""
    try:
        return asyncio.current_task() is not None
    except RuntimeError:
        return False
