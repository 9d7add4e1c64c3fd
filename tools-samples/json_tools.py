"""JSON: a parameter of any type, whose schema has only a description.

A document is passed as a JSON value, not as text. Numbers keep their exact spelling, and large integers their digits.
"""

import re
from collections.abc import Iterator
from typing import Any

STEP = re.compile(
    r"""\.\.(?P<deep>[^.\[\]]+) | \.(?P<key>[^.\[\]]+) | \[(?P<index>-?[0-9]{1,9})\]
    | \[(?P<all>\*)\] | \['(?P<single>[^']*)'\] | \["(?P<double>[^"]*)"\]""",
    re.VERBOSE,
)


def query_json(document: Any, path: str) -> list[dict]:
    """Every value that a path matches, with its exact path."""
    matches = [("$", document)]
    rest = path[1:] if path.startswith("$") else path if path[:1] in ("", ".", "[") else f".{path}"
    while rest:
        step = STEP.match(rest)
        if step is None or step.lastgroup is None:
            raise ValueError(f"{rest!r} is not a step of a path; use .key, ['key'], [0], [-1], [*], .* and ..key")
        kind, said = step.lastgroup, step[step.lastgroup]
        matches = [found for where, value in matches for found in _take(kind, said, where, value)]
        rest = rest[step.end() :]
    return [{"path": where, "value": value} for where, value in matches]


def _take(kind: str, said: str, where: str, value: Any) -> Iterator[tuple[str, Any]]:
    match kind, said, value:
        case "deep", "*", _:
            yield from _all(where, value)
        case "deep", _, _:
            yield from (found for found in _all(where, value) if found[0].endswith(_step(said)))
        case ("all", _, _) | ("key", "*", _):
            yield from _children(where, value)
        case "index", _, list() if -len(value) <= int(said) < len(value):
            yield f"{where}[{int(said) % len(value)}]", value[int(said)]
        case ("key" | "single" | "double"), _, dict() if said in value:
            yield where + _step(said), value[said]


def flatten_json(document: Any, keep_empty: bool = True) -> dict:
    """One flat object: path and value of every leaf."""
    return {
        where: value
        for where, value in [("$", document), *_all("$", document)]
        if not isinstance(value, dict | list) or (keep_empty and not value)
    }


def compare_json(before: Any, after: Any) -> list[dict]:
    """The changes from one document to another."""
    old, new = flatten_json(before), flatten_json(after)
    changes = []
    for where in dict.fromkeys([*old, *new]):
        if where not in new:
            changes.append({"path": where, "change": "removed", "before": old[where]})
        elif where not in old:
            changes.append({"path": where, "change": "added", "after": new[where]})
        elif (type(old[where]), old[where]) != (type(new[where]), new[where]):  # True is not 1 here
            changes.append({"path": where, "change": "changed", "before": old[where], "after": new[where]})
    return changes


def infer_schema(document: Any) -> dict:
    """A JSON Schema that describes a document."""
    if isinstance(document, dict):
        inner = {key: infer_schema(value) for key, value in document.items()}
        return {"type": "object", "properties": inner, "required": list(inner)}
    if isinstance(document, list):
        different: list[dict] = []
        for schema in map(infer_schema, document):
            if schema not in different:
                different.append(schema)
        items = {"anyOf": different} if len(different) > 1 else different[0] if different else {}
        return {"type": "array", "items": items}
    kinds = {bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null"}
    return {"type": kinds[type(document)]}


def _children(where: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        yield from ((where + _step(key), child) for key, child in value.items())
    elif isinstance(value, list):
        yield from ((f"{where}[{index}]", child) for index, child in enumerate(value))


def _all(where: str, value: Any) -> Iterator[tuple[str, Any]]:
    # Uses a list of pending work instead of recursion, so that no document is too deep.
    waiting = list(_children(where, value))[::-1]
    while waiting:
        found = waiting.pop()
        yield found
        waiting += list(_children(*found))[::-1]


def _step(key: str) -> str:
    return f".{key}" if re.fullmatch(r"\w+", key) else f"[{key!r}]"


def _document(words: str) -> dict:
    return {"description": f"{words}: any JSON value, not JSON text"}


TOOL_SPECS = [
    {
        "name": "json_tools:query_json",
        "label": "Query JSON",
        "description": "All values in a JSON document that match a path, each with its exact path. The list is empty "
        "if there are none.",
        "parameters": {
            "type": "object",
            "properties": {
                "document": _document("The document"),
                "path": {
                    "type": "string",
                    "description": "$.users[0].name; [*] and .* match all children, ..name matches name at any depth",
                },
            },
            "required": ["document", "path"],
        },
        "handler": query_json,
        "examples": [{"document": {"users": [{"name": "Ada"}]}, "path": "$.users[*].name"}],
        "stateless": True,
    },
    {
        "name": "json_tools:flatten_json",
        "label": "Flatten JSON",
        "description": "Converts a nested JSON document to one flat object: each key is the path of a leaf.",
        "parameters": {
            "type": "object",
            "properties": {
                "document": _document("The document"),
                "keep_empty": {"type": "boolean", "default": True, "description": "Keep empty objects and lists"},
            },
            "required": ["document"],
        },
        "handler": flatten_json,
        "examples": [{"document": {"user": {"name": "Ada", "tags": ["math"]}}}],
        "stateless": True,
    },
    {
        "name": "json_tools:compare_json",
        "label": "Compare JSON",
        "description": "What was added, removed and changed between two JSON documents. The order of keys does not "
        "matter, but the order of lists does.",
        "parameters": {
            "type": "object",
            "properties": {"before": _document("The first document"), "after": _document("The second document")},
            "required": ["before", "after"],
        },
        "handler": compare_json,
        "examples": [{"before": {"a": 1, "b": [1, 2]}, "after": {"a": 2, "b": [1]}}],
        "stateless": True,
    },
    {
        "name": "json_tools:infer_schema",
        "label": "Infer a schema",
        "description": "Creates a JSON Schema for a JSON document. Edit it by hand: one document does not show what "
        "is optional.",
        "parameters": {
            "type": "object",
            "properties": {"document": _document("The document")},
            "required": ["document"],
        },
        "handler": infer_schema,
        "examples": [{"document": [{"id": 1, "name": "Ada"}]}],
        "stateless": True,
        "deferred": True,
    },
]
