"""Writes TOOL_SPECS into the text of a file, as its author would."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from typing import Any

_WIDTH = 100
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$")
_INDENTED = re.compile(r"^(\t| +)\S", re.MULTILINE)


def specs_text(specs: Iterable[tuple[dict[str, Any], str]], unit: str) -> str:
    """The assignment of TOOL_SPECS. Each spec comes with the source of its handler; `unit` is one level of indentation."""
    return "\n".join(["TOOL_SPECS = [", entries_text(specs, unit), "]"]) + "\n"


def entries_text(specs: Iterable[tuple[dict[str, Any], str]], unit: str) -> str:
    """The entries of TOOL_SPECS, without a line end behind the last one."""
    lines = []
    for spec, handler in specs:
        lines.append(f"{unit}{{")
        for key, value in spec.items():
            lines.append(f"{unit * 2}{_quoted(key)}: {literal(value, 2, unit, len(key) + 4)},")
        lines.append(f'{unit * 2}"handler": {handler},')
        lines.append(f"{unit}}},")
    return "\n".join(lines)


def literal(value: Any, level: int, unit: str, used: int) -> str:
    """A JSON value as Python source, broken into lines that end before column 100. `used`: characters before it."""
    flat = _flat(value)
    if level * _columns(unit) + used + len(flat) + 1 <= _WIDTH and not (isinstance(value, str) and "\n" in value):
        return flat
    inner, outer = unit * (level + 1), unit * level
    if isinstance(value, dict) and value:
        items = [f"{_quoted(key)}: {literal(one, level + 1, unit, len(_quoted(key)) + 2)}" for key, one in value.items()]
    elif isinstance(value, list) and value:
        items = [literal(one, level + 1, unit, 0) for one in value]
    elif isinstance(value, str):
        pieces = _pieces(value, _WIDTH - (level + 1) * _columns(unit))
        return flat if len(pieces) == 1 else "\n".join(["(", *(f"{inner}{one}" for one in pieces), f"{outer})"])
    else:
        return flat
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    return "\n".join([opening, *(f"{inner}{one}," for one in items), f"{outer}{closing}"])


def with_block(text: str, *blocks: str) -> str:
    """The text with blocks at its end, or before its `if __name__ == "__main__":`. Other lines stay as they are."""
    lines = lines_of(text)
    end = next((one for one in ("\r\n", "\r") if lines and lines[0].endswith(one)), "\n")
    at = _guard_line(text, lines)
    before, after = lines[:at], lines[at:]
    if before and not before[-1].endswith(("\n", "\r")):
        before[-1] += end
    blank = 0
    while blank < min(2, len(before)) and not before[-1 - blank].strip():
        blank += 1
    missing = 2 - blank if before else 0
    added = [""] * missing + "\n\n\n".join(one.rstrip("\n") for one in blocks if one).split("\n")
    if after:
        added += ["", ""]
    return "".join([*before, *(f"{line}{end}" for line in added), *after])


def with_entries(text: str, definitions: str, entries: str) -> str | None:
    """The text with further entries at the end of its TOOL_SPECS, and definitions before it; None if TOOL_SPECS is not
    written as a list."""
    plain = text.removeprefix("\ufeff")
    listed = [one for one in ast.parse(plain).body if isinstance(one, (ast.Assign, ast.AnnAssign)) and _is_specs(one)]
    if len(listed) != 1 or not isinstance(listed[0].value, ast.List):
        return None
    lines = lines_of(plain)
    end = "\r\n" if lines[0].endswith("\r\n") else "\n"
    value = listed[0].value
    closing = _offset(lines, value.end_lineno, value.end_col_offset) - 1
    last = _offset(lines, value.elts[-1].end_lineno, value.elts[-1].end_col_offset) if value.elts else closing
    between = plain[last:closing]
    if value.elts and "," not in re.sub(r"#[^\r\n]*", "", between):
        between = f",{between}"
    start = _offset(lines, listed[0].lineno, 0)
    before = f"{definitions.rstrip()}\n\n\n" if definitions else ""
    added = f"\n{entries}\n]".replace("\n", end)
    kept = plain[start:last] + between.rstrip() + added + plain[closing + 1 :]
    return text[: len(text) - len(plain)] + plain[:start] + before.replace("\n", end) + kept


def _is_specs(node: ast.Assign | ast.AnnAssign) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(isinstance(one, ast.Name) and one.id == "TOOL_SPECS" for one in targets)


def _offset(lines: list[str], line: int | None, column: int | None) -> int:
    """The index in the text of a place that Python names: its columns are bytes of UTF-8."""
    before = lines[(line or 1) - 1].encode()[: column or 0].decode(errors="ignore")
    return sum(map(len, lines[: (line or 1) - 1])) + len(before)


def lines_of(text: str) -> list[str]:
    """The lines as Python counts them, with their ends."""
    return _LINE.findall(text)


def indentation_of(text: str) -> str:
    """One level of indentation: a tab if the file uses tabs, otherwise four spaces."""
    found = _INDENTED.search(text)
    return "\t" if found and found[1] == "\t" else "    "


def _guard_line(text: str, lines: list[str]) -> int:
    """The index of the line that the block comes before: the guard, or the comments right above it."""
    tree = ast.parse(text.removeprefix("\ufeff"))
    last = tree.body[-1] if tree.body else None
    if not isinstance(last, ast.If) or "__name__" not in ast.unparse(last.test) or last.orelse:
        return len(lines)
    at = last.lineno - 1
    while at > 0 and lines[at - 1].startswith("#"):
        at -= 1
    return at


def _flat(value: Any) -> str:
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_quoted(key)}: {_flat(one)}' for key, one in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_flat, value))}]"
    return repr(value)


def _quoted(text: str) -> str:
    """The text in double quotes, unless single quotes need fewer backslashes."""
    mark = "'" if '"' in text and "'" not in text else '"'
    plain = "".join(one if one.isprintable() and one not in "\\\"'" else _escaped(one, mark) for one in text)
    return f"{mark}{plain}{mark}"


def _escaped(character: str, mark: str) -> str:
    if character in "\"'":
        return f"\\{character}" if character == mark else character
    return repr(character)[1:-1]


def _pieces(text: str, room: int) -> list[str]:
    """The literals that Python joins to the text: split after line ends, and at spaces where a line is full."""
    pieces = []
    for line in text.splitlines(keepends=True) if "\n" in text else [text]:
        words = re.findall(r"\S*\s*", line)
        piece = ""
        for word in words:
            if piece and len(_quoted(piece + word)) > room:
                pieces.append(piece)
                piece = ""
            piece += word
        pieces.append(piece)
    return [_quoted(one) for one in pieces if one]


def _columns(unit: str) -> int:
    return 4 * unit.count("\t") + unit.count(" ")
