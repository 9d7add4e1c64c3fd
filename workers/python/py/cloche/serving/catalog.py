"""The tools of a folder as MCP lists them."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any, TextIO

from ..testing.folder_calls import FolderCalls

MAX_NAME = 48
_DIGITS = 10
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,47}\Z")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
# Names that every object of JavaScript has; SDKs would find them in their tables.
_IN_OBJECTS = "constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf".split()
_OWN = ("cloche_test.py", "cloche_mcp.py")
# As in src/runtime/folder/tool-files.ts: importing these would run tests or install packages.
_SUPPORT = re.compile(
    r"(?:tests?|test_.*|.*_tests?|run_?tests|conftest|setup|conf|noxfile|toxfile|tasks|fabfile|dodo|pavement|build|"
    r"hatch_build|versioneer|manage|wsgi|asgi|gunicorn[._]conf|locustfile|(?:site|user)customize)\.py\Z"
)
_SPECS = re.compile(r"^[^\S\n]*TOOL_SPECS\s*(?::[^=\n]*)?\+?=(?!=)", re.MULTILINE)


class Catalog:
    """The tools of the folder, read once."""

    def __init__(self, folder: Path, calls: FolderCalls, errors: TextIO) -> None:
        """`errors` gets the errors of files whose tools are missing."""
        found = [tool for file in _tool_files(folder) for tool in _inspect(file, calls, errors)]
        functions = [tool["name"].rpartition(":")[2] for tool in found]
        self._tools = {mcp_name(tool["name"], functions): tool for tool in found}

    def definitions(self, is_modern: bool) -> list[dict[str, Any]]:
        """The tools as `tools/list` gives them, in the revisions of 2025 or in later ones."""
        return [_definition(name, tool, is_modern) for name, tool in self._tools.items()]

    def tool(self, name: object) -> dict[str, Any] | None:
        """The report on the tool that MCP calls `name`."""
        return self._tools.get(name) if isinstance(name, str) else None


def _tool_files(folder: Path) -> list[str]:
    """The names of the files that may have tools."""
    files = [path for path in sorted(folder.glob("*.py")) if path.name[0] not in "._" and path.name not in _OWN]
    return [path.name for path in files if path.is_file() and not _is_support(path)]


def _is_support(path: Path) -> bool:
    return bool(_SUPPORT.match(path.name)) and not _SPECS.search(path.read_text("utf-8", errors="replace"))


def _inspect(file: str, calls: FolderCalls, errors: TextIO) -> list[dict[str, Any]]:
    """The tools of a file. Its errors are printed."""
    tools = calls.inspect(file)
    problem = calls.problem_of(file)
    if problem:
        print(f"cloche_mcp.py: {problem}", file=errors, flush=True)
    return tools


def mcp_name(tool: str, functions: list[str]) -> str:
    """The function's name if it is the only one and may stand alone, else the wire name, as in
    src/runtime/registry/mcp-names.ts. `functions` are the names of all functions."""
    function = tool.rpartition(":")[2]
    # Names with `__` or a hash could be the wire names of other tools.
    is_like_wire = "__" in function or re.search(r"_h[0-9a-f]{10}\Z", function)
    if functions.count(function) == 1 and _NAME.match(function) and not is_like_wire and function not in _IN_OBJECTS:
        return function
    wire = _wire_name(tool)
    if len(wire) <= MAX_NAME:
        return wire
    return f"{wire[: MAX_NAME - _DIGITS - 2].rstrip('_')}_h{_hash(tool)}"


def _wire_name(tool: str) -> str:
    """As `wireName` in src/runtime/registry/provider-names.ts."""
    match tool.split(":"):
        case [module, name]:
            is_readable = all(_WORD.match(part) and "__" not in part for part in (module, name))
            plain = f"{module}__{name}"
            if is_readable and not module.endswith("_") and not name.startswith("_") and len(plain) <= 64:
                return plain
    words = re.sub(r"[^A-Za-z0-9-]+", "_", tool).strip("_")
    named = words if re.match(r"[A-Za-z]", words) else f"t_{words}"
    return f"{named[:52].rstrip('_')}_h{_hash(tool)}"


def _hash(tool: str) -> str:
    return hashlib.sha256(tool.encode()).hexdigest()[:_DIGITS]


def output_schema(tool: dict[str, Any], is_modern: bool) -> dict[str, Any] | None:
    """The schema of a tool's result that clients know. In the revisions of 2025, structured results are objects."""
    returns: object = tool["returns"]
    return returns if isinstance(returns, dict) and (is_modern or returns.get("type") == "object") else None


def _definition(name: str, tool: dict[str, Any], is_modern: bool) -> dict[str, Any]:
    parameters = tool["parameters"]
    schema = json.loads(parameters) if isinstance(parameters, str) else parameters
    definition = {
        "name": name,
        "title": tool["label"],
        "description": tool["description"],
        "inputSchema": _without_header({"type": "object", **schema}),
    }
    returns = output_schema(tool, is_modern)
    if returns is not None:
        definition["outputSchema"] = returns
    if tool["annotations"]:
        definition["annotations"] = tool["annotations"]
    return definition


def _without_header(schema: Any) -> Any:
    """The schema without the marks of arguments that clients repeat in a header: nothing here checks that the two agree."""
    if isinstance(schema, dict):
        return {key: _without_header(value) for key, value in schema.items() if key != "x-mcp-header"}
    return [_without_header(one) for one in schema] if isinstance(schema, list) else schema
