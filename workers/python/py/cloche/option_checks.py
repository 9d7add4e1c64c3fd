"""Checks the value of one optional key of a tool spec, and returns it in plain types.

Strings and dicts may be of subclasses with methods of their own, so `str.__str__`, `dict.get` and so on are called by name.
"""

from __future__ import annotations

from collections.abc import Callable
from json import JSONDecoder
from typing import NamedTuple

from .json_text import encode_plain, encode_strict
from .limits import APP_ORIGINS, LABEL_CHARACTERS, LIST_ITEMS, PROMPT_LINE_CHARACTERS, SCHEMA_CHARACTERS
from .parameters import read_dialect
from .problems import Fault, error, warning
from .wording import kind, nearest, shown

ANNOTATIONS = ("title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
APP_KEYS = ("file", "connectDomains", "resourceDomains")
_SECONDS = 1e9  # more than any call can wait
_decode = JSONDecoder().decode


class Given(NamedTuple):
    """The value of one optional key, and where to report its problems."""

    key: str
    value: object
    faults: list[Fault]

    def refuse(self, expected: str, hint: str, found: str = "", *inner: str | int) -> None:
        """Reports that the value, or a part of it, has the wrong type."""
        path = (self.key, *inner)
        actual = found or kind(self.value)
        self.faults.append(error("wrong-type", path, f"{_written(path)} is {actual}", expected, hint))

    def refuse_length(self, length: int, limit: int, unit: str = "characters") -> None:
        """Reports that the value is too long."""
        message = f"{self.key} has {length:,} {unit}"
        hint = f"Shorten {self.key}."
        self.faults.append(error("too-long", (self.key,), message, f"at most {limit:,} {unit}", hint))


Check = Callable[[Given], object]


def label(given: Given) -> str:
    """A short text to display."""
    text = str.__str__(given.value) if isinstance(given.value, str) else ""
    if not text.strip():
        found = "empty" if isinstance(given.value, str) else ""
        given.refuse("a non-empty str", "Write a short name, or leave the key out.", found)
    elif len(text) > LABEL_CHARACTERS:
        given.refuse_length(len(text), LABEL_CHARACTERS)
    return text


def flag(given: Given) -> bool:
    """True or False."""
    if type(given.value) is not bool:
        given.refuse("True or False", f'Write "{given.key}": True or "{given.key}": False.')
    return given.value is True


def flag_or_callable(given: Given) -> bool | str:
    """True, False, or "callable" for a function that decides for each call."""
    if type(given.value) is bool:
        return given.value
    if not callable(given.value):
        hint = f'Write "{given.key}": True, or a function that takes the arguments and returns a bool.'
        given.refuse("True, False or a callable that takes the arguments", hint)
    return "callable"


def seconds(given: Given) -> int | float:
    """A duration above 0."""
    value = given.value
    expected, hint = "a number of seconds above 0", f'Write "{given.key}": 60 for one minute.'
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        given.refuse(expected, hint)
    elif not 0 < value < _SECONDS:
        given.refuse(expected, hint, "too large a number" if value >= _SECONDS else repr(value))
    else:
        return int(value) if isinstance(value, int) else float(value)
    return 0


def interrupt(given: Given) -> str:
    """ "cancel" or "block"."""
    text = str.__str__(given.value) if isinstance(given.value, str) else ""
    if text not in ("cancel", "block"):
        hint = 'Write "block" if a running call must not be cut off; otherwise leave the key out.'
        given.refuse('"cancel" or "block"', hint, shown(text) if isinstance(given.value, str) else "")
    return text


def line(given: Given) -> str:
    """One line of text; several lines are joined."""
    if not isinstance(given.value, str):
        given.refuse("a str of one line", f'Write "{given.key}": "…", or leave the key out.')
        return ""
    text = str.__str__(given.value)
    if len(text) > PROMPT_LINE_CHARACTERS:
        given.refuse_length(len(text), PROMPT_LINE_CHARACTERS)
    parts = text.splitlines()
    if len(parts) > 1:
        message = f"{given.key} has {len(parts)} lines; they are joined"
        hint = 'Put the other lines into "prompt_guides".'
        given.faults.append(warning("several-lines", (given.key,), message, "one line", hint))
    return " ".join(one.strip() for one in parts)


def lines(given: Given) -> list[str]:
    """A list of lines."""
    texts: list[str] = []
    hint = f'Write "{given.key}": ["first line", "second line"].'
    for index, one in enumerate(_entries(given, "a list of str", hint)):
        if not isinstance(one, str):
            given.refuse("a str", "Make every entry a str.", kind(one), index)
            continue
        texts.append(str.__str__(one))
        if len(one) > PROMPT_LINE_CHARACTERS:
            given.refuse_length(len(one), PROMPT_LINE_CHARACTERS)
    return texts


def examples(given: Given) -> object:
    """A list of argument objects."""
    hint = f'Write "{given.key}": [{{"argument": "value"}}].'
    entries = _entries(given, "a list of argument objects", hint)
    for index, one in enumerate(entries):
        if not isinstance(one, dict):
            hint = "Make every example a dict of argument names and values."
            given.refuse("a dict of arguments", hint, kind(one), index)
    return _plain(given, entries)


def schema(given: Given) -> object:
    """A JSON Schema, or None."""
    if given.value is None:
        return None
    if not isinstance(given.value, dict):
        hint = f'Write "{given.key}": {{"type": "object"}} or leave the key out.'
        given.refuse("a dict: the JSON Schema of the result", hint)
        return None
    value = _plain(given, given.value)
    return value if value is None else read_dialect(value, encode_plain(value), (given.key,), given.faults)[0]


def hints(given: Given) -> object:
    """MCP hints."""
    if not isinstance(given.value, dict):
        given.refuse("a dict of MCP hints", f'Write "{given.key}": {{"readOnlyHint": True}}.')
        return {}
    for name, hint in dict.items(given.value):
        if type(name) is not str or name not in ANNOTATIONS:
            given.faults.append(_unknown_annotation(given.key, name))
        elif name == "title" and not isinstance(hint, str):
            given.refuse("a str", "Make title a str.", kind(hint), name)
        elif name != "title" and type(hint) is not bool:
            given.refuse("True or False", f"Make {name} True or False.", kind(hint), name)
    return _plain(given, given.value)


def app(given: Given) -> object:
    """The file of an MCP App, and the origins that it declares."""
    value = {"file": given.value} if isinstance(given.value, str) else given.value
    hint = f'Write "{given.key}": "chart.html", a file of the tools folder.'
    if not isinstance(value, dict):
        given.refuse("the path of an HTML file, or a dict with its path as file", hint)
        return None
    file, *origins = (dict.get(value, name, ()) for name in APP_KEYS)
    for name in dict.keys(value):
        if name not in APP_KEYS:
            given.refuse(f"the keys {', '.join(APP_KEYS)}", hint, f"a dict with the key {shown(str(name))}")
    if not isinstance(file, str) or not file.endswith(".html") or len(file) > LABEL_CHARACTERS:
        given.refuse("the path of an HTML file", hint, "no path that ends in .html")
    for name, listed in zip(APP_KEYS[1:], origins, strict=True):
        if not isinstance(listed, (list, tuple)) or len(listed) > APP_ORIGINS:
            given.refuse(f"a list of at most {APP_ORIGINS} origins", 'Write ["https://api.example.com"].', kind(listed), name)
        elif not all(isinstance(one, str) and len(one) <= LABEL_CHARACTERS for one in listed):
            given.refuse("a list of str", 'Write ["https://api.example.com"].', "no list of origins", name)
    return _plain(given, dict(zip(APP_KEYS, (file, *map(list, origins)), strict=True)))


def _unknown_annotation(key: str, name: object) -> Fault:
    known = ", ".join(ANNOTATIONS)
    near = nearest(name, ANNOTATIONS) if type(name) is str else None
    message = f"{shown(name) if type(name) is str else kind(name)} is not a known annotation"
    hint = f'Did you mean "{near}"?' if near else f"Known: {known}."
    path = (key, name) if type(name) is str else (key,)
    return warning("unknown-annotation", path, message, f"one of {known}", hint)


def _entries(given: Given, expected: str, hint: str) -> list[object]:
    """The entries of a list; empty if the value is no list, or too long, which is reported."""
    if not isinstance(given.value, (list, tuple)):
        given.refuse(expected, hint)
        return []
    if len(given.value) > LIST_ITEMS:
        given.refuse_length(len(given.value), LIST_ITEMS, "entries")
        return []
    return list(given.value)


def _plain(given: Given, value: object) -> object:
    """The value as its JSON text has it; the empty value if it is not JSON."""
    try:
        text = encode_strict(value, given.key)
    except (TypeError, ValueError, RecursionError) as fault:
        hint = "Use only dict, list, str, numbers, True, False and None in it."
        message = f"{given.key} is not JSON: {fault}"
        given.faults.append(error("not-json", (given.key,), message, "JSON values only", hint))
        return None
    if len(text) > SCHEMA_CHARACTERS:
        given.refuse_length(len(text), SCHEMA_CHARACTERS)
        return None
    return _decode(text)


def _written(path: tuple[str | int, ...]) -> str:
    """The path of a value as its problem shows it."""
    first, *inner = path
    return f"{first}" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in inner)
