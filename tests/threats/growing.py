"""Schemas whose work grows faster than their size, and a plain one."""

from __future__ import annotations

WIDE = 12
DEEP = 6


def plain(text: str = "") -> str:
    """Says it."""
    return f"plain {text}"


def refs(number):
    return [{"$ref": f"#/$defs/level_{number}", "title": str(n)} for n in range(WIDE)]


def level(number):
    """Refers to the next level in each way that a schema has."""
    if number == DEEP:
        return {"type": "string"}
    inner = refs(number + 1)
    names = [f"p{n}" for n in range(WIDE)]
    return {
        "anyOf": inner + inner,
        "allOf": inner,
        "items": {"anyOf": inner},
        "required": names,
        "properties": dict(zip(names, inner)),
    }


def schema(first):
    """A hundred required properties that refer to a level."""
    names = [f"p{n}" for n in range(100)]
    return {
        "type": "object",
        "required": names,
        "properties": {name: first for name in names},
        "$defs": {f"level_{n}": level(n) for n in range(DEEP + 1)},
    }


def objects(number):
    """An object that requires many objects of the next level."""
    if number == DEEP:
        return {"type": "string"}
    names = [f"p{n}" for n in range(WIDE)]
    return {"type": "object", "required": names, "properties": dict(zip(names, refs(number + 1)))}


def spec(name, parameters):
    return {"name": f"growing:{name}", "description": name, "parameters": parameters, "handler": plain}


TOOL_SPECS = [
    spec("types", schema({"$ref": "#/$defs/level_0"})),
    spec("objects", {**objects(0), "$defs": {f"level_{n}": objects(n) for n in range(1, DEEP + 1)}}),
    spec("plain", {"type": "object", "properties": {"text": {"type": "string"}, "either": {"anyOf": refs(DEEP)}},
                   "$defs": {f"level_{DEEP}": level(DEEP)}}),
]
