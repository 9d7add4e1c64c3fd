"""Reads docstrings in the styles of Google, NumPy and Sphinx: a description, and the parameters' types and
descriptions. `inference` uses both."""

from __future__ import annotations

import inspect
import re
from typing import NamedTuple

_CHARACTERS = 100_000
_LINE = 2_000  # the number of characters of a line that are read
_ARGUMENTS = ("args", "arguments", "parameters", "params", "parameter", "argument", "keyword args", "keyword arguments", "inputs")
_SECTIONS = frozenset(
    (
        *_ARGUMENTS,
        "returns", "return", "yields", "yield", "raises", "raise", "example", "examples", "note", "notes", "warning",
        "warnings", "see also", "references", "attributes", "todo", "usage", "output", "outputs", "exceptions",
    )
)
# Google and NumPy: the heading of a section, the line below it, and a parameter such as `city (str): Where.`
_HEADING = re.compile(r"([A-Za-z][A-Za-z ]{0,30}?)\s*:\s*$")
_RULE = re.compile(r"-{3,}\s*$|={3,}\s*$")
_FIELD = re.compile(r"[:@](\w+)(?:\s+([^:\n]*?))?\s*:(?:\s+|$)(.*)$")
_FIELDS_OF_PARAMETERS = ("param", "parameter", "arg", "argument", "key", "keyword")
_FIELDS = (*_FIELDS_OF_PARAMETERS, "params", "type", "return", "returns", "rtype", "raises", "raise", "except", "yields", "yield")
_ITEM = re.compile(r"[-*]?\s*[`*]{0,2}(\*{0,2}\w+)[`*]{0,2}\s*(?:[(\[]((?:[^()\[\]]|\([^()]*\)|\[(?:[^\[\]]|\[[^\]]*\])*\])*)[)\]])?\s*(?::|--?\s)\s*(.*)$")

# Types as docstrings write them.
_WORDS = {
    "str": "string", "string": "string", "text": "string", "int": "integer", "integer": "integer", "float": "number",
    "number": "number", "double": "number", "bool": "boolean", "boolean": "boolean", "dict": "object",
    "object": "object", "mapping": "object", "list": "array", "array": "array", "tuple": "array", "sequence": "array",
    "set": "array", "none": "null", "null": "null", "array-like": "array", "date": "string", "datetime": "string",
}  # fmt: skip
_CHOICES = re.compile(r"\{([^{}]{1,500})\}$")
_OF = re.compile(r"(?:list|array|sequence|tuple|set)\s*(?:\[\s*(.+)\s*\]|\s+of\s+(.+))$", re.IGNORECASE)
_OPTIONAL = re.compile(r"optional\s*\[\s*(.+)\s*\]$", re.IGNORECASE)


class Parameter(NamedTuple):
    """The entry for one parameter in a docstring. The type is text, as the author wrote it."""

    type: str
    description: str


class Docstring(NamedTuple):
    """A docstring: the whole text, the part before parameters and other sections, and the parameters."""

    whole: str
    head: str
    parameters: dict[str, Parameter]
    before_fields: str  # the text before the first Sphinx field


def read_docstring(text: object) -> Docstring:
    """Reads a docstring; the result is empty for anything but text. Never raises."""
    whole = inspect.cleandoc(text[:_CHARACTERS]).strip() if isinstance(text, str) else ""
    if not whole:
        return Docstring("", "", {}, "")
    lines = whole.split("\n")
    parameters: dict[str, Parameter] = {}
    fields = next((index for index, line in enumerate(lines) if _match_field(line)), len(lines))
    _read_fields(lines[fields:], parameters)
    section = next((index for index in range(len(lines)) if _find_section(lines, index)), len(lines))
    _read_sections(lines, section, parameters)
    head = "\n".join(lines[: min(fields, section)]).strip()
    return Docstring(whole, head, parameters, "\n".join(lines[:fields]).strip())


def schema_of_words(words: str) -> dict[str, object]:
    """The JSON Schema of a type as docstrings write it ("list of str", "{'a', 'b'}", "int or None"); {} if unknown."""
    text = words.strip().strip("`").replace("typing.", "")
    choices = _CHOICES.match(text)
    if choices:
        listed = [choice.strip() for choice in choices[1].split(",")]
        if all(len(choice) > 1 and choice[0] in "'\"" and choice[-1] == choice[0] for choice in listed):
            return {"type": "string", "enum": [choice[1:-1] for choice in listed]}
        return {}
    optional = _OPTIONAL.match(text)
    if optional:
        inner = schema_of_words(optional[1])
        return {**inner, "type": [inner["type"], "null"]} if isinstance(inner.get("type"), str) else {}
    several = [part for part in re.split(r"\s+or\s+|\s*\|\s*", text) if part]
    if len(several) > 1:
        kinds = [schema_of_words(part) for part in several[:10]]
        plain = [kind["type"] for kind in kinds if set(kind) == {"type"} and isinstance(kind["type"], str)]
        return {"type": list(dict.fromkeys(plain))} if len(plain) == len(kinds) else {}
    items = _OF.match(text)
    if items:
        inner = schema_of_words(items[2].removesuffix("s") if items[2] else items[1])
        return {"type": "array", "items": inner} if inner else {"type": "array"}
    kind = _WORDS.get(text.partition("[")[0].strip().lower())
    return {"type": kind} if kind else {}


def _match_field(line: str) -> re.Match[str] | None:
    """The name, the subject and the text of a Sphinx field; None for other lines."""
    found = _FIELD.match(line.strip()[:_LINE]) if line.lstrip()[:1] in (":", "@") else None
    return found if found and found[1] in _FIELDS else None


def _read_fields(lines: list[str], parameters: dict[str, Parameter]) -> None:
    """Reads lines such as `:param city: Where.`, which may continue on further lines."""
    name, kind, words = "", "", []
    for line in [*lines, ":return:"]:
        field = _match_field(line)
        if field is None:
            if name and line.strip():
                words.append(line.strip())
            continue
        if name:
            known = parameters.get(name, Parameter("", ""))
            parameters[name] = Parameter(kind or known.type, " ".join(words).strip() or known.description)
        name, kind, words = "", "", [field[3].strip()]
        subject = (field[2] or "").split()
        if field[1] == "type" and subject:
            known = parameters.get(subject[-1], Parameter("", ""))
            parameters[subject[-1]] = known._replace(type=field[3].strip())
        elif field[1] in _FIELDS_OF_PARAMETERS and subject:
            name, kind = subject[-1].lstrip("*"), " ".join(subject[:-1])


def _find_section(lines: list[str], index: int) -> str:
    """The name of the section whose heading is at this line, in lower case; empty if there is none."""
    line = lines[index].strip()
    if index + 1 < len(lines) and _RULE.match(lines[index + 1].strip()) and line.lower() in _SECTIONS:
        return line.lower()
    found = _HEADING.match(line.strip("*# "))
    return found[1].lower() if found and found[1].lower() in _SECTIONS else ""


def _read_sections(lines: list[str], first: int, parameters: dict[str, Parameter]) -> None:
    """Reads the sections for parameters, in the style of Google or NumPy. `first`: the line of the first section."""
    index = first
    while index < len(lines):
        name = _find_section(lines, index)
        if name not in _ARGUMENTS:
            index += 1
            continue
        is_numpy = index + 1 < len(lines) and bool(_RULE.match(lines[index + 1].strip()))
        start = index + (2 if is_numpy else 1)
        end = next((number for number in range(start, len(lines)) if _find_section(lines, number)), len(lines))
        if is_numpy:
            _read_numpy(lines[start:end], parameters)
        else:
            _read_google(lines[start:end], parameters)
        index = end


def _read_google(lines: list[str], parameters: dict[str, Parameter]) -> None:
    """Reads the lines of a section `Args:`, such as `city (str): Where.`"""
    filled = [line for line in lines if line.strip()]
    if not filled:
        return
    indent = _count_indent(filled[0])
    name = ""
    for line in lines:
        if not line.strip():
            continue
        if _count_indent(line) < indent:
            return  # text that follows the section
        item = _ITEM.match(line.strip()[:_LINE]) if _count_indent(line) <= indent + 1 else None
        if item:
            name = item[1].lstrip("*")
            kind = re.sub(r",?\s*(optional|required|default\b.*)$", "", item[2] or "", flags=re.IGNORECASE).strip()
            parameters[name] = Parameter(kind, item[3].strip())
        elif name:
            known = parameters[name]
            parameters[name] = known._replace(description=f"{known.description} {line.strip()}".strip())


def _read_numpy(lines: list[str], parameters: dict[str, Parameter]) -> None:
    """Reads the lines of a section `Parameters`: `city : str`, and an indented description below."""
    filled = [line for line in lines if line.strip()]
    if not filled:
        return
    indent = _count_indent(filled[0])
    names: list[str] = []
    for line in filled:
        if _count_indent(line) <= indent:
            named, _, kind = line.strip().partition(":")
            names = [name.strip().lstrip("*") for name in named.split(",") if name.strip()]
            kind = re.sub(r",\s*(optional|default.*)$", "", kind.strip())
            for name in names:
                parameters[name] = Parameter(kind, "")
        else:
            for name in names:
                known = parameters[name]
                parameters[name] = known._replace(description=f"{known.description} {line.strip()}".strip())


def _count_indent(line: str) -> int:
    return len(line) - len(line.lstrip())
