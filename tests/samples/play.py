"""Plays recorded calls with the project's own loader, under CPython as under Pyodide."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MAIN = Path(__file__).resolve().parents[2]
SAMPLES = MAIN / "tools-samples"
DEADLINE_SECONDS = 60  # for a call that hangs; a slow machine needs a few
sys.path.insert(0, str(MAIN / "workers" / "python" / "py"))
sys.path.append(str(MAIN / "workers" / "python" / "tzdata.zip"))  # Pyodide has no time zones of its own
sys.dont_write_bytecode = True

from cloche.interpreter import Interpreter  # noqa: E402


def recorded_files() -> list[Path]:
    """The files of recorded calls, one for each tool file."""
    return sorted((SAMPLES / "calls").glob("*.json"))


def read_calls(file: Path) -> list[dict]:
    """The recorded calls of one file. They run in order, in one interpreter that is fresh at the first."""
    return json.loads(file.read_text(encoding="utf-8"))


def differences(expected: dict, outcome: dict) -> list[str]:
    """The differences between a call's outcome and the expected one. Keys that `expected` leaves out are not
    compared."""
    return [
        f"{key}: expected {wanted!r}\n{' ' * len(key)}       got {outcome.get(key)!r}"
        for key, wanted in expected.items()
        if outcome.get(key) != wanted
    ]


class Player:
    """One interpreter with the samples open, and what it emits."""

    def __init__(self, root: Path = SAMPLES) -> None:
        self._messages: list[tuple[dict, dict]] = []
        self._next = 0
        self._interpreter = Interpreter(self._take)
        self._interpreter.open_folder(str(root))

    def inspect(self, file: str) -> dict:
        """The report on one tool file."""
        return json.loads(self._interpreter.inspect_file(file))

    async def call(self, tool: str, arguments: dict, **context: object) -> dict:
        """What a caller sees of a call: see `_outcome`."""
        self._next += 1
        call_id = self._next
        given = json.dumps({"session_id": "recorded", "call_id": str(call_id), **context})
        file = f"{tool.partition(':')[0]}.py"
        text = json.dumps(arguments, ensure_ascii=False)
        payload = self._interpreter.call(call_id, tool, file, text, given, "", check_only=False)
        if payload:  # a result that is available at once need not be emitted
            self._messages.append(({"t": "result", "id": call_id}, json.loads(payload)))
        deadline = time.monotonic() + DEADLINE_SECONDS
        while not (ended := self._of(call_id, "result")):
            if time.monotonic() > deadline:
                raise TimeoutError(f"{tool} has not ended within {DEADLINE_SECONDS} s")
            await asyncio.sleep(0.001)
        return _outcome(ended[0], self._of(call_id, "stream"))

    async def cancelled(self, tool: str, arguments: dict) -> dict:
        """What a caller sees of a call that is cancelled as soon as its first update has arrived."""
        running = asyncio.ensure_future(self.call(tool, arguments))
        call_id = self._next + 1
        while not self._of(call_id, "stream") and not running.done():
            await asyncio.sleep(0)  # in the very next turn of the loop: a fast machine ends the job within a few
        self._interpreter.cancel(call_id)
        return await running

    def _of(self, call_id: int, kind: str) -> list[dict]:
        return [payload for header, payload in self._messages if header == {"t": kind, "id": call_id}]

    def _take(self, header: str, payload: str) -> None:
        self._messages.append((json.loads(header), json.loads(payload)))


@contextmanager
def player() -> Iterator[Player]:
    """A fresh player. Afterwards the process is as before, without the modules of the samples."""
    before = (sys.stdout, sys.stderr, sys.stdin)
    folder, path = os.getcwd(), list(sys.path)
    try:
        yield Player()
    finally:
        sys.stdout, sys.stderr, sys.stdin = before
        os.chdir(folder)
        sys.path[:] = path
        for name, module in list(sys.modules.items()):
            if str(getattr(module, "__file__", "") or "").startswith(str(SAMPLES)):
                del sys.modules[name]


def _outcome(result: dict, streams: list[dict]) -> dict:
    """The result as the page gives it to callers, with hashes of binary parts and the number of updates."""
    parts = result["content"]
    outcome = {
        "resultType": "success" if result["ok"] else "failure",
        "textResultForLlm": _text(parts) if result["ok"] else result["message"],
        "metadata": json.loads(result["metadata"]),
        "updates": max((one["n"] + 1 for batch in streams for one in batch["updates"]), default=0),
        "stdout": "".join(batch["out"] for batch in streams),
        "log": [line for batch in streams for line in batch["log"]],
    }
    if not result["ok"]:
        return {**outcome, "error": result["error"], "recoverable": result["recoverable"]}
    return {**outcome, "content": list(map(_part, parts))}


def _part(part: dict) -> dict:
    if "data" not in part:
        return {"type": part["type"]}
    digest = hashlib.sha256(base64.b64decode(part["data"])).hexdigest()
    return {"type": part["type"], "mediaType": part["mediaType"], "sha256": digest}


def _text(parts: list[dict]) -> str:
    """As in src/runtime/sandbox/interpreter-calls.ts: parts on separate lines, and placeholders for parts that are not text."""
    return "\n".join(
        part["text"] if "text" in part else f"[{part['mediaType']}, {len(base64.b64decode(part['data']))} bytes]"
        for part in parts
    )
