"""The process that runs the calls of one test file: requests come on stdin, one JSON line each; answers go to stdout."""

from __future__ import annotations

import asyncio
import json
import os
import re
import tempfile
from typing import Any

from .. import interpreter as loader
from ..arguments import parse_arguments
from ..approval import approval_question
from ..asking import connect
from ..judge import judge
from ..raw_output import RawOutput
from ..schema_check import schema_faults

_IDENTITY = {"session_id": "test", "session_key": "test"}
DEFAULT_TIMEOUT = 60.0
# The function is read once, because a tool file may patch the json module.
_decode = json.JSONDecoder().decode


def main(folder: str) -> None:
    """Answers each `{"tool", "arguments", "expect"}` with `{"timeout": seconds}` before the call, and
    `{"reasons": [...]}` after it."""
    requests = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    # Text that a tool's subprocess or C code prints must not look like an answer.
    with tempfile.TemporaryDirectory() as place:
        raw = RawOutput(place)
    asyncio.run(_serve(folder, requests, answers, raw))


async def _serve(folder: str, requests: Any, answers: Any, raw: RawOutput) -> None:
    calls = Calls(folder, raw)
    for line in requests:
        request = json.loads(line)

        def answer(value: dict[str, object]) -> None:
            answers.write(json.dumps(value) + "\n")
            answers.flush()

        answer({"timeout": calls.timeout_of(request["tool"])})
        outcome = await calls.call(request["tool"], request["arguments"])
        answer({"reasons": judge(request["expect"], outcome)})


def read_payload(payload: str) -> dict[str, Any]:
    """Decodes the payload of a message: JSON, and the long text of a result after a line feed."""
    head, _, text = payload.partition("\n")
    said: dict[str, Any] = _decode(head)
    beside = said.pop("longText", None)
    if beside is not None:
        part = said["content"][beside]
        part["text" if "text" in part else "data"] = text
    return said


class Calls:
    """One interpreter with the folder open. It answers `context.approve` with True."""

    def __init__(self, folder: str, raw: RawOutput | None = None) -> None:
        self._messages: dict[int, list[tuple[str, dict[str, Any]]]] = {}
        self._tools: dict[str, dict[str, Any]] = {}
        self._inspected: dict[str, str] = {}
        self._next = 0
        self._interpreter = loader.Interpreter(self._take, None, raw)
        self._interpreter.open_folder(folder)
        connect(_approve)
        loader.approve_and_wait = _approve_at_once

    def timeout_of(self, tool: str) -> float:
        """Seconds that a call may take."""
        self._inspect(tool)
        return float(self._tools.get(tool, {}).get("timeout_s") or DEFAULT_TIMEOUT)

    async def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """How the call ended, as `judge` takes it."""
        missing = self._inspect(tool)
        if missing:
            return _failure(missing)
        self._next += 1
        call_id = self._next
        self._messages[call_id] = []
        text = json.dumps(arguments, ensure_ascii=False)
        payload = self._interpreter.call(
            call_id, tool, _file_of(tool), text, json.dumps(_IDENTITY), self._schema_errors(tool, text), False
        )
        streamed = self._messages[call_id]
        if payload:
            streamed.append(("result", read_payload(payload)))
        while not streamed or streamed[-1][0] != "result":
            await asyncio.sleep(0.001)
        del self._messages[call_id]
        return _outcome(streamed[-1][1], [batch for _, batch in streamed[:-1]])

    def _inspect(self, tool: str) -> str:
        """Why there is no such tool; empty if there is."""
        file = _file_of(tool)
        # @mutant a test calls no tool outside its folder => if -> if False and [python test_cloche_test]
        if not re.fullmatch(r"[^._/\\][^/\\]*\.py", file):
            return f"LookupError: there is no tool {tool}"
        if file not in self._inspected:
            report = json.loads(self._interpreter.inspect_file(file))
            self._tools.update({one["name"]: one for one in reversed(report["tools"])})
            faults = [f"{file}:{one['line']}: {one['message']}" for one in report["problems"] if one["severity"] == "error"]
            self._inspected[file] = "; ".join(faults)
        if tool in self._tools:
            return ""
        why = self._inspected[file]
        return f"LookupError: there is no tool {tool}{f' ({why})' if why else ''}"

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
        told = json.loads(header)
        kept = self._messages.get(told["id"])
        if kept is not None:
            kept.append((told["t"], read_payload(payload)))


def _file_of(tool: str) -> str:
    return f"{tool.partition(':')[0]}.py"


async def _approve(call: int, text: str) -> str:
    if json.loads(text)["ask"] == "approve":
        return '{"answer": "approved", "approved": true}'
    return json.dumps({"answer": "refused", "error": "ConnectionError", "message": "cloche_test.py has no page to answer this"})


def _approve_at_once(question: str, details: object = None) -> bool:
    approval_question(question, details)  # raises as a real call does
    return True


def _failure(error: str) -> dict[str, Any]:
    return {"resultType": "failure", "textResultForLlm": error, "error": error, "content": []}


def _outcome(result: dict[str, Any], streams: list[dict[str, Any]]) -> dict[str, Any]:
    """As in src/runtime/sandbox/interpreter-calls.ts: parts on separate lines, and placeholders for those that are not text."""
    parts = result["content"]
    updates = [one for batch in streams for one in batch["updates"]]
    outcome = {
        "resultType": "success" if result["ok"] else "failure",
        "textResultForLlm": "\n".join(map(_part_text, parts)) if result["ok"] else result["message"],
        "content": parts,
        "metadata": json.loads(result["metadata"]),
        "updates": [json.loads(one["json"]) for one in updates],
        "updateCount": max((one["n"] + 1 for one in updates), default=0),
        "stdout": "".join(batch["out"] for batch in streams),
        "log": [line for batch in streams for line in batch["log"]],
    }
    if not result["ok"]:
        outcome |= {"error": result["error"], "recoverable": result["recoverable"]}
    return outcome


def _part_text(part: dict[str, Any]) -> str:
    if "text" in part:
        return part["text"]
    size = len(part["data"]) * 3 // 4 - part["data"][-2:].count("=")
    return f"[{part['mediaType']}, {size} bytes]"
