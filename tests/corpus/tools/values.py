"""Values of every kind, there and back."""

import dataclasses
import datetime
import decimal
import enum
import math
from collections import OrderedDict, defaultdict, namedtuple

Point = namedtuple("Point", "x y")


class Color(str, enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    HIGH = 3


@dataclasses.dataclass
class Person:
    name: str


def _cycle():
    inner = []
    inner.append({"back": inner})
    return {"a": inner}


def _deep():
    value = []
    for _ in range(100_000):
        value = [value]
    return value


VALUES = {
    "none": lambda: None,
    "true": lambda: True,
    "text": lambda: "plain text",
    "empty": lambda: "",
    "unicode": lambda: {"é": "日本語 🐍", "rtl": "\u202eabc"},
    "surrogate": lambda: "\ud83d",
    "big": lambda: 12345678901234567890123,
    "negative big": lambda: -(2**63) - 1,
    "float": lambda: 3.0,
    "tiny": lambda: 5e-324,
    "huge": lambda: 1.7976931348623157e308,
    "nan": lambda: [math.nan, math.inf, -math.inf],
    "zero": lambda: -0.0,
    "tuple": lambda: (1, (2, 3)),
    "named tuple": lambda: Point(1, 2),
    "integer keys": lambda: {10: "a", 9: "b", "8": "c", 1.5: "d", None: "e", True: "f"},
    "key order": lambda: {"10": 1, "9": 2, "b": 3, "1": 4},
    "ordered": lambda: OrderedDict(b=1, a=2),
    "default": lambda: defaultdict(list, a=[1]),
    "text enum": lambda: Color.RED,
    "enum inside": lambda: {"color": Color.RED, "level": Level.HIGH},
    "nested": lambda: {"a": [{"b": [{"c": [None, False, 0, ""]}]}]},
    "date": lambda: {"when": datetime.date(2026, 1, 2)},
    "set": lambda: [{1}],
    "decimal": lambda: {"a": {"b": decimal.Decimal("1.5")}},
    "dataclass": lambda: Person("Ada"),
    "tuple key": lambda: {"a": {(1, 2): 3}},
    "cycle": _cycle,
    "deep": _deep,
    "bytes": lambda: b"\x00\x01",
    "png": lambda: b"\x89PNG\r\n\x1a\n" + b"\x00" * 8,
    "bytes inside": lambda: {"a": b"x"},
    "object": object,
    "generator": lambda: (n * n for n in range(4)),
    "control characters": lambda: "a\x00b\x1b[31mc\r\n\t",
    "long": lambda: "x" * 100_000,
}


def give(kind: str):
    """Returns the value of this kind."""
    return VALUES[kind]()


def take(value) -> str:
    """What Python received."""
    return repr(value)


def take_integer(value: int) -> str:
    """What Python received for a parameter of type integer."""
    return f"{type(value).__name__} {value!r}"


def take_optional(value: int | None = None) -> str:
    """What Python received for an integer or null."""
    return f"{type(value).__name__} {value!r}"


def take_number(value: float) -> str:
    """What Python received for a number."""
    return f"{type(value).__name__} {value!r}"


def _spec(handler, schema, required=("value",)):
    name = "kind" if handler is give else "value"
    return {
        "name": f"values:{handler.__name__}",
        "description": handler.__doc__,
        "parameters": {"type": "object", "properties": {name: schema}, "required": [name] if required else []},
        "handler": handler,
    }


TOOL_SPECS = [
    _spec(give, {"type": "string", "enum": list(VALUES)}),
    _spec(take, {}),
    _spec(take_integer, {"type": "integer"}),
    _spec(take_optional, {"anyOf": [{"type": "integer"}, {"type": "null"}]}, ()),
    _spec(take_number, {"type": "number"}),
]
