"""Calls the tools of a folder in this process, under ordinary Python. Used by cloche_test.py and cloche_mcp.py."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from typing import Any

from ..arguments import parse_arguments
from ..interpreter import Interpreter
from ..raw_output import RawOutput
from ..schema_check import schema_faults

DEFAULT_TIMEOUT = 60.0
# The function is read once, because a tool file may patch the json module.
_decode = json.JSONDecoder().decode


class FolderCalls:
    """One interpreter with the folder open."""

    def __init__(self, folder: str, raw: RawOutput | None = None) -> None:
        self.interpreter = Interpreter(self._take, raw=raw)
        self.interpreter.open_folder(folder)
        self._tools: dict[str, dict[str, Any]] = {}
        self._inspected: dict[str, str] = {}  # the inspected files, with their errors
        # Functions that get the messages of the running calls, by the id of the call.
        self._takers: dict[int, Callable[[str, dict[str, Any]], None]] = {}

    def inspect(self, file: str) -> list[dict[str, Any]]:
        """The tools of a file, without those that an error rejects."""
        report = json.loads(self.interpreter.inspect_file(file))
        tools: list[dict[str, Any]] = report["tools"]
        # Reversed, because the first one of several tools with the same name counts.
        self._tools.update({one["name"]: one for one in reversed(tools)})
        faults = [f"{file}:{one['line']}: {one['message']}" for one in report["problems"] if one["severity"] == "error"]
        self._inspected[file] = "; ".join(faults)
        return tools

    def problem_of(self, file: str) -> str:
        """The errors of a file that was inspected, with their lines; empty if there are none."""
        return self._inspected.get(file, "")

    def explain_missing(self, tool: str) -> str:
        """Why there is no such tool; empty if there is."""
        if self._find_tool(tool) is not None:
            return ""
        why = self.problem_of(file_of(tool))
        return f"LookupError: there is no tool {tool}{f' ({why})' if why else ''}"

    def timeout_of(self, tool: str) -> float:
        """Seconds that a call may take."""
        return float((self._find_tool(tool) or {}).get("timeout_s") or DEFAULT_TIMEOUT)

    async def run(
        self, call_id: int, tool: str, arguments: str, given: dict[str, object], stream: Callable[[dict[str, Any]], None]
    ) -> dict[str, Any]:
        """Calls a tool that is not missing. Returns its result as the page gets it.

        `arguments` is the JSON text of an object; `given` are values of the call context; `stream` takes each batch of
        what the tool prints, logs and updates.
        """
        ended: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()

        def take(kind: str, report: dict[str, Any]) -> None:
            if kind == "result":
                ended.set_result(report)
            else:
                stream(report)

        self._takers[call_id] = take
        try:
            errors = self._schema_errors(tool, arguments)
            payload = self.interpreter.call(
                call_id, tool, file_of(tool), arguments, json.dumps(given), errors, check_only=False
            )
            # The result of an asynchronous tool comes later, as a message to `take`.
            return read_payload(payload) if payload else await ended
        finally:
            del self._takers[call_id]

    def _find_tool(self, tool: str) -> dict[str, Any] | None:
        """The tool, whose file is inspected if it was not; None if there is no such tool."""
        file = file_of(tool)
        # @mutant a call runs no tool outside the folder => if -> if False and [python test_cloche_test]
        if not re.fullmatch(r"[^._/\\][^/\\]*\.py", file):
            return None
        if file not in self._inspected:
            self.inspect(file)
        return self._tools.get(tool)

    def _schema_errors(self, tool: str, text: str) -> str:
        """The faults of the arguments, as JSON text; empty if there are none, or the schema cannot be checked."""
        parameters = self._tools[tool]["parameters"]
        schema = json.loads(parameters) if isinstance(parameters, str) else parameters
        try:
            faults = schema_faults(schema, parse_arguments(text))
        except Exception:  # the signature has been checked; as in the app, such a schema does not stop the call
            return ""
        # Parts of the schema that cannot be checked are not the arguments' fault.
        faults = [fault for fault in faults if not fault[1].startswith("cannot be checked")]
        return json.dumps([{"path": path, "message": message} for path, message in faults]) if faults else ""

    def _take(self, header: str, payload: str) -> None:
        message = json.loads(header)
        take = self._takers.get(message["id"])
        if take is not None:
            take(message["t"], read_payload(payload))


def read_payload(payload: str) -> dict[str, Any]:
    """Decodes the payload of a message: JSON, and the long text of a result after a line feed."""
    head, _, text = payload.partition("\n")
    report: dict[str, Any] = _decode(head)
    beside = report.pop("longText", None)
    if beside is not None:
        part = report["content"][beside]
        part["text" if "text" in part else "data"] = text
    return report


def file_of(tool: str) -> str:
    """The file that a tool is in."""
    return f"{tool.partition(':')[0]}.py"
