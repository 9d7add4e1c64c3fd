"""Records what ordinary Python returns for every call of the corpus: python3 tests/corpus/record.py

It does not use Cloche: it imports each tool file, calls the handlers in order, and writes recorded.json.
"""

from __future__ import annotations

import asyncio
import importlib
import inspect
import io
import json
import sys
from pathlib import Path

from calls import CALLS

HERE = Path(__file__).parent
sys.dont_write_bytecode = True
sys.path.append(str(HERE / "tools"))


def handlers() -> dict:
    found = {}
    for file in sorted((HERE / "tools").glob("[!_.]*.py")):
        for spec in importlib.import_module(file.stem).TOOL_SPECS:
            found[spec["name"]] = (spec["handler"], spec["parameters"])
    return found


def is_integer_only(schema: dict) -> bool:
    kinds = schema.get("type", [])
    kinds = {kinds} if isinstance(kinds, str) else set(kinds)
    for branch in schema.get("anyOf", []):
        kinds.add(branch.get("type"))
    return "integer" in kinds and "number" not in kinds


def arguments(text: str, parameters: dict) -> dict:
    values = json.loads(text)
    for name, schema in parameters["properties"].items():
        value = values.get(name)
        if is_integer_only(schema) and isinstance(value, float) and value.is_integer():
            values[name] = int(value)
    return values


async def last_of(generator):
    return [value async for value in generator][-1]


def result_of(handler, values):
    """The return value of a handler, awaited if it is awaitable."""
    result = handler(**values)
    if inspect.isasyncgen(result):
        return asyncio.run(last_of(result))
    if inspect.isawaitable(result):
        return asyncio.run(_awaited(result))
    if inspect.isgenerator(result):
        last = None
        while True:
            try:
                last = next(result)
            except StopIteration as stop:
                return last if stop.value is None else stop.value
    return result


async def _awaited(result):
    return await result


def outcome(handler, values) -> dict:
    try:
        result = result_of(handler, values)
        text = json.dumps(result, ensure_ascii=False)
        if isinstance(result, str):
            text = json.loads(text)
        return {"text": text}
    except BaseException as error:
        return {"error": type(error).__name__, "message": str(error)}


class Routed(io.TextIOBase):
    """Stands in for stdout: a tool may replace the stream, and restore it in a later call."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> int:
        self.text += text
        return len(text)


def main() -> None:
    known = handlers()
    recorded = []
    before, sys.stdout = sys.stdout, Routed()
    routed = sys.stdout
    for tool, text in CALLS:
        handler, parameters = known[tool]
        routed.text = ""
        ended = outcome(handler, arguments(text, parameters))
        recorded.append({"tool": tool, "arguments": text, **ended, "stdout": routed.text})
    sys.stdout = before
    target = HERE / "recorded.json"
    target.write_text(json.dumps(recorded, indent=1, ensure_ascii=False) + "\n")
    print(f"{target.name}: {len(recorded)} calls, Python {sys.version.split()[0]}")


main()
