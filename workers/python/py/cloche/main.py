"""The functions that the worker calls. They exchange only str, int, float and None, and callables that take these. A
long text may also come as bytes of JavaScript."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

from . import asking, error_numbers, event_loops, http_socket, http_xhr, password_hash, thread_pool, tls
from .interpreter import Interpreter
from .raw_output import RawOutput
from .waiting import offer

sys.dont_write_bytecode = True

_interpreter: Interpreter | None = None


def connect(
    emit: Callable[[str, str], None],
    ask: asking.Ask | None = None,
    now: Callable[[], float] | None = None,
    raw_folder: str = "",
) -> None:
    """Starts the interpreter.

    `emit(header, payload)` takes JSON text: stream messages and results. `ask(call_id, text)` asks the page on behalf
    of a call (see `asking`). `now` returns the seconds of a monotonic clock; Python's own is used if it is None.
    In `raw_folder`, what is written past `sys.stdout` is collected; if it is empty, that stays where it is.
    """
    global _interpreter
    error_numbers.install()
    event_loops.install()
    password_hash.install()
    thread_pool.install()
    asking.connect(ask)
    http_socket.install()
    tls.install()
    offer("XMLHttpRequest", http_xhr.XMLHttpRequest)
    _interpreter = Interpreter(emit, now, RawOutput(raw_folder) if raw_folder else None)


def open_folder(root: str, functions_are_tools: int = 0) -> None:
    """Opens the tools folder whose files are below `root`, an absolute path.

    `functions_are_tools` is 1 if typed functions of files without specs are tools, as in a playground.
    """
    _require_interpreter().open_folder(root, functions_are_tools == 1)


def inspect_file(file: str) -> str:
    """Imports one tool file and reports its tools and problems as JSON text. Never raises because of the file."""
    return _require_interpreter().inspect_file(file)


def propose_specs(file: str, names: str) -> str:
    """Infers specs for the functions of a file, and writes those in `names` (a JSON list, or null for all) into its
    text. Returns the proposal as JSON text. Imports the file. Never raises because of the file."""
    return _require_interpreter().propose_specs(file, json.loads(names))


def forget_files(files: str, came_or_went: int = 0) -> str:
    """Drops the modules of changed files (a JSON list of paths relative to the folder) and of all files that import
    them.

    The next inspection or call imports them again. Returns the JSON list of the files dropped. Called before the
    files change on disk. If some were added or removed, it is called again after the change with `came_or_went` = 1:
    importers of a removed file are known only before, importers of an added file only afterwards.
    """
    return json.dumps(_require_interpreter().forget_files(json.loads(files), came_or_went == 1))


def set_settings(values: str) -> str:
    """Sets the values of the settings that files declare: JSON of file, group and name. They replace all earlier ones.

    Files whose values have changed are imported again at their next use. Returns the JSON list of these files.
    """
    return json.dumps(_require_interpreter().set_settings(json.loads(values)))


def call(
    call_id: int,
    tool: str,
    file: str,
    arguments: Any,
    context: str,
    schema_errors: str,
    check_only: int = 0,
) -> str:
    """Calls a tool. There is exactly one result. Never raises.

    Returns the payload of a result that is available at once, because a call to JavaScript is slower. Returns "" if
    an asynchronous handler will emit it later.

    `arguments` is the caller's own JSON text: a str, or its UTF-8 as an object with `to_bytes`, because Pyodide
    converts a str character by character. `context` is the JSON text that identifies the caller, and `schema_errors`
    is empty or a JSON list of `{"path", "message"}`. If `check_only` is 1, the arguments are checked and the handler
    does not run: the result is empty, or the failure that the call would end with.
    """
    text = arguments if isinstance(arguments, str) else arguments.to_bytes().decode()
    return _require_interpreter().call(call_id, tool, file, text, context, schema_errors, check_only == 1)


def current_call() -> int:
    """The id of the call whose code is running; 0 if there is none."""
    return asking.current_call()


def decide(tool: str, file: str, key: str, arguments: str) -> int:
    """Evaluates a spec's own callable: 1 or 0.

    `key` is "requires_approval" or "concurrency_safe", `arguments` the caller's own JSON text. If the callable raises
    or takes more than a second, returns the safe answer. Never raises.
    """
    return int(_require_interpreter().decide(tool, file, key, arguments))


def judge(expect: str, outcome: str) -> str:
    """The reasons why a saved test fails, as a JSON list; see `cloche.judge`. Never raises."""
    from .judge import judge_texts  # rarely needed

    return judge_texts(expect, outcome)


def cancel(call_id: int) -> None:
    """Cancels a call cooperatively: an asynchronous handler at its `await`, a generator at its `yield`."""
    _require_interpreter().cancel(call_id)


def _require_interpreter() -> Interpreter:
    if _interpreter is None:
        raise RuntimeError("the interpreter is not connected: call connect first")
    return _interpreter
