"""One Python interpreter: a folder's tools, loaded on demand, and its running calls."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from json import JSONDecoder
from typing import TYPE_CHECKING

from .approval import Approval, approve_and_wait
from .arguments import parse_arguments
from .call_output import CallOutput
from .context import make_context
from .deciding import SAFE_ANSWERS, decide
from .environment import RestoredEnvironment
from .failures import Refusal, cut, describe
from .folder import Folder
from .handlers import name_of
from .import_output import ImportOutput
from .inspecting import inspect_tools
from .prepared import HOOK, PROGRAM, REGISTER, PreparedTool, prepare, prepare_function
from .raw_output import RawOutput
from .running_call import RunningCall
from .streams import Streams

if TYPE_CHECKING:
    from .extension_app import App

_decode = JSONDecoder().decode


class Interpreter:
    """Handles the host's requests. `emit` takes a header and a payload, both JSON text; `now` returns seconds; `raw`
    collects output that bypasses the streams."""

    def __init__(
        self,
        emit: Callable[[str, str], None],
        now: Callable[[], float] | None = None,
        raw: RawOutput | None = None,
    ) -> None:
        self._emit = emit
        self._now = now or time.perf_counter
        self._streams = Streams(raw)
        self._streams.install()
        self._loop = _running_loop()
        self._folder: Folder | None = None
        self._tools: dict[tuple[str, str], PreparedTool] = {}
        self._extensions: dict[str, App] = {}
        self._calls: dict[int, RunningCall] = {}

    def open_folder(self, root: str, functions_are_tools: bool = False) -> None:
        """Opens the folder whose files are below `root`; called again after files were added to it.

        `functions_are_tools`: see `Folder`; counts at the first call.
        """
        if self._folder and self._folder.root == root:
            self._folder.refresh()
            return
        self._folder = Folder(root, functions_are_tools)
        self._tools.clear()

    def inspect_file(self, file: str) -> str:
        """The report on one tool file, as JSON text. Never raises."""
        app = self._extensions.get(file)
        registered = app.tool_specs if app else None
        return inspect_tools(self._require_folder(), file, self._streams, self._now, registered)

    def propose_specs(self, file: str, names: list[str] | None) -> str:
        """The specs proposed for the functions of a file, and its text with them, as JSON text."""
        from .foreign.export.proposing import propose

        return propose(self._require_folder(), file, names, self._streams)

    def forget_files(self, files: list[str], came_or_went: bool = False) -> list[str]:
        """Drops these files and the files that import them, so that the next use imports them again. Returns the
        dropped files.

        `came_or_went`: some of them have been added or removed.
        """
        folder = self._require_folder()
        if came_or_went:
            folder.files_came_or_went()
        return self._drop_tools(folder.forget(files))

    def set_settings(self, files: dict[str, dict[str, dict[str, object]]]) -> list[str]:
        """Sets the values of settings, by file, group and name. Returns the files that are imported again."""
        return self._drop_tools(self._require_folder().set_settings(files))

    def _drop_tools(self, dropped: list[str]) -> list[str]:
        self._tools = {key: tool for key, tool in self._tools.items() if key[0] not in dropped}
        return dropped

    def call(
        self, call_id: int, tool: str, file: str, arguments: str, context: str, schema_errors: str, check_only: bool
    ) -> str:
        """Calls a tool. Returns the result's payload, or "" if it will be emitted later. Never raises.

        `check_only`: the handler does not run; the result is empty, or the failure of a call with these arguments.
        """
        if not self._calls:
            # Code between calls, such as a thread or an approval function, may have replaced the streams.
            self._streams.restore()
        # An import during a running handler could meet that handler's own unfinished import.
        unknown = check_only and bool(self._calls) and (file, tool) not in self._tools
        loop = self._current_loop()
        output = CallOutput(call_id, self._emit, self._now, loop, self._calls)
        root = self._folder.root if self._folder else ""
        running = RunningCall(output, root, self._now, lambda: self._before_end(output), lambda: self._forget_call(call_id))
        running.is_of_tool = tool not in (HOOK, REGISTER, PROGRAM)
        self._calls[call_id] = running
        if unknown:
            running.end_unrun()
            return output.release()
        try:
            prepared = self._tools.get((file, tool)) or self._prepare(tool, file)
            values = self._values(prepared, arguments, schema_errors)
            if prepared.takes_context:
                approve = Approval if prepared.is_async else approve_and_wait
                running.context = make_context(_decode(context), tool, output.update, output.log, approve)
                values["context"] = running.context
        except Refusal as refusal:
            running.refuse(refusal)
        except BaseException as error:
            running.fail(error)
        else:
            if check_only:
                running.end_unrun()
            else:
                running.run(prepared.handler, values, self._require_folder().scope, loop)
        return output.release()

    def decide(self, tool: str, file: str, key: str, arguments: str) -> bool:
        """The spec's answer for "requires_approval" or "concurrency_safe" about a call. Never raises."""
        try:
            prepared = self._tools.get((file, tool)) or self._prepare(tool, file)
            values = parse_arguments(arguments, prepared.integers)
        except BaseException:  # the call itself will report what is wrong
            return SAFE_ANSWERS[key]
        return decide(prepared.spec, key, values, self._require_folder().scope.copy(None), self._now)

    def cancel(self, call_id: int) -> None:
        """Cancels a running call cooperatively. Does nothing if the call has ended."""
        running = self._calls.get(call_id)
        if running:
            running.cancel()

    def _current_loop(self) -> asyncio.AbstractEventLoop | None:
        """The loop that tasks run on; None under CPython outside a loop."""
        loop = self._loop
        return _running_loop() if loop is None or not loop.is_running() else loop

    def _before_end(self, output: CallOutput) -> None:
        """Adds the call's output that bypassed the streams, and restores streams that it has replaced."""
        self._streams.drain(output)
        # Another running call may have replaced the streams on purpose.
        if len(self._calls) > 1:
            return
        left = self._streams.restore()
        if left:
            output.log(f"The tool left {', '.join(left)} replaced. It is restored for later calls.", "warning")

    def _forget_call(self, call_id: int) -> None:
        self._calls.pop(call_id, None)

    def _require_folder(self) -> Folder:
        """The open folder. Raises RuntimeError if there is none."""
        if self._folder is None:
            raise RuntimeError("no tools folder is open: call open_folder first")
        return self._folder

    def _prepare(self, tool: str, file: str) -> PreparedTool:
        """The tool as it is called. Imports its file. Raises what the file raises, and Refusal if there is no such tool."""
        folder = self._require_folder()
        if tool == PROGRAM and not file:
            from .program import Programs  # only the interpreters of programs need it

            prepared = prepare_function(Programs(folder, self._streams).run)
            self._tools[file, tool] = prepared
            return prepared
        if folder.has(file):
            loaded = folder.load(file, ImportOutput())
        else:
            with RestoredEnvironment(self._streams):
                loaded = folder.load(file, ImportOutput())
                self._streams.drain(ImportOutput())
            folder.dependencies.note_loaded(file, loaded.module)
        if tool == REGISTER:
            from .extension_app import App  # only extensions need it

            # The app is replaced each time, because each registration is a new start.
            self._extensions[file] = app = App(folder.root)
            self._tools = {key: known for key, known in self._tools.items() if key[0] != file}
            return prepare_function(lambda: app.start(loaded.module))
        app = self._extensions.get(file)
        if tool == HOOK and app:
            prepared = prepare_function(app.run)
        else:
            prepared = prepare(tool, file, loaded, app.tool_specs if app else [])
        self._tools[file, tool] = prepared
        return prepared

    def _values(self, tool: PreparedTool, arguments: str, schema_errors: str) -> dict[str, object]:
        """The arguments of a call. Raises Refusal for those that the handler does not take, or that the schema forbids."""
        try:
            values = parse_arguments(arguments, tool.integers)
        except (ValueError, TypeError, RecursionError) as error:
            raise Refusal(describe(error), "Pass the arguments as one JSON object.") from None
        advice = f"The tool was not run. It takes: {tool.accepts}."
        if tool.takes_context and "context" in values:
            raise Refusal(
                f"TypeError: {name_of(tool.handler)}() got an unexpected keyword argument 'context'", advice
            )
        # @mutant the signature, whatever the schema says => None -> None and schema_errors [python test_signature]
        if tool.stub is not None:
            try:
                tool.stub(**values, context=None) if tool.takes_context else tool.stub(**values)
            except TypeError as error:
                raise _make_refusal(describe(error), advice, schema_errors) from None
        # @mutant the schema of the arguments => never [python test_signature test_arguments]
        if schema_errors:
            raise Refusal(cut(f"ValidationError: {'; '.join(_list_schema_errors(schema_errors))}"), advice)
        return values


def _make_refusal(error: str, advice: str, schema_errors: str) -> Refusal:
    """A refusal that also lists what the schema finds beside the parameters that the error names."""
    others = [
        line for line in _list_schema_errors(schema_errors) if f"'{line.partition(':')[0].removeprefix('$.')}'" not in error
    ]
    return Refusal(error, advice, cut(f"Also invalid: {'; '.join(others)}") if others else "")


def _list_schema_errors(schema_errors: str) -> list[str]:
    """The lines of the errors that the page has found, which are JSON text, or empty."""
    return [f"{one['path']}: {one['message']}" for one in _decode(schema_errors)] if schema_errors else []


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
