"""A fake host: a tools folder on disk, an interpreter, and everything that it emits."""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import shutil
import sys
import tempfile
import time
import unittest
from collections.abc import Callable

from cloche.interpreter import Interpreter
from cloche.testing.folder_calls import read_payload

IDENTITY = {"session_id": "s1", "session_key": "k1", "turn_id": "t1", "call_id": "c1", "agent_id": ""}
ANY = {"type": "object"}


class Host:
    """Opens a folder with these files, and answers as the page would."""

    def __init__(self, files: dict[str, str | bytes], now=None, raw=None, functions_are_tools=False) -> None:
        self.root = os.path.realpath(tempfile.mkdtemp())
        self._before = (sys.stdout, sys.stderr, sys.stdin, os.getcwd(), list(sys.path), set(sys.modules))
        self._own = (sys.__stdout__, sys.__stderr__)
        self.messages: list[tuple[dict, dict]] = []
        self._next = 0
        for file, text in files.items():
            self.write(file, text)
        self.interpreter = Interpreter(self._take, now, raw)
        self.interpreter.open_folder(self.root, functions_are_tools)

    def write(self, file: str, text: str | bytes) -> None:
        path = os.path.join(self.root, file)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as opened:
            opened.write(text.encode() if isinstance(text, str) else text)

    def inspect(self, file: str) -> dict:
        return _decode(self.interpreter.inspect_file(file))

    def begin(
        self, tool: str, arguments: object = None, errors: object = "", check_only: bool = False, **identity: object
    ) -> int:
        """Starts a call to `file:function` and returns its id. `arguments` is a value, or JSON text."""
        self._next += 1
        text = arguments if isinstance(arguments, str) else _encode(arguments or {})
        file = tool.split(":")[0] + ".py"
        listed = _encode(errors) if errors else ""
        context = _encode({**IDENTITY, "sandbox": {"network": []}, **identity})
        payload = self.interpreter.call(self._next, tool, file, text, context, listed, check_only)
        if payload:
            self._take(f'{{"t": "result", "id": {self._next}}}', payload)
        return self._next

    def begin_program(self, arguments: dict[str, object]) -> int:
        """Starts a program and returns the id of its call."""
        self._next += 1
        payload = self.interpreter.call(self._next, "run_python", "", _encode(arguments), _encode(IDENTITY), "", False)
        if payload:
            self._take(f'{{"t": "result", "id": {self._next}}}', payload)
        return self._next

    def call(self, tool: str, arguments: object = None, errors: object = "", **identity: object) -> dict:
        """The result of a call that ends at once."""
        return self.result(self.begin(tool, arguments, errors, **identity))

    def check(self, tool: str, arguments: object = None, errors: object = "") -> dict:
        """The result of a check of the arguments, without running a handler."""
        return self.result(self.begin(tool, arguments, errors, check_only=True))

    async def wait(self, call_id: int) -> dict:
        """The result of a call, when it arrives."""
        await self.until(lambda: self.has_result(call_id))
        return self.result(call_id)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Waits until the condition holds; fails after a minute."""
        deadline = time.monotonic() + 60
        while not condition():
            if time.monotonic() > deadline:
                raise AssertionError("what was waited for did not happen")
            await asyncio.sleep(0.001)

    async def run(self, tool: str, arguments: object = None, **identity: object) -> dict:
        return await self.wait(self.begin(tool, arguments, **identity))

    def has_result(self, call_id: int) -> bool:
        return any(header == {"t": "result", "id": call_id} for header, _ in self.messages)

    def result(self, call_id: int) -> dict:
        found = [payload for header, payload in self.messages if header == {"t": "result", "id": call_id}]
        if len(found) != 1:
            raise AssertionError(f"{len(found)} results of call {call_id}")
        return found[0]

    def streams(self, call_id: int | None = None) -> list[dict]:
        """The batches of a call, by default the latest."""
        wanted = {"t": "stream", "id": call_id or self._next}
        return [payload for header, payload in self.messages if header == wanted]

    def updates(self, call_id: int | None = None) -> list[object]:
        return [json.loads(one["json"]) for batch in self.streams(call_id) for one in batch["updates"]]

    def printed(self, call_id: int | None = None, stream: str = "out") -> str:
        return "".join(batch[stream] for batch in self.streams(call_id))

    def close(self) -> None:
        sys.stdout, sys.stderr, sys.stdin, folder, path, modules = self._before
        sys.__stdout__, sys.__stderr__ = self._own
        os.chdir(folder)
        sys.path[:] = path
        for name in set(sys.modules) - modules:
            if getattr(sys.modules[name], "__file__", None) and str(sys.modules[name].__file__).startswith(
                self.root
            ):
                del sys.modules[name]
        shutil.rmtree(self.root)

    def _take(self, header: str, payload: str) -> None:
        _decode(payload.partition("\n")[0])  # refuses what is not JSON
        self.messages.append((_decode(header), read_payload(payload)))


class HostCase(unittest.TestCase):
    """A test with a fake host. Test methods may be asynchronous: under Pyodide they run in its one event loop."""

    def open(self, files: dict[str, str | bytes] | str, now=None, functions_are_tools=False) -> Host:
        """A host with these files; with one file t.py if only its text is given. Closes the host opened before."""
        self.doCleanups()
        host = Host({"t.py": files} if isinstance(files, str) else files, now, None, functions_are_tools)
        self.addCleanup(host.close)
        return host

    def open_tools(self, code: str, *functions: str, now=None) -> Host:
        """A host with one file t.py: this code, and a spec for each of these functions."""
        return self.open(tools(code, *functions), now)

    def _callTestMethod(self, method) -> None:
        outcome = method()
        if inspect.iscoroutine(outcome):
            asyncio.run(outcome)


def tools(code: str, *functions: str, module: str = "t", parameters: object = None) -> str:
    """The text of a tool file: this code, and a spec for each of these functions."""
    lines = [
        f'    {{"name": "{module}:{name}", "description": "d", "parameters": {parameters or ANY}, "handler": {name}}},'
        for name in functions
    ]
    return "\n".join([code, "TOOL_SPECS = [", *lines, "]", ""])


def text_of(result: dict) -> object:
    """The text of a result's only part."""
    (part,) = result["content"]
    return part["text"]


def _refuse(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


# These methods are read once, because some tests patch the json module.
_encode = json.JSONEncoder().encode
_decode = json.JSONDecoder(parse_constant=_refuse).decode
