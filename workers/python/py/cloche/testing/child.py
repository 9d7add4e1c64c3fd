"""The process that runs the calls of one test file: requests come on stdin, one JSON line each; answers go to stdout."""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
from typing import Any

from .. import interpreter as loader
from ..approval import approval_question
from ..asking import connect
from ..judge import judge
from ..raw_output import RawOutput
from .folder_calls import FolderCalls

_IDENTITY: dict[str, object] = {"session_id": "test", "session_key": "test"}


def main(folder: str) -> None:
    """Answers each `{"tool", "arguments", "expect"}` with `{"timeout": seconds}` before the call, and
    `{"reasons": [...]}` after it."""
    requests = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    # Text that a tool's subprocess or C code prints must not look like an answer.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
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


class Calls(FolderCalls):
    """The calls of tests. It answers `context.approve` with True."""

    def __init__(self, folder: str, raw: RawOutput | None = None) -> None:
        super().__init__(folder, raw)
        self._next = 0
        connect(_approve)
        loader.approve_and_wait = _approve_at_once

    async def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Calls a tool. Returns the outcome in the form that `judge` takes."""
        missing = self.explain_missing(tool)
        if missing:
            return _failure(missing)
        self._next += 1
        streams: list[dict[str, Any]] = []
        text = json.dumps(arguments, ensure_ascii=False)
        result = await self.run(self._next, tool, text, _IDENTITY, streams.append)
        return _outcome(result, streams)


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
